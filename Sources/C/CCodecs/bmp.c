// SPDX-License-Identifier: MIT
// BMP with 16 bits and a mask for alpha, whose alpha gdk-pixbuf ignores or refuses.
// Source: Microsoft, BITMAPV4HEADER.

#include "stream.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_SIZE = 70,
    // The smallest header with a mask for alpha.
    LEAST_INFO = 56,
    BITFIELDS = 3,
    ALPHA_BITFIELDS = 6,
    DEPTH = 16,
};

static uint32_t little32(const uint8_t *bytes) {
    return pp_little16(bytes + 2) << 16 | pp_little16(bytes);
}

typedef struct header {
    uint32_t pixels;
    uint32_t width;
    uint32_t height;
    int is_top_down;
    // Red, green, blue, alpha.
    uint32_t masks[4];
} header;

static int read_header(int fd, header *header) {
    uint8_t bytes[HEADER_SIZE];
    if (pp_read_at(fd, bytes, sizeof bytes, 0) != sizeof bytes) return 0;
    const uint32_t compression = little32(bytes + 30);
    const int32_t width = (int32_t)little32(bytes + 18), height = (int32_t)little32(bytes + 22);
    header->pixels = little32(bytes + 10);
    if (little32(bytes + 14) < LEAST_INFO || pp_little16(bytes + 28) != DEPTH || width <= 0 ||
        height == 0 || height == INT32_MIN ||
        (compression != BITFIELDS && compression != ALPHA_BITFIELDS)) {
        return 0;
    }
    header->width = (uint32_t)width;
    header->is_top_down = height < 0;
    header->height = (uint32_t)(height < 0 ? -height : height);
    for (int i = 0; i < 4; i++) header->masks[i] = little32(bytes + 54 + 4 * i) & 0xFFFF;
    return header->masks[3] != 0;
}

// The bits under a mask, as a byte; 0 if there are none.
static uint8_t channel(uint32_t value, uint32_t mask) {
    if (mask == 0) return 0;
    while (!(mask & 1)) {
        mask >>= 1;
        value >>= 1;
    }
    return (uint8_t)(((value & mask) * 255 + mask / 2) / mask);
}

pp_status pp_bmp_decode_alpha(int fd, pp_picture *picture) {
    header header;
    if (!read_header(fd, &header)) return PP_UNSUPPORTED;
    pp_status status = pp_picture_allocate(picture, header.width, header.height, 4);
    if (status) return status;
    // Rows begin at multiples of four.
    const size_t row_size = ((size_t)header.width * 2 + 3) / 4 * 4;
    uint8_t *row = calloc(1, row_size);
    pp_stream *file = malloc(sizeof *file);
    status = row && file ? PP_DAMAGED : PP_TOO_LARGE;
    if (file) {
        pp_stream_open(file, fd);
        pp_stream_seek(file, header.pixels);
    }
    for (uint32_t y = 0; status != PP_TOO_LARGE && y < header.height; y++) {
        // The rows of a truncated file are worth showing.
        if (pp_stream_read(file, row, row_size) == 0) break;
        status = PP_OK;
        const uint32_t place = header.is_top_down ? y : header.height - 1 - y;
        uint8_t *pixel = picture->pixels + place * picture->stride;
        for (uint32_t x = 0; x < header.width; x++, pixel += 4) {
            const uint32_t value = pp_little16(row + (size_t)x * 2);
            for (int i = 0; i < 4; i++) pixel[i] = channel(value, header.masks[i]);
        }
    }
    free(row);
    free(file);
    return status;
}
