// SPDX-License-Identifier: MIT
// PCX. Source: ZSoft, “Technical Reference Manual for PCX”, revision 5.

#include "stream.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_SIZE = 128,
    MOST_BYTES = 128 << 20,
    PALETTE_SIZE = 768,
};

typedef struct header {
    unsigned version;
    int is_compressed;
    unsigned bits;
    unsigned planes;
    uint32_t width;
    uint32_t height;
    size_t row_size;
    // 16 colours.
    const uint8_t *palette;
} header;

static int read_header(const uint8_t *bytes, size_t count, header *header) {
    if (count < HEADER_SIZE || bytes[0] != 10) return 0;
    header->version = bytes[1];
    header->is_compressed = bytes[2] == 1;
    header->bits = bytes[3];
    header->planes = bytes[65];
    header->row_size = pp_little16(bytes + 66);
    header->palette = bytes + 16;
    const uint32_t left = pp_little16(bytes + 4), top = pp_little16(bytes + 6);
    const uint32_t right = pp_little16(bytes + 8), bottom = pp_little16(bytes + 10);
    if (right < left || bottom < top) return 0;
    header->width = right - left + 1;
    header->height = bottom - top + 1;
    const unsigned depth = header->bits * 8 + header->planes;
    // One plane of indices, up to four planes with one bit of an index each, or three or four
    // planes with a channel each.
    const int is_known = depth == 8 + 1 || depth == 8 + 2 || depth == 8 + 3 || depth == 8 + 4 ||
                         depth == 16 + 1 || depth == 32 + 1 || depth == 64 + 1 || depth == 64 + 3 ||
                         depth == 64 + 4;
    return is_known && header->row_size >= ((size_t)header->width * header->bits + 7) / 8;
}

pp_status pp_pcx_read_facts(int fd, pp_facts *facts) {
    uint8_t bytes[HEADER_SIZE];
    header header;
    ssize_t count = pp_read_at(fd, bytes, sizeof bytes, 0);
    if (!read_header(bytes, count > 0 ? (size_t)count : 0, &header)) return PP_DAMAGED;
    facts->width = header.width;
    facts->height = header.height;
    return PP_OK;
}

// MARK: - Pixels

// The colours of the indices. 256 colours are at the end of the file, after the byte 12.
static void read_palette(const pp_bytes *file, const header *header, uint8_t palette[256][3]) {
    static const uint8_t black_and_white[6] = {0, 0, 0, 255, 255, 255};
    if (header->bits == 8) {
        const uint8_t *end = file->bytes + file->count - PALETTE_SIZE;
        int has_palette = file->count > HEADER_SIZE + PALETTE_SIZE && end[-1] == 12;
        for (int i = 0; i < 256; i++) {
            if (has_palette) {
                memcpy(palette[i], end + i * 3, 3);
            } else {
                memset(palette[i], i, 3);
            }
        }
        return;
    }
    memcpy(palette, header->palette, 48);
    if (header->bits == 1 && header->planes == 1 && memcmp(palette[0], palette[1], 3) == 0) {
        memcpy(palette, black_and_white, sizeof black_and_white);
    }
}

// Reads the planes of a row, all of which have the same number of bytes. Returns whether they are
// complete. Runs end with the row, except in a few files.
static int read_row(const pp_bytes *file, size_t *position, int is_compressed, uint8_t *row,
                    size_t size) {
    size_t done = 0;
    while (done < size) {
        if (*position >= file->count) return 0;
        uint8_t value = file->bytes[(*position)++];
        size_t count = 1;
        if (is_compressed && value >= 0xC0) {
            if (*position >= file->count) return 0;
            count = value & 0x3F;
            value = file->bytes[(*position)++];
        }
        if (count > size - done) count = size - done;
        memset(row + done, value, count);
        done += count;
    }
    return 1;
}

static void put_row(const header *header, const uint8_t *planes, uint8_t palette[256][3],
                    uint8_t *row, unsigned channels) {
    for (uint32_t x = 0; x < header->width; x++, row += channels) {
        if (header->planes >= 3 && header->bits == 8) {
            for (unsigned plane = 0; plane < channels; plane++) {
                row[plane] = planes[plane * header->row_size + x];
            }
            continue;
        }
        unsigned index = 0;
        for (unsigned plane = 0; plane < header->planes; plane++) {
            const size_t bit = (size_t)x * header->bits;
            const uint8_t byte = planes[plane * header->row_size + bit / 8];
            const unsigned shift = 8 - header->bits - (unsigned)(bit % 8);
            index |= (byte >> shift & ((1u << header->bits) - 1)) << plane;
        }
        memcpy(row, palette[index], 3);
    }
}

static pp_status decode(const pp_bytes *file, pp_picture *picture) {
    header header;
    if (!read_header(file->bytes, file->count, &header)) return PP_DAMAGED;
    const unsigned channels = header.planes == 4 && header.bits == 8 ? 4 : 3;
    pp_status status = pp_picture_allocate(picture, header.width, header.height, channels);
    if (status) return status;
    uint8_t palette[256][3] = {{0}};
    read_palette(file, &header, palette);
    const size_t size = header.row_size * header.planes;
    uint8_t *planes = malloc(size);
    if (!planes) return PP_TOO_LARGE;
    size_t position = HEADER_SIZE;
    uint32_t y = 0;
    for (; y < header.height; y++) {
        if (!read_row(file, &position, header.is_compressed, planes, size)) break;
        put_row(&header, planes, palette, picture->pixels + y * picture->stride, channels);
    }
    free(planes);
    return y > 0 ? PP_OK : PP_DAMAGED;
}

pp_status pp_pcx_decode(int fd, pp_picture *picture) {
    pp_bytes file;
    pp_status status = pp_read_file(fd, MOST_BYTES, 0, &file);
    if (status) return status;
    status = decode(&file, picture);
    free(file.bytes);
    return status;
}
