// SPDX-License-Identifier: MIT
// Calls about processes and threads that Swift cannot import from the C library, because they are
// macros or are declared for _GNU_SOURCE only. Imported by the module Processes alone.

#ifndef PP_CPROCESSES_H
#define PP_CPROCESSES_H

#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

// The most descriptors that pp_send_message and pp_receive_message carry.
#define PP_MAX_DESCRIPTORS 4

// A connected pair of SOCK_SEQPACKET sockets, both close-on-exec.
int pp_socket_pair(int fds[_Nonnull 2]);

// sendmsg(2) of one packet with `fd_count` descriptors (SCM_RIGHTS), without SIGPIPE.
// The CMSG macros are not imported by Swift.
ssize_t pp_send_message(int socket, const void *_Nonnull bytes, size_t count,
                        const int *_Nullable fds, size_t fd_count);

// recvmsg(2) of one packet. Received descriptors are close-on-exec. A packet that was
// cut off, or carries more than PP_MAX_DESCRIPTORS, is EMSGSIZE and nothing is left open.
ssize_t pp_receive_message(int socket, void *_Nonnull bytes, size_t capacity,
                           int fds[_Nonnull PP_MAX_DESCRIPTORS], size_t *_Nonnull fd_count);

// Starts a program with a clear signal mask, default signal actions, and no descriptors
// but 0, 1, 2 (standard error is shared, the others are /dev/null) and `socket` as 3.
// Returns 0 or an errno value.
int pp_spawn_worker(pid_t *_Nonnull pid, const char *_Nonnull path,
                    char *_Nullable const *_Nonnull argv,
                    char *_Nullable const *_Nonnull envp, int socket);

// The same for a program, found in PATH, that gets our environment and prints to `output`.
int pp_spawn_printing(pid_t *_Nonnull pid, const char *_Nonnull path,
                      char *_Nullable const *_Nonnull argv, int output);

// A pipe whose ends are both close-on-exec.
int pp_pipe(int fds[_Nonnull 2]);

// pidfd_open(2), which glibc has from 2.36 on only.
int pp_open_process(pid_t pid);

// waitpid(2) results, whose macros Swift does not import.
int pp_exited_normally(int status);

// pthread_setname_np(3).
void pp_name_thread(pthread_t thread, const char *_Nonnull name);

// How many processors sched_getaffinity(2) lets this process use, 0 when it does not say.
int pp_count_processors(void);

// Gives memory that the allocator holds but nobody uses back to the system.
void pp_trim_memory(void);

#endif
