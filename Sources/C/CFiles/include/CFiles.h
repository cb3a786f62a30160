// SPDX-License-Identifier: MIT
// Calls about files that Swift cannot import from the C library, because they are macros or are
// declared for _GNU_SOURCE only. Imported by the module Files alone.

#ifndef PP_CFILES_H
#define PP_CFILES_H

#include <stdint.h>
#include <sys/types.h>

// memfd_create(2) with MFD_CLOEXEC and MFD_ALLOW_SEALING. -1 and errno on failure.
int pp_memory_file(const char *_Nonnull name);

// F_ADD_SEALS with shrink, grow, write and seal: nobody can change the file any more.
int pp_seal_memory_file(int fd);

// Whether the file carries at least the seals that make a mapping of it safe to read.
int pp_is_sealed(int fd);

// mkostemp(3) with O_CLOEXEC: replaces the XXXXXX at the end of the name.
int pp_make_temporary(char *_Nonnull name_template);

// Whether statfs(2) says FUSE_SUPER_MAGIC.
int pp_is_fuse(const char *_Nonnull path);

// Copies some bytes from a position on, which it moves, to the position of another file. Returns
// how many, 0 at the end, -1 on error.
ssize_t pp_copy_range(int from, int64_t *_Nonnull position, int to);

// Deletes a folder with all that is in it; links are not followed. What cannot be deleted stays.
void pp_remove_tree(const char *_Nonnull path);

#endif
