// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CSandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int set_limit(int resource, size_t value) {
    struct rlimit limit = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &limit);
}

static const char *limit_resources(const pp_sandbox_limits *limits) {
    if (set_limit(RLIMIT_AS, limits->address_space)) return "RLIMIT_AS";
    if (set_limit(RLIMIT_DATA, limits->data)) return "RLIMIT_DATA";
    if (set_limit(RLIMIT_FSIZE, limits->file_size)) return "RLIMIT_FSIZE";
    if (set_limit(RLIMIT_NOFILE, limits->open_files)) return "RLIMIT_NOFILE";
    if (set_limit(RLIMIT_CORE, 0)) return "RLIMIT_CORE";
    return NULL;
}

// Adds a rule for a path and what is below it; a path that does not exist needs none.
static void allow_path(int ruleset, const char *path, uint64_t rights) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = file};
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(file);
}

// Whether the name of a device is that of a camera's.
static int is_video_device(const char *name) {
    return !strncmp(name, "video", 5) || !strncmp(name, "media", 5) || !strncmp(name, "v4l-", 4);
}

static void allow_video_devices(int ruleset, long version) {
    uint64_t rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
    // The right to control devices; before, everybody has it.
    if (version >= 5) rights |= UINT64_C(1) << 15;
    DIR *folder = opendir("/dev");
    if (!folder) return;
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        if (!is_video_device(entry->d_name)) continue;
        char path[sizeof "/dev/" + sizeof entry->d_name] = "/dev/";
        strcat(path, entry->d_name);
        allow_path(ruleset, path, rights);
    }
    closedir(folder);
}

// Which files a process may still use.
enum files { NO_FILES, VIDEO_DEVICES, SYSTEM_AND_VIDEO_DEVICES };

static long landlock_version(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

// Denies every access right that the kernel knows, except those to some files, and connecting by TCP if that
// is allowed. A kernel without Landlock is not an error, because seccomp also rejects the system calls that
// open paths.
static const char *enter_landlock(enum files files, int allows_network) {
    long version = landlock_version();
    if (version < 1) return NULL;
    // The number of file system rights depends on the version: 13, 14 (refer), 15 (truncate) and,
    // from version 5 on, 16 (ioctl on devices). The headers may be older than the kernel.
    const int rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    struct {
        uint64_t file_system;
        uint64_t network;  // from version 4: bind and connect by TCP
        uint64_t scoped;   // from version 6: abstract sockets and signals
    } attributes = {
        .file_system = (UINT64_C(1) << rights) - 1,
        .network = version < 4 ? 0 : allows_network ? 1 : 3,
        .scoped = version >= 6 ? 3 : 0,
    };
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (ruleset < 0) return "landlock_create_ruleset";
    if (files != NO_FILES) allow_video_devices(ruleset, version);
    if (files == SYSTEM_AND_VIDEO_DEVICES) {
        static const char *const folders[] = {"/usr", "/lib", "/lib64", "/etc"};
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
            allow_path(ruleset, folders[i], LANDLOCK_ACCESS_FS_EXECUTE |
                                                LANDLOCK_ACCESS_FS_READ_FILE |
                                                LANDLOCK_ACCESS_FS_READ_DIR);
        }
    }
    long restricted = syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return restricted ? "landlock_restrict_self" : NULL;
}

