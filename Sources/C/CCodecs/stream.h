// SPDX-License-Identifier: MIT
// Reading a file from its start to its end, for formats that are decoded without a library.

#ifndef PP_STREAM_H
#define PP_STREAM_H

#include "codec.h"

typedef struct pp_stream {
    int fd;
    // Where the buffer ends in the file.
    off_t offset;
    size_t available;
    size_t position;
    uint8_t buffer[16384];
} pp_stream;

// Starts at the beginning of a file.
void pp_stream_open(pp_stream *stream, int fd);

// The next byte, or -1 at the end.
int pp_stream_byte(pp_stream *stream);

// Reads bytes, or as many of them as there are; returns the number.
size_t pp_stream_read(pp_stream *stream, void *bytes, size_t count);

// Reads a line of text without its end, and without what does not fit. Returns 0 at the end of the
// file.
int pp_stream_line(pp_stream *stream, char *line, size_t size);

// The offset of the next byte.
uint64_t pp_stream_tell(const pp_stream *stream);

// Continues at another offset; at the end, if it is beyond the largest file.
void pp_stream_seek(pp_stream *stream, uint64_t offset);

// Numbers in memory.
static inline uint32_t pp_big16(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 8 | bytes[1];
}
static inline uint32_t pp_big32(const uint8_t *bytes) {
    return pp_big16(bytes) << 16 | pp_big16(bytes + 2);
}
static inline uint32_t pp_little16(const uint8_t *bytes) {
    return (uint32_t)bytes[1] << 8 | bytes[0];
}

#endif
