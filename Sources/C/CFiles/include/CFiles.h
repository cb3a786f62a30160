// SPDX-License-Identifier: MIT
// Calls about files that Swift cannot import from the C library, because they are macros or are
// declared for _GNU_SOURCE only. Only Files imports this module.

#ifndef PP_CFILES_H
#define PP_CFILES_H

#include <stdint.h>
#include <sys/types.h>

// memfd_create(2) with MFD_CLOEXEC and MFD_ALLOW_SEALING. -1 and errno on failure.
int pp_memory_file(const char *_Nonnull name);

// F_ADD_SEALS with shrink, grow, write and seal: nobody can change the file any more.
int pp_seal_memory_file(int fd);

// F_ADD_SEALS with shrink, grow and seal: nobody can change the file's size any more.
int pp_fix_size(int fd);

// Whether nobody can change the size of a memory file.
int pp_has_fixed_size(int fd);

// Whether the file has at least the seals that make it safe to map and read, and that keep its size.
int pp_is_sealed(int fd);

// mkostemp(3) with O_CLOEXEC: replaces the XXXXXX at the end of the name.
int pp_make_temporary(char *_Nonnull name_template);

// Opens a new file in a folder that has no name, for its owner alone (O_TMPFILE of open(2)), or -1: not
// every file system can. It needs /proc to get a name.
int pp_make_nameless(const char *_Nonnull folder);

// openat(2) with O_PATH and O_CLOEXEC; follows links. -1 and errno on failure.
int pp_open_place(int folder, const char *_Nonnull name);

// Whether fstatfs(2) says that the kernel makes the files up, as in /proc; 0 if that is unknown.
int pp_is_pseudo_file_system(int fd);

// statx(2) without asking the file system's server, which may not answer: the device and the last known
// size. -1 and errno on failure.
int pp_known_facts(int fd, uint64_t *_Nonnull device, int64_t *_Nonnull size);

// Whether statfs(2) says FUSE_SUPER_MAGIC.
int pp_is_fuse(const char *_Nonnull path);

// Copies bytes from a position, which it advances, to the current position of another file, at most so
// many. Returns the count, 0 at the end, -1 on error.
ssize_t pp_copy_range(int from, int64_t *_Nonnull position, int to, size_t most);

// Finds the next data at or after a position, and the hole behind it, which is -1 if that is unknown.
// -1 and ENXIO if there is no more data. Moves the position of the file.
int pp_find_data(int file, int64_t position, int64_t *_Nonnull start, int64_t *_Nonnull end);

// Renames a file; -1 and EEXIST if the new name is taken. renameat2(2), or link(2) where the file
// system cannot do that; where it can do neither, an empty file has the name for a moment.
int pp_rename_to_new(const char *_Nonnull old_name, const char *_Nonnull new_name);

// Deletes a folder with its whole content; does not follow links. Leaves what cannot be deleted.
void pp_remove_tree(const char *_Nonnull path);

#endif
