// SPDX-License-Identifier: MIT

#include "stream.h"

#include <string.h>

void pp_stream_open(pp_stream *stream, int fd) {
    stream->fd = fd;
    stream->offset = 0;
    stream->available = 0;
    stream->position = 0;
}

static int fill(pp_stream *stream) {
    ssize_t received =
        pp_read_at(stream->fd, stream->buffer, sizeof stream->buffer, stream->offset);
    stream->position = 0;
    stream->available = received > 0 ? (size_t)received : 0;
    stream->offset += (off_t)stream->available;
    return stream->available > 0;
}

int pp_stream_byte(pp_stream *stream) {
    if (stream->position == stream->available && !fill(stream)) return -1;
    return stream->buffer[stream->position++];
}

size_t pp_stream_read(pp_stream *stream, void *bytes, size_t count) {
    uint8_t *next = bytes;
    size_t done = 0;
    while (done < count) {
        if (stream->position == stream->available && !fill(stream)) break;
        size_t part = stream->available - stream->position;
        if (part > count - done) part = count - done;
        memcpy(next + done, stream->buffer + stream->position, part);
        stream->position += part;
        done += part;
    }
    return done;
}

int pp_stream_line(pp_stream *stream, char *line, size_t size) {
    size_t count = 0;
    int byte = pp_stream_byte(stream);
    const int is_there = byte >= 0;
    for (; byte >= 0 && byte != '\n'; byte = pp_stream_byte(stream)) {
        if (count + 1 < size) line[count++] = (char)byte;
    }
    line[count] = 0;
    return is_there;
}

uint64_t pp_stream_tell(const pp_stream *stream) {
    return (uint64_t)stream->offset - (stream->available - stream->position);
}

void pp_stream_seek(pp_stream *stream, uint64_t offset) {
    uint64_t start = (uint64_t)stream->offset - stream->available;
    if (offset >= start && offset <= (uint64_t)stream->offset) {
        stream->position = (size_t)(offset - start);
        return;
    }
    stream->offset = offset > INT64_MAX / 2 ? INT64_MAX / 2 : (off_t)offset;
    stream->available = 0;
    stream->position = 0;
}
