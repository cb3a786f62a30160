// SPDX-License-Identifier: MIT
// The sandbox of a decoder process: resource limits, Landlock and seccomp. Imported by the
// program photo-portal-decoder alone.

#ifndef PP_CSANDBOX_H
#define PP_CSANDBOX_H

#include <stddef.h>

typedef struct pp_sandbox_limits {
    size_t address_space;  // bytes, RLIMIT_AS
    size_t data;           // bytes, RLIMIT_DATA: memory that is the process's own and writable
    size_t file_size;      // bytes, RLIMIT_FSIZE; memory files count
    size_t open_files;     // RLIMIT_NOFILE
} pp_sandbox_limits;

// Gives up everything but reading and writing descriptors that are open already or come in
// over one that is. Cannot be undone. Returns NULL, or what could not be given up.
const char *_Nullable pp_sandbox_enter(const pp_sandbox_limits *_Nonnull limits);

#endif
