// SPDX-License-Identifier: MIT
//
// stalled-disk FOLDER MOUNTPOINT SWITCH
//
// Shows a folder as a file system, some of whose calls do not answer as long as the file SWITCH names them,
// of "getattr", "readdir", "open", "read" and "flush"; the first one that waits makes the file SWITCH.waiting.
// If it says "full", files can be written, but closing one fails, as on a network drive; "broken": no folder
// can be listed; "double": each name in a folder is listed twice; "failing" and an offset: files cannot be
// read from there on; "denied": nobody may read the folders in it; "slow": each read takes 20 milliseconds;
// "keeping": no folder can be removed, as where a removed file lives on under another name while it is open.
// The file system is unmounted when the process ends, and calls in progress then fail.

#define _GNU_SOURCE
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int folder;
static const char *switch_path;

enum { SWITCH_SIZE = 256 };

static void read_switch(char text[SWITCH_SIZE]) {
    memset(text, 0, SWITCH_SIZE);
    int file = open(switch_path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (read(file, text, SWITCH_SIZE - 1) < 0) text[0] = 0;
    close(file);
}

static int is_named(const char *call) {
    char text[SWITCH_SIZE];
    read_switch(text);
    return strstr(text, call) != NULL;
}

// Whether bytes up to this offset cannot be read.
static int is_failing(off_t end) {
    char text[SWITCH_SIZE];
    read_switch(text);
    const char *word = strstr(text, "failing ");
    return word && end > strtoll(word + 8, NULL, 10);
}

static void stall(const char *call) {
    if (!is_named(call)) return;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s.waiting", switch_path);
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    while (is_named(call)) usleep(20 * 1000);
}

// A path below the folder; the root is the folder itself.
static const char *relative(const char *path) { return path[1] ? path + 1 : "."; }

static int get_attributes(const char *path, struct stat *status, struct fuse_file_info *info) {
    (void)info;
    stall("getattr");
    return fstatat(folder, relative(path), status, AT_SYMLINK_NOFOLLOW) ? -errno : 0;
}

static int open_folder(const char *path, struct fuse_file_info *info) {
    (void)info;
    return path[1] && is_named("denied") ? -EACCES : 0;
}

static int read_folder(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
                       struct fuse_file_info *info, enum fuse_readdir_flags flags) {
    (void)offset, (void)info, (void)flags;
    stall("readdir");
    if (is_named("broken")) return -EIO;
    int file = openat(folder, relative(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = file < 0 ? NULL : fdopendir(file);
    if (!stream) return -errno;
    const int times = is_named("double") ? 2 : 1;
    for (struct dirent *entry; (entry = readdir(stream));) {
        for (int time = 0; time < times; time++) fill(buffer, entry->d_name, NULL, 0, 0);
    }
    closedir(stream);
    return 0;
}

static int open_file(const char *path, struct fuse_file_info *info) {
    stall("open");
    int file = openat(folder, relative(path), O_RDONLY | O_CLOEXEC);
    if (file < 0) return -errno;
    info->fh = (uint64_t)file;
    return 0;
}

static int read_file(const char *path, char *bytes, size_t count, off_t offset,
                     struct fuse_file_info *info) {
    (void)path;
    stall("read");
    if (is_named("slow")) usleep(20 * 1000);
    if (is_failing(offset + (off_t)count)) return -EIO;
    ssize_t received = pread((int)info->fh, bytes, count, offset);
    return received < 0 ? -errno : (int)received;
}

static int flush_file(const char *path, struct fuse_file_info *info) {
    (void)path, (void)info;
    stall("flush");
    return is_named("full") ? -ENOSPC : 0;
}

static int create_file(const char *path, mode_t mode, struct fuse_file_info *info) {
    int file = openat(folder, relative(path), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0) return -errno;
    info->fh = (uint64_t)file;
    return 0;
}

static int make_folder(const char *path, mode_t mode) {
    return mkdirat(folder, relative(path), mode) ? -errno : 0;
}

static int write_file(const char *path, const char *bytes, size_t count, off_t offset,
                      struct fuse_file_info *info) {
    (void)path;
    ssize_t written = pwrite((int)info->fh, bytes, count, offset);
    return written < 0 ? -errno : (int)written;
}

static int change_mode(const char *path, mode_t mode, struct fuse_file_info *info) {
    (void)info;
    return fchmodat(folder, relative(path), mode, 0) ? -errno : 0;
}

static int rename_file(const char *from, const char *to, unsigned int flags) {
    if (flags) return -EINVAL;
    return renameat(folder, relative(from), folder, relative(to)) ? -errno : 0;
}

static int remove_file(const char *path) {
    return unlinkat(folder, relative(path), 0) ? -errno : 0;
}

static int remove_folder(const char *path) {
    if (is_named("keeping")) return -ENOTEMPTY;
    return unlinkat(folder, relative(path), AT_REMOVEDIR) ? -errno : 0;
}

static int close_file(const char *path, struct fuse_file_info *info) {
    (void)path;
    close((int)info->fh);
    return 0;
}

// The kernel remembers nothing, so that every call arrives here. A file is closed some time after close(2)
// has returned; one that is removed before that is gone at once nevertheless.
static void *start(struct fuse_conn_info *connection, struct fuse_config *config) {
    (void)connection;
    config->attr_timeout = 0;
    config->entry_timeout = 0;
    config->direct_io = 0;
    config->hard_remove = 1;
    return NULL;
}

int main(int count, char **words) {
    static const struct fuse_operations operations = {
        .init = start,
        .getattr = get_attributes,
        .opendir = open_folder,
        .readdir = read_folder,
        .open = open_file,
        .read = read_file,
        .flush = flush_file,
        .create = create_file,
        .mkdir = make_folder,
        .write = write_file,
        .chmod = change_mode,
        .rename = rename_file,
        .unlink = remove_file,
        .rmdir = remove_folder,
        .release = close_file,
    };
    if (count != 4) {
        fprintf(stderr, "usage: stalled-disk FOLDER MOUNTPOINT SWITCH\n");
        return 2;
    }
    folder = open(words[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        perror(words[1]);
        return 1;
    }
    switch_path = words[3];
    char *arguments[] = {words[0], words[2], "-f", "-o", "auto_unmount,max_idle_threads=64", NULL};
    return fuse_main(5, arguments, &operations, NULL);
}
