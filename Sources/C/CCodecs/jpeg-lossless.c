// SPDX-License-Identifier: MIT
// Lossless JPEG, which libjpeg-turbo reads from version 3 on.
// Source: ITU-T T.81, annex H, and annex B for the markers.

#include "stream.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_COMPONENTS = 4,
    TABLES = 4,
    LONGEST_CODE = 16,
    CATEGORIES = 17,
    NO_VALUE = 1 << 20,
};

typedef struct table {
    int is_there;
    uint8_t counts[LONGEST_CODE + 1];
    uint8_t symbols[256];
} table;

typedef struct component {
    uint8_t id;
    const table *table;
} component;

typedef struct decoder {
    pp_stream file;
    table tables[TABLES];
    component components[MOST_COMPONENTS];
    unsigned count;
    unsigned precision;
    uint32_t width;
    uint32_t height;
    uint32_t restart_interval;
    unsigned predictor;
    unsigned shift;
    int has_jfif;
    // Adobe's number of the transformation of colours, or -1.
    int transform;
    // Bits that were read and not used.
    uint32_t bits;
    unsigned bit_count;
    // A marker that ended the data, or 0.
    int marker;
} decoder;

// MARK: - Segments

static int read_tables(decoder *self, const uint8_t *bytes, size_t count) {
    while (count >= 17) {
        const unsigned number = bytes[0] & 15;
        size_t symbols = 0;
        if (number >= TABLES) return 0;
        table *table = &self->tables[number];
        memset(table, 0, sizeof *table);
        for (int length = 1; length <= LONGEST_CODE; length++) {
            table->counts[length] = bytes[length];
            symbols += bytes[length];
        }
        if (symbols > 256 || symbols > count - 17) return 0;
        memcpy(table->symbols, bytes + 17, symbols);
        // Tables of the other class are for other kinds of JPEG.
        table->is_there = bytes[0] < 16;
        bytes += 17 + symbols;
        count -= 17 + symbols;
    }
    return count == 0;
}

static int read_frame(decoder *self, const uint8_t *bytes, size_t count) {
    if (count < 6) return 0;
    self->precision = bytes[0];
    self->height = pp_big16(bytes + 1);
    self->width = pp_big16(bytes + 3);
    self->count = bytes[5];
    if (self->precision < 2 || self->precision > 16 || self->count < 1 ||
        self->count > MOST_COMPONENTS || self->count == 2 || count < 6 + self->count * 3u) {
        return 0;
    }
    for (unsigned i = 0; i < self->count; i++) {
        self->components[i].id = bytes[6 + i * 3];
        // Components of different sizes do not occur in lossless pictures.
        if (bytes[7 + i * 3] != bytes[7]) return 0;
    }
    return self->width > 0 && self->height > 0;
}

static int read_scan(decoder *self, const uint8_t *bytes, size_t count) {
    if (count < 1 || bytes[0] != self->count || count < 4 + self->count * 2u) return 0;
    for (unsigned i = 0; i < self->count; i++) {
        const unsigned number = bytes[2 + i * 2] >> 4;
        if (bytes[1 + i * 2] != self->components[i].id || number >= TABLES) return 0;
        self->components[i].table = &self->tables[number];
        if (!self->tables[number].is_there) return 0;
    }
    const uint8_t *end = bytes + 1 + self->count * 2;
    self->predictor = end[0];
    self->shift = end[2] & 15;
    return self->predictor >= 1 && self->predictor <= 7 && self->shift < self->precision;
}

