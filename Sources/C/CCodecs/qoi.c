// SPDX-License-Identifier: MIT
// QOI. Source: Dominic Szablewski, “The Quite OK Image Format for Fast, Lossless Compression”,
// specification 1.0.

#include "stream.h"

#include <string.h>

enum { HEADER_SIZE = 14 };

static int read_header(pp_stream *file, uint8_t bytes[HEADER_SIZE]) {
    return pp_stream_read(file, bytes, HEADER_SIZE) == HEADER_SIZE &&
           memcmp(bytes, "qoif", 4) == 0 && (bytes[12] == 3 || bytes[12] == 4);
}

pp_status pp_qoi_read_facts(int fd, pp_facts *facts) {
    pp_stream file;
    uint8_t header[HEADER_SIZE];
    pp_stream_open(&file, fd);
    if (!read_header(&file, header)) return PP_DAMAGED;
    facts->width = pp_big32(header + 4);
    facts->height = pp_big32(header + 8);
    return PP_OK;
}

// Changes the pixel as the next operation says. Returns how often it is repeated, 0 at the end.
static unsigned next(pp_stream *file, uint8_t recent[64][4], uint8_t pixel[4]) {
    int operation = pp_stream_byte(file);
    if (operation < 0) return 0;
    if (operation >= 0xFE) {
        const size_t count = operation == 0xFE ? 3 : 4;
        return pp_stream_read(file, pixel, count) == count;
    }
    switch (operation >> 6) {
    case 0:
        memcpy(pixel, recent[operation], 4);
        return 1;
    case 1:
        for (int channel = 0; channel < 3; channel++) {
            int change = (operation >> (4 - channel * 2) & 3) - 2;
            pixel[channel] = (uint8_t)(pixel[channel] + change);
        }
        return 1;
    case 2: {
        int second = pp_stream_byte(file);
        if (second < 0) return 0;
        int green = (operation & 63) - 32;
        pixel[0] = (uint8_t)(pixel[0] + green + (second >> 4) - 8);
        pixel[1] = (uint8_t)(pixel[1] + green);
        pixel[2] = (uint8_t)(pixel[2] + green + (second & 15) - 8);
        return 1;
    }
    default:
        return (unsigned)(operation & 63) + 1;
    }
}

pp_status pp_qoi_decode(int fd, pp_picture *picture) {
    pp_stream file;
    uint8_t header[HEADER_SIZE];
    pp_stream_open(&file, fd);
    if (!read_header(&file, header)) return PP_DAMAGED;
    const unsigned channels = header[12];
    pp_status status =
        pp_picture_allocate(picture, pp_big32(header + 4), pp_big32(header + 8), channels);
    if (status) return status;
    uint8_t recent[64][4] = {{0}}, pixel[4] = {0, 0, 0, 255};
    const size_t all = (size_t)picture->width * picture->height;
    size_t done = 0;
    while (done < all) {
        unsigned count = next(&file, recent, pixel);
        if (count == 0) break;
        int place = (pixel[0] * 3 + pixel[1] * 5 + pixel[2] * 7 + pixel[3] * 11) % 64;
        memcpy(recent[place], pixel, 4);
        for (; count > 0 && done < all; count--, done++) {
            memcpy(picture->pixels + done * channels, pixel, channels);
        }
    }
    return done > 0 ? PP_OK : PP_DAMAGED;
}
