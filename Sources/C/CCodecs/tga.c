// SPDX-License-Identifier: MIT
// TGA. Source: Truevision, “Truevision TGA File Format Specification”, version 2.0.

#include "stream.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 18 };

typedef struct header {
    unsigned id_size;
    int has_map;
    // 1 with a map, 2 colour, 3 grey.
    unsigned kind;
    int is_compressed;
    uint32_t map_first;
    uint32_t map_count;
    unsigned map_bits;
    uint32_t width;
    uint32_t height;
    unsigned bits;
    unsigned alpha_bits;
    int is_mirrored;
    int starts_at_top;
} header;

// A colour map: four bytes for each colour.
typedef struct map {
    uint32_t first;
    uint32_t count;
    uint8_t *colours;
} map;

// MARK: - Header

static int read_header(pp_stream *file, header *header) {
    uint8_t bytes[HEADER_SIZE];
    if (pp_stream_read(file, bytes, sizeof bytes) != sizeof bytes) return 0;
    header->id_size = bytes[0];
    header->has_map = bytes[1] == 1;
    header->kind = bytes[2] & 7;
    header->is_compressed = bytes[2] & 8;
    header->map_first = pp_little16(bytes + 3);
    header->map_count = pp_little16(bytes + 5);
    header->map_bits = bytes[7];
    header->width = pp_little16(bytes + 12);
    header->height = pp_little16(bytes + 14);
    header->bits = bytes[16];
    header->alpha_bits = bytes[17] & 15;
    header->is_mirrored = bytes[17] & 16;
    header->starts_at_top = bytes[17] & 32;
    if (bytes[1] > 1 || (bytes[2] & ~11) != 0 || header->width == 0 || header->height == 0) return 0;
    switch (header->kind) {
    case 1:
        return header->has_map && (header->bits == 8 || header->bits == 16);
    case 2:
        return header->bits == 15 || header->bits == 16 || header->bits == 24 ||
               header->bits == 32;
    case 3:
        return header->bits == 8 || header->bits == 16;
    default:
        return 0;
    }
}

pp_status pp_tga_read_facts(int fd, pp_facts *facts) {
    pp_stream file;
    header header;
    pp_stream_open(&file, fd);
    if (!read_header(&file, &header)) return PP_DAMAGED;
    facts->width = header.width;
    facts->height = header.height;
    return PP_OK;
}

// MARK: - Pixels

static void colour_of(const uint8_t *bytes, unsigned bits, unsigned alpha_bits, uint8_t colour[4]) {
    if (bits <= 16) {
        uint32_t value = pp_little16(bytes);
        for (int channel = 0; channel < 3; channel++) {
            uint32_t part = value >> (10 - channel * 5) & 31;
            colour[channel] = (uint8_t)(part << 3 | part >> 2);
        }
        colour[3] = bits == 16 && alpha_bits == 1 && !(value & 0x8000) ? 0 : 255;
        return;
    }
    colour[0] = bytes[2];
    colour[1] = bytes[1];
    colour[2] = bytes[0];
    colour[3] = bits == 32 && alpha_bits > 0 ? bytes[3] : 255;
}

static pp_status read_map(pp_stream *file, const header *header, map *map) {
    pp_stream_seek(file, HEADER_SIZE + header->id_size);
    if (!header->has_map) return PP_OK;
    const unsigned bits = header->map_bits;
    if (bits != 15 && bits != 16 && bits != 24 && bits != 32) return PP_DAMAGED;
    map->first = header->map_first;
    map->count = header->map_count;
    map->colours = calloc(4, (size_t)map->count + 1);
    if (!map->colours) return PP_TOO_LARGE;
    for (uint32_t index = 0; index < map->count; index++) {
        uint8_t bytes[4] = {0};
        const size_t size = (bits + 7) / 8;
        if (pp_stream_read(file, bytes, size) != size) return PP_DAMAGED;
        colour_of(bytes, bits, header->alpha_bits, map->colours + (size_t)index * 4);
    }
    return PP_OK;
}

// Reads a pixel as RGBA.
static int read_pixel(pp_stream *file, const header *header, const map *map, uint8_t colour[4]) {
    uint8_t bytes[4] = {0};
    const size_t size = (header->bits + 7) / 8;
    if (pp_stream_read(file, bytes, size) != size) return 0;
    if (header->kind == 1) {
        uint32_t index = header->bits == 16 ? pp_little16(bytes) : bytes[0];
        memset(colour, 0, 4);
        if (index >= map->first && index - map->first < map->count) {
            memcpy(colour, map->colours + (size_t)(index - map->first) * 4, 4);
        }
    } else if (header->kind == 3) {
        colour[0] = colour[1] = colour[2] = bytes[0];
        colour[3] = header->bits == 16 && header->alpha_bits > 0 ? bytes[1] : 255;
    } else {
        colour_of(bytes, header->bits, header->alpha_bits, colour);
    }
    return 1;
}

static uint8_t *place(const header *header, const pp_picture *picture, size_t number) {
    uint32_t x = (uint32_t)(number % header->width), y = (uint32_t)(number / header->width);
    if (header->is_mirrored) x = header->width - 1 - x;
    if (!header->starts_at_top) y = header->height - 1 - y;
    return picture->pixels + y * picture->stride + (size_t)x * 4;
}

// Returns the number of pixels that were read. Runs may continue in the next row.
static size_t read_pixels(pp_stream *file, const header *header, const map *map,
                          pp_picture *picture) {
    const size_t all = (size_t)header->width * header->height;
    size_t done = 0;
    while (done < all) {
        int packet = header->is_compressed ? pp_stream_byte(file) : 0x7F;
        if (packet < 0) return done;
        uint8_t colour[4];
        const int is_run = packet & 0x80;
        if (is_run && !read_pixel(file, header, map, colour)) return done;
        for (int count = (packet & 0x7F) + 1; count > 0 && done < all; count--, done++) {
            if (!is_run && !read_pixel(file, header, map, colour)) return done;
            memcpy(place(header, picture, done), colour, 4);
        }
    }
    return done;
}

// Some programs declare alpha and never write any.
static void show_if_hidden(pp_picture *picture) {
    const size_t count = (size_t)picture->width * picture->height;
    for (size_t index = 0; index < count; index++) {
        if (picture->pixels[index * 4 + 3] != 0) return;
    }
    for (size_t index = 0; index < count; index++) picture->pixels[index * 4 + 3] = 255;
}

pp_status pp_tga_decode(int fd, pp_picture *picture) {
    pp_stream file;
    header header;
    map map = {0};
    pp_stream_open(&file, fd);
    if (!read_header(&file, &header)) return PP_DAMAGED;
    pp_status status = read_map(&file, &header, &map);
    if (!status) status = pp_picture_allocate(picture, header.width, header.height, 4);
    if (!status) {
        size_t count = read_pixels(&file, &header, &map, picture);
        if (count == 0) status = PP_DAMAGED;
        if (count == (size_t)header.width * header.height) show_if_hidden(picture);
    }
    free(map.colours);
    return status;
}