// Reads everything before the pixels.
static pp_status read_header(decoder *self) {
    pp_stream *file = &self->file;
    if (pp_stream_byte(file) != 0xFF || pp_stream_byte(file) != 0xD8) return PP_DAMAGED;
    for (;;) {
        int marker = pp_stream_byte(file);
        while (marker == 0xFF) marker = pp_stream_byte(file);
        if (marker < 0 || marker == 0xD9) return PP_DAMAGED;
        // What is between segments is skipped.
        if (marker < 0xC0 || marker == 0xC8 || (marker >= 0xD0 && marker <= 0xD8)) continue;
        uint8_t head[2], bytes[1024];
        if (pp_stream_read(file, head, 2) != 2 || pp_big16(head) < 2) return PP_DAMAGED;
        const size_t size = pp_big16(head) - 2u;
        const uint64_t next = pp_stream_tell(file) + size;
        const size_t count = pp_stream_read(file, bytes, size < sizeof bytes ? size : sizeof bytes);
        switch (marker) {
        case 0xC3:
            if (!read_frame(self, bytes, count)) return PP_UNSUPPORTED;
            break;
        case 0xC4:
            if (!read_tables(self, bytes, count)) return PP_DAMAGED;
            break;
        case 0xDA:
            if (self->width == 0) return PP_UNSUPPORTED;
            return read_scan(self, bytes, count) ? PP_OK : PP_UNSUPPORTED;
        case 0xDD:
            if (count >= 2) self->restart_interval = pp_big16(bytes);
            break;
        case 0xE0:
            self->has_jfif = count >= 5 && memcmp(bytes, "JFIF", 5) == 0;
            break;
        case 0xEE:
            if (count >= 12 && memcmp(bytes, "Adobe", 5) == 0) self->transform = bytes[11];
            break;
        default:
            // Another kind of frame.
            if (marker <= 0xCF && marker != 0xCC) return PP_UNSUPPORTED;
        }
        pp_stream_seek(file, next);
    }
}

// MARK: - Codes

// The next bit; zeros after the end of the data.
static unsigned read_bit(decoder *self) {
    if (self->bit_count == 0) {
        int byte = self->marker ? -1 : pp_stream_byte(&self->file);
        if (byte == 0xFF) {
            int next = pp_stream_byte(&self->file);
            while (next == 0xFF) next = pp_stream_byte(&self->file);
            if (next != 0) {
                self->marker = next < 0 ? 0xD9 : next;
                byte = -1;
            }
        } else if (byte < 0 && !self->marker) {
            self->marker = 0xD9;
        }
        self->bits = byte < 0 ? 0 : (uint32_t)byte;
        self->bit_count = 8;
    }
    return self->bits >> --self->bit_count & 1;
}

// The next difference, or NO_VALUE if the data end or make no sense.
static int32_t read_difference(decoder *self, const table *table) {
    int code = 0, first = 0, index = 0;
    for (int length = 1; length <= LONGEST_CODE; length++) {
        code = code << 1 | (int)read_bit(self);
        const int count = table->counts[length];
        if (code - first < count) {
            const int category = table->symbols[(index + code - first) & 255];
            if (category >= CATEGORIES) return NO_VALUE;
            if (category == 0) return 0;
            if (category == 16) return 32768;
            int32_t value = 0;
            for (int i = 0; i < category; i++) value = value << 1 | (int32_t)read_bit(self);
            return value < 1 << (category - 1) ? value - (1 << category) + 1 : value;
        }
        index += count;
        first = (first + count) << 1;
    }
    return NO_VALUE;
}

// Continues after a marker that allows to. Returns whether there was one.
static int restart(decoder *self) {
    while (!self->marker) {
        self->bit_count = 0;
        read_bit(self);
    }
    const int is_restart = self->marker >= 0xD0 && self->marker <= 0xD7;
    if (is_restart) self->marker = 0;
    self->bit_count = 0;
    return is_restart;
}

// MARK: - Pixels

static int32_t predicted(unsigned predictor, int32_t left, int32_t above, int32_t corner) {
    switch (predictor) {
    case 1:
        return left;
    case 2:
        return above;
    case 3:
        return corner;
    case 4:
        return left + above - corner;
    case 5:
        return left + ((above - corner) >> 1);
    case 6:
        return above + ((left - corner) >> 1);
    default:
        return (left + above) >> 1;
    }
}

