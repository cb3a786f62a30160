// SPDX-License-Identifier: MIT
// The sandbox of a process that reads what strangers have made: resource limits, Landlock and seccomp.
// Only Sandbox imports this module.

#ifndef PP_CSANDBOX_H
#define PP_CSANDBOX_H

#include <stddef.h>

typedef struct pp_sandbox_limits {
    size_t address_space;  // bytes, RLIMIT_AS
    size_t data;           // bytes, RLIMIT_DATA: memory that is the process's own and writable
    size_t file_size;      // bytes, RLIMIT_FSIZE; memory files count
    size_t open_files;     // RLIMIT_NOFILE
    int allows_network;    // whether it may connect to other machines by TCP
    int allows_cameras;    // whether it may open the video devices, and go on with PipeWire
} pp_sandbox_limits;

// Drops every privilege except reading and writing descriptors that are already open, or that
// arrive over one of them, and connecting to other machines if that is allowed. Cannot be undone.
// Returns NULL, or the name of the step that failed.
const char *_Nullable pp_sandbox_enter(const pp_sandbox_limits *_Nonnull limits);

// Drops every access to files by this thread, and by those that it starts from now on, except reading what
// the system has installed, and its settings, and opening the video devices. For a program that has to load
// libraries and start threads before it enters its sandbox. Returns NULL, or the name of the step that failed.
const char *_Nullable pp_sandbox_restrict_files(void);

#endif
