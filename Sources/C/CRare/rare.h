// SPDX-License-Identifier: MIT

#ifndef PP_RARE_H
#define PP_RARE_H

#include "CRare.h"

#include <sys/types.h>

enum {
    // The most pixels that are decoded at once. With 4 bytes each they fit in the decoder's memory.
    PP_RARE_MOST_PIXELS = 100000000,
};

// Reads at an offset and retries after a signal. Returns the count, 0 at the end, -1 on error.
ssize_t pp_rare_read_at(int fd, void *bytes, size_t count, off_t offset);

// The size of a file, found without fstat(2), which the sandbox does not allow.
uint64_t pp_rare_file_size(int fd);

// Allocates `size` bytes for each pixel, all zero. Fails for sizes beyond `most` pixels.
pp_rare_status pp_rare_allocate(pp_rare_picture *picture, uint64_t width, uint64_t height,
                                size_t size, uint64_t most);

#endif