static uint8_t clamped(double value) {
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5);
}

static void put_row(const decoder *self, const uint16_t *samples, uint8_t *row) {
    const uint32_t most = (1u << self->precision) - 1;
    const int is_ycc = self->count == 3 &&
                       (self->transform >= 0 ? self->transform == 1 : self->has_jfif);
    for (uint32_t x = 0; x < self->width; x++, row += 3, samples += self->count) {
        uint32_t values[MOST_COMPONENTS];
        for (unsigned i = 0; i < self->count; i++) {
            const uint32_t value = (uint32_t)samples[i] << self->shift;
            values[i] = value > most ? 255 : (value * 255 + most / 2) / most;
        }
        if (self->count == 1) {
            memset(row, (int)values[0], 3);
        } else if (self->count == 4) {
            // Adobe's programs store inks inverted.
            for (int i = 0; i < 3; i++) {
                const uint32_t light = self->transform >= 0 ? values[i] : 255 - values[i];
                const uint32_t black = self->transform >= 0 ? values[3] : 255 - values[3];
                row[i] = (uint8_t)((light * black + 127) / 255);
            }
        } else if (is_ycc) {
            const double blue = (double)values[1] - 128, red = (double)values[2] - 128;
            row[0] = clamped(values[0] + 1.402 * red);
            row[1] = clamped(values[0] - 0.344136 * blue - 0.714136 * red);
            row[2] = clamped(values[0] + 1.772 * blue);
        } else {
            for (int i = 0; i < 3; i++) row[i] = (uint8_t)values[i];
        }
    }
}

// Decodes a row after another. After a restart, prediction begins as in the first row.
static int decode_row(decoder *self, const uint16_t *above, uint16_t *row, uint32_t *left_to_go,
                      int *is_first) {
    for (uint32_t x = 0; x < self->width; x++) {
        if (self->restart_interval && *left_to_go == 0) {
            if (!restart(self)) return 0;
            *left_to_go = self->restart_interval;
            *is_first = 1;
        }
        if (self->restart_interval) (*left_to_go)--;
        for (unsigned i = 0; i < self->count; i++) {
            const size_t place = (size_t)x * self->count + i;
            const int32_t difference = read_difference(self, self->components[i].table);
            // A marker was found where bits should be.
            if (difference == NO_VALUE || self->marker) return 0;
            int32_t value;
            if (*is_first) {
                value = x == 0 ? 1 << (self->precision - self->shift - 1)
                               : row[place - self->count];
            } else if (x == 0) {
                value = above[i];
            } else {
                value = predicted(self->predictor, row[place - self->count], above[place],
                                  above[place - self->count]);
            }
            row[place] = (uint16_t)(value + difference);
        }
    }
    *is_first = 0;
    return 1;
}

static pp_status decode(decoder *self, pp_picture *picture) {
    pp_status status = pp_picture_allocate(picture, self->width, self->height, 3);
    if (status) return status;
    const size_t size = (size_t)self->width * self->count;
    uint16_t *rows = calloc(size * 2, sizeof *rows);
    if (!rows) return PP_TOO_LARGE;
    uint32_t y = 0, left_to_go = self->restart_interval;
    int is_first = 1;
    for (; y < self->height; y++) {
        uint16_t *row = rows + (y % 2) * size;
        if (!decode_row(self, rows + ((y + 1) % 2) * size, row, &left_to_go, &is_first)) break;
        put_row(self, row, picture->pixels + y * picture->stride);
    }
    free(rows);
    return y > 0 ? PP_OK : PP_DAMAGED;
}

pp_status pp_jpeg_decode_lossless(int fd, pp_picture *picture) {
    decoder *self = calloc(1, sizeof *self);
    if (!self) return PP_TOO_LARGE;
    self->transform = -1;
    pp_stream_open(&self->file, fd);
    pp_status status = read_header(self);
    if (!status) status = decode(self, picture);
    free(self);
    return status;
}
