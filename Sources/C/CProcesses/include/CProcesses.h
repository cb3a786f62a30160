// SPDX-License-Identifier: MIT
// Calls about processes and threads that Swift cannot import from the C library, because they are
// macros or are declared for _GNU_SOURCE only. Only Processes imports this module.

#ifndef PP_CPROCESSES_H
#define PP_CPROCESSES_H

#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

// The most descriptors that pp_send_message and pp_receive_message carry.
#define PP_MAX_DESCRIPTORS 4

// A connected pair of SOCK_SEQPACKET sockets, both close-on-exec.
int pp_socket_pair(int fds[_Nonnull 2]);

// Sends one packet with `fd_count` descriptors (SCM_RIGHTS): sendmsg(2) without SIGPIPE. Swift does
// not import the CMSG macros.
ssize_t pp_send_message(int socket, const void *_Nonnull bytes, size_t count,
                        const int *_Nullable fds, size_t fd_count);

// Receives one packet: recvmsg(2). Received descriptors are close-on-exec. A packet that was
// truncated, or has more than PP_MAX_DESCRIPTORS, fails with EMSGSIZE and leaves nothing open.
ssize_t pp_receive_message(int socket, void *_Nonnull bytes, size_t capacity,
                           int fds[_Nonnull PP_MAX_DESCRIPTORS], size_t *_Nonnull fd_count);

// Starts a program with an empty signal mask, default signal actions and only these descriptors: 0
// and 1 are /dev/null, 2 is our standard error, 3 is `socket`. Returns 0 or an errno value.
int pp_spawn_worker(pid_t *_Nonnull pid, const char *_Nonnull path,
                    char *_Nullable const *_Nonnull argv,
                    char *_Nullable const *_Nonnull envp, int socket);

// Starts a program in the same way, but finds it in PATH, gives it our environment, and lets it
// print to `output`.
int pp_spawn_printing(pid_t *_Nonnull pid, const char *_Nonnull path,
                      char *_Nullable const *_Nonnull argv, int output);

// Makes a pipe; both ends are close-on-exec.
int pp_pipe(int fds[_Nonnull 2]);

// pidfd_open(2), which glibc provides only from version 2.36 on.
int pp_open_process(pid_t pid);

// The results of waitpid(2), whose macros Swift does not import.
int pp_exited_normally(int status);

// Whether this process ignores a signal.
int pp_is_ignored(int number);

// pthread_setname_np(3).
void pp_name_thread(pthread_t thread, const char *_Nonnull name);

// Has the kernel kill this process when the thread that started it ends: PR_SET_PDEATHSIG of prctl(2).
// -1 and errno on failure.
int pp_end_with_parent(void);

// Whether a descriptor is a SOCK_SEQPACKET socket.
int pp_is_packet_socket(int fd);

// Forks a process that has one thread. The child is a child of our parent, and finds `socket` as
// descriptor `number`. Returns 0 in the child, its id in the caller, and -1 and errno on failure.
pid_t pp_fork_worker(int socket, int number);

// The number of processors that sched_getaffinity(2) lets this process use; 0 if it fails.
int pp_count_processors(void);

// Returns free memory that the allocator keeps to the system.
void pp_trim_memory(void);

// Makes every block of this size or more a mapping of its own, which free(3) returns to the system.
void pp_map_large_blocks(int byte_count);

#endif
