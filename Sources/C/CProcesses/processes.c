// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CProcesses.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int pp_socket_pair(int fds[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds);
}

int pp_pipe(int fds[2]) { return pipe2(fds, O_CLOEXEC); }

int pp_open_process(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

ssize_t pp_send_message(int socket, const void *bytes, size_t count, const int *fds,
                        size_t fd_count) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int) * PP_MAX_DESCRIPTORS)];
    } control;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd_count > PP_MAX_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    if (fd_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * fd_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * fd_count);
        memcpy(CMSG_DATA(header), fds, sizeof(int) * fd_count);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

static void close_all(const int *fds, size_t count) {
    for (size_t i = 0; i < count; i++) close(fds[i]);
}

ssize_t pp_receive_message(int socket, void *bytes, size_t capacity,
                           int fds[PP_MAX_DESCRIPTORS], size_t *fd_count) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int) * PP_MAX_DESCRIPTORS)];
    } control;
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.space,
        .msg_controllen = sizeof control.space,
    };
    *fd_count = 0;
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received < 0) return -1;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL;
         header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        const int *received_fds = (const int *)CMSG_DATA(header);
        for (size_t i = 0; i < count; i++) {
            if (*fd_count < PP_MAX_DESCRIPTORS) {
                memcpy(&fds[(*fd_count)++], &received_fds[i], sizeof(int));
            } else {
                close(received_fds[i]);
            }
        }
    }
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
        close_all(fds, *fd_count);
        *fd_count = 0;
        errno = EMSGSIZE;
        return -1;
    }
    return received;
}

// Starts a program whose descriptor `theirs` is our `ours`. /dev/null takes the place of 0 and 1,
// unless `theirs` is one of them.
static int spawn(pid_t *pid, const char *path, char *const *argv, char *const *envp, int ours,
                 int theirs) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    // The service blocks SIGTERM for its event loop. A child must not inherit the blocked signal.
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    if (!(error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)) &&
        !(error = theirs == 1 ? 0
                              : posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_RDWR,
                                                                 0)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, ours, theirs)) &&
        !(error = posix_spawn_file_actions_addclosefrom_np(&actions, theirs < 3 ? 3 : theirs + 1))) {
        error = posix_spawnp(pid, path, &actions, &attributes, argv, envp);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int pp_spawn_worker(pid_t *pid, const char *path, char *const *argv, char *const *envp,
                    int socket) {
    return spawn(pid, path, argv, envp, socket, 3);
}

int pp_spawn_printing(pid_t *pid, const char *path, char *const *argv, int output) {
    return spawn(pid, path, argv, environ, output, 1);
}

int pp_exited_normally(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

int pp_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void pp_name_thread(pthread_t thread, const char *name) { pthread_setname_np(thread, name); }

int pp_count_processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

void pp_trim_memory(void) { malloc_trim(0); }

int pp_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

int pp_is_packet_socket(int fd) {
    int type = 0;
    socklen_t size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

pid_t pp_fork_worker(int socket, int number) {
    // Not fork(2), because the child must be one of our parent, which waits for it. Nothing else
    // that fork does is needed: there is one thread, and it holds no lock. clone3 is refused where
    // namespaces are restricted.
#if defined(__s390x__) || defined(__s390__)
    pid_t child = (pid_t)syscall(SYS_clone, 0, CLONE_PARENT | SIGCHLD, 0, 0, 0);
#else
    pid_t child = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
#endif
    if (child == 0) dup2(socket, number);
    return child;
}

void pp_map_large_blocks(int byte_count) { mallopt(M_MMAP_THRESHOLD, byte_count); }
