// SPDX-License-Identifier: MIT
// OpenEXR by the classes of its library, for the compression that its core, which is in C, does not know.

#ifndef PP_EXR_CLASSES_H
#define PP_EXR_CLASSES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pp_exr_reader pp_exr_reader;

// Where the samples of a channel are put, as half floats: rows of `width` without padding.
typedef struct pp_exr_plane {
    const char *name;
    uint16_t *samples;
    int64_t width;
    int64_t height;
    // The coordinates of the first sample, multiples of the steps.
    int left;
    int top;
    // One sample for so many pixels.
    int x_step;
    int y_step;
} pp_exr_plane;

// Opens a part of a file; the descriptor is borrowed. NULL if it cannot be read.
pp_exr_reader *pp_exr_open(int fd, int part);

// Reads the rows from `first` to `last`, of all their columns. Returns 0 if they are damaged, or if there
// is no memory for them.
int pp_exr_read_rows(pp_exr_reader *reader, const pp_exr_plane *planes, size_t count, int first,
                     int last);

void pp_exr_close(pp_exr_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