// The system calls that a running decoder needs. Any other call fails with EPERM, so that a library
// that looks for a configuration file continues without it. Starting a process or tracing one kills
// the decoder. Threads are allowed, because some codecs need them and a thread is as restricted as
// the process. newfstatat, which glibc uses for fstat, is not allowed: given a path, it would
// reveal facts about files on the disk, and Landlock does not prevent that.
static const int allowed_calls[] = {
    SCMP_SYS(brk),             SCMP_SYS(clock_gettime),   SCMP_SYS(clock_getres),
    SCMP_SYS(close),           SCMP_SYS(dup),             SCMP_SYS(exit),
    SCMP_SYS(exit_group),      SCMP_SYS(fadvise64),       SCMP_SYS(ftruncate),
    SCMP_SYS(futex),           SCMP_SYS(getpid),          SCMP_SYS(getrandom),
    SCMP_SYS(gettid),          SCMP_SYS(gettimeofday),    SCMP_SYS(lseek),
    SCMP_SYS(madvise),         SCMP_SYS(memfd_create),    SCMP_SYS(mremap),
    SCMP_SYS(munmap),          SCMP_SYS(nanosleep),       SCMP_SYS(poll),
    SCMP_SYS(ppoll),           SCMP_SYS(pread64),         SCMP_SYS(read),
    SCMP_SYS(recvmsg),         SCMP_SYS(restart_syscall), SCMP_SYS(rt_sigaction),
    SCMP_SYS(rseq),            SCMP_SYS(rt_sigprocmask),  SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_yield),     SCMP_SYS(sendmsg),         SCMP_SYS(set_robust_list),
    SCMP_SYS(sigaltstack),     SCMP_SYS(write),           SCMP_SYS(writev),
};

static const int fatal_calls[] = {
    SCMP_SYS(execve), SCMP_SYS(execveat),         SCMP_SYS(fork),
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
    SCMP_SYS(vfork),
};

// The flags that make a clone a thread, which shares everything and is restricted in the same way.
static const scmp_datum_t thread_flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                                         CLONE_THREAD | CLONE_SYSVSEM;
// A new namespace would bring new privileges.
static const scmp_datum_t namespace_flags = CLONE_NEWCGROUP | CLONE_NEWIPC | CLONE_NEWNET |
                                            CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUSER |
                                            CLONE_NEWUTS;

static int add_thread_rules(scmp_filter_ctx filter) {
    // The flags of clone3 are in memory, which a filter cannot read. Without clone3, the C library
    // falls back to clone.
    int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (!error) {
        error = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
            SCMP_A0(SCMP_CMP_MASKED_EQ, thread_flags | namespace_flags, thread_flags));
    }
    // Any other clone would be a new process.
    if (!error) {
        error = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, SCMP_SYS(clone), 1,
                                 SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    }
    return error;
}

// What a client of TCP needs besides. Sockets of other families lead to the buses and to the other
// processes of the user; datagrams would reach the name servers, which is the work of somebody else.
static const int network_calls[] = {
    SCMP_SYS(connect),    SCMP_SYS(getpeername), SCMP_SYS(getsockname), SCMP_SYS(getsockopt),
    SCMP_SYS(recvfrom),   SCMP_SYS(sendto),      SCMP_SYS(setsockopt),  SCMP_SYS(shutdown),
};

static int add_network_rules(scmp_filter_ctx filter) {
    int error = 0;
    for (size_t i = 0; !error && i < sizeof network_calls / sizeof *network_calls; i++) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, network_calls[i], 0);
    }
    // The standard protocol of a stream is TCP, but others have streams as well: SCTP and MPTCP.
    static const int protocols[] = {0, IPPROTO_TCP};
    const size_t protocol_count = sizeof protocols / sizeof *protocols;
    static const int families[] = {AF_INET, AF_INET6};
    const scmp_datum_t type = ~(scmp_datum_t)(SOCK_CLOEXEC | SOCK_NONBLOCK);
    for (size_t i = 0; !error && i < sizeof families / sizeof *families * protocol_count; i++) {
        error = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 3,
            SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)families[i / protocol_count]),
            SCMP_A1(SCMP_CMP_MASKED_EQ, type, SOCK_STREAM),
            SCMP_A2(SCMP_CMP_EQ, (scmp_datum_t)protocols[i % protocol_count]));
    }
    // Sockets wait in poll alone, and send no signals: O_ASYNC needs an owner, which cannot be set.
    if (!error) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                                 SCMP_A1(SCMP_CMP_EQ, F_SETFL));
    }
    return error;
}

