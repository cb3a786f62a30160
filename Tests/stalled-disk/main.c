// SPDX-License-Identifier: MIT
//
// stalled-disk FOLDER MOUNTPOINT SWITCH
//
// Shows a folder as a read-only file system, some of whose calls do not answer as long as the file SWITCH
// names them, of "getattr", "readdir", "open", "read" and "flush". It is unmounted when the process ends,
// and calls in progress then fail.

#define _GNU_SOURCE
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int folder;
static const char *switch_path;

static int is_stalled(const char *call) {
    char text[256] = {0};
    int file = open(switch_path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    return count > 0 && strstr(text, call);
}

static void stall(const char *call) {
    while (is_stalled(call)) usleep(20 * 1000);
}

// A path below the folder; the root is the folder itself.
static const char *relative(const char *path) { return path[1] ? path + 1 : "."; }

static int get_attributes(const char *path, struct stat *status, struct fuse_file_info *info) {
    (void)info;
    stall("getattr");
    return fstatat(folder, relative(path), status, AT_SYMLINK_NOFOLLOW) ? -errno : 0;
}

static int read_folder(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
                       struct fuse_file_info *info, enum fuse_readdir_flags flags) {
    (void)offset, (void)info, (void)flags;
    stall("readdir");
    int file = openat(folder, relative(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = file < 0 ? NULL : fdopendir(file);
    if (!stream) return -errno;
    for (struct dirent *entry; (entry = readdir(stream));) {
        fill(buffer, entry->d_name, NULL, 0, 0);
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
    ssize_t received = pread((int)info->fh, bytes, count, offset);
    return received < 0 ? -errno : (int)received;
}

static int flush_file(const char *path, struct fuse_file_info *info) {
    (void)path, (void)info;
    stall("flush");
    return 0;
}

static int close_file(const char *path, struct fuse_file_info *info) {
    (void)path;
    close((int)info->fh);
    return 0;
}

// The kernel remembers nothing, so that every call arrives here.
static void *start(struct fuse_conn_info *connection, struct fuse_config *config) {
    (void)connection;
    config->attr_timeout = 0;
    config->entry_timeout = 0;
    config->direct_io = 0;
    return NULL;
}

int main(int count, char **words) {
    static const struct fuse_operations operations = {
        .init = start,
        .getattr = get_attributes,
        .readdir = read_folder,
        .open = open_file,
        .read = read_file,
        .flush = flush_file,
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
    char *arguments[] = {words[0], words[2], "-f", "-o", "ro,auto_unmount,max_idle_threads=64", NULL};
    return fuse_main(5, arguments, &operations, NULL);
}
