// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

int pp_memory_file(const char *name) {
    return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int pp_seal_memory_file(int fd) {
    return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
}

int pp_is_sealed(int fd) {
    // Without F_SEAL_SHRINK the writer could cut the file under our mapping (SIGBUS);
    // without F_SEAL_WRITE it could change what was already checked, and without F_SEAL_GROW
    // the size that was already checked.
    const int needed = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & needed) != needed) return 0;
    // A memory file of huge pages has seals as well, but reading it may fail (SIGBUS).
    struct statfs information;
    return fstatfs(fd, &information) == 0 && information.f_type == TMPFS_MAGIC;
}

int pp_fix_size(int fd) {
    return fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

int pp_has_fixed_size(int fd) {
    const int needed = F_SEAL_SHRINK | F_SEAL_GROW;
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & needed) == needed;
}

int pp_make_temporary(char *name_template) { return mkostemp(name_template, O_CLOEXEC); }

int pp_make_nameless(const char *folder) {
    if (access("/proc/self/fd", X_OK) != 0) return -1;
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

int pp_open_place(int folder, const char *name) {
    return openat(folder, name, O_PATH | O_CLOEXEC);
}

int pp_is_pseudo_file_system(int fd) {
    struct statfs information;
    if (fstatfs(fd, &information) != 0) return 0;
    switch ((unsigned long)information.f_type) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case SECURITYFS_MAGIC:
    case SELINUX_MAGIC:
    case SMACK_MAGIC:
    case PSTOREFS_MAGIC:
    case EFIVARFS_MAGIC:
    case BPF_FS_MAGIC:
    case DEVPTS_SUPER_MAGIC:
    case BINFMTFS_MAGIC:
    case NSFS_MAGIC:
    case 0x62656570: // configfs
    case 0x19800202: // mqueue
    case 0x65735543: // fusectl
        return 1;
    default:
        return 0;
    }
}

int pp_known_facts(int fd, uint64_t *device, int64_t *size) {
    struct statx facts;
    if (statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_SIZE, &facts)) return -1;
    *device = (uint64_t)facts.stx_dev_major << 32 | facts.stx_dev_minor;
    *size = (int64_t)facts.stx_size;
    return 0;
}

int pp_is_fuse(const char *path) {
    struct statfs information;
    return statfs(path, &information) == 0 && information.f_type == FUSE_SUPER_MAGIC;
}

ssize_t pp_copy_range(int from, int64_t *position, int to, size_t most) {
    off64_t offset = *position;
    ssize_t count = copy_file_range(from, &offset, to, NULL, most, 0);
    *position = offset;
    return count;
}

int pp_find_data(int file, int64_t position, int64_t *start, int64_t *end) {
    off64_t data = lseek64(file, position, SEEK_DATA);
    if (data < 0) return -1;
    *start = data;
    *end = lseek64(file, data, SEEK_HOLE);
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    remove(path);
    return 0;
}

void pp_remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

int pp_rename_to_new(const char *old_name, const char *new_name) {
    if (renameat2(AT_FDCWD, old_name, AT_FDCWD, new_name, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (link(old_name, new_name) == 0) return unlink(old_name);
    if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP) return -1;
    // Takes the name with an empty file, which may be replaced.
    int file = open(new_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    close(file);
    if (rename(old_name, new_name) == 0) return 0;
    int error = errno;
    unlink(new_name);
    errno = error;
    return -1;
}