// What a client of PipeWire needs besides, which has connected already: it waits for events and shares memory,
// and may make no other connection. Its threads ask for priorities, which they do not get.
static const int camera_calls[] = {
    SCMP_SYS(clock_nanosleep), SCMP_SYS(dup3),          SCMP_SYS(epoll_create1),
    SCMP_SYS(epoll_ctl),       SCMP_SYS(epoll_pwait),   SCMP_SYS(epoll_pwait2),
    SCMP_SYS(epoll_wait),      SCMP_SYS(eventfd2),      SCMP_SYS(fallocate),
    SCMP_SYS(fstat),           SCMP_SYS(getegid),       SCMP_SYS(geteuid),
    SCMP_SYS(getgid),          SCMP_SYS(getpeername),   SCMP_SYS(getppid),
    SCMP_SYS(getsockname),     SCMP_SYS(getsockopt),    SCMP_SYS(getuid),
    SCMP_SYS(ioctl),           SCMP_SYS(mlock),         SCMP_SYS(munlock),
    SCMP_SYS(pipe2),           SCMP_SYS(pselect6),      SCMP_SYS(recvfrom),
    SCMP_SYS(sched_getattr),   SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler),
    SCMP_SYS(select),          SCMP_SYS(sendto),        SCMP_SYS(shutdown),
    SCMP_SYS(socketpair),
    SCMP_SYS(timerfd_create),  SCMP_SYS(timerfd_gettime), SCMP_SYS(timerfd_settime),
    SCMP_SYS(uname),
};

static int add_camera_rules(scmp_filter_ctx filter) {
    int error = 0;
    for (size_t i = 0; !error && i < sizeof camera_calls / sizeof *camera_calls; i++) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, camera_calls[i], 0);
    }
    // Threads have names.
    if (!error) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1,
                                 SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
    }
    if (!error) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                                 SCMP_A1(SCMP_CMP_EQ, F_SETFL));
    }
    // Video devices are opened by their paths. Without Landlock, that would be all files.
    if (!error && landlock_version() >= 1) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 0);
    }
    return error;
}

static int add_rules(scmp_filter_ctx filter) {
    int error = 0;
    for (size_t i = 0; !error && i < sizeof allowed_calls / sizeof *allowed_calls; i++) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed_calls[i], 0);
    }
    for (size_t i = 0; !error && i < sizeof fatal_calls / sizeof *fatal_calls; i++) {
        error = seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, fatal_calls[i], 0);
    }
    if (!error) error = add_thread_rules(filter);
    // Reports that no processor is known. A codec that would start one thread per processor then
    // works on the calling thread; the pool already has several decoder processes.
    if (!error) error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(0), SCMP_SYS(sched_getaffinity), 0);
    // Memory must never be executable.
    if (!error) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
                                 SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    }
    if (!error) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                                 SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    }
    // fcntl may query, duplicate and seal descriptors, but not make them send signals.
    static const int fcntl_commands[] = {F_GETFD, F_SETFD,     F_GETFL,     F_DUPFD_CLOEXEC,
                                         F_DUPFD, F_ADD_SEALS, F_GET_SEALS};
    for (size_t i = 0; !error && i < sizeof fcntl_commands / sizeof *fcntl_commands; i++) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                                 SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)fcntl_commands[i]));
    }
    // abort(3) sends a signal to its own thread.
    if (!error) {
        error = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                                 SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
    }
    return error;
}

static const char *enter_seccomp(const pp_sandbox_limits *limits) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return "seccomp_init";
    int error = add_rules(filter);
    if (!error && limits->allows_network) error = add_network_rules(filter);
    if (!error && limits->allows_cameras) error = add_camera_rules(filter);
    // A thread that a library has started already must not stay outside.
    if (!error) error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    if (!error) error = seccomp_load(filter);
    seccomp_release(filter);
    return error ? "seccomp" : NULL;
}

const char *pp_sandbox_enter(const pp_sandbox_limits *limits) {
    // No access through /proc for other processes of the user, and no new privileges.
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)) return "PR_SET_DUMPABLE";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return "PR_SET_NO_NEW_PRIVS";
    const char *problem =
        enter_landlock(limits->allows_cameras ? VIDEO_DEVICES : NO_FILES, limits->allows_network);
    if (!problem) problem = limit_resources(limits);
    if (!problem) problem = enter_seccomp(limits);
    return problem;
}

const char *pp_sandbox_restrict_files(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return "PR_SET_NO_NEW_PRIVS";
    return enter_landlock(SYSTEM_AND_VIDEO_DEVICES, 0);
}
