// SPDX-License-Identifier: MIT
// Declarations shared by the files of the codecs.

#ifndef PP_CODEC_H
#define PP_CODEC_H

#include "CCodecs.h"

// Reads at an offset and retries after a signal. Returns the count, 0 at the end, -1 on error.
ssize_t pp_read_at(int fd, void *bytes, size_t count, off_t offset);

typedef struct pp_bytes {
    uint8_t *bytes;
    size_t count;
} pp_bytes;

// Reads a whole file. A file of more than `limit` bytes is too large, unless `may_cut` is set: then
// only its beginning is read. The caller frees the bytes.
pp_status pp_read_file(int fd, size_t limit, int may_cut, pp_bytes *file);

// Allocates a picture, black or transparent. Fails for sizes beyond PP_MOST_PIXELS.
pp_status pp_picture_allocate(pp_picture *picture, uint32_t width, uint32_t height,
                              unsigned channels);

int pp_is_decodable_size(uint64_t width, uint64_t height);

// Divides the colour of RGBA pixels by their alpha, in place.
void pp_picture_unpremultiply(pp_picture *picture);

#endif
