// SPDX-License-Identifier: MIT
// The formats of Netpbm: PBM, PGM, PPM, PAM and PFM.
// Source: the manual pages pbm(5), pgm(5), ppm(5) and pam(5) of Netpbm; Paul Debevec, “PFM
// Portable FloatMap Image Format”.

#include "light.h"
#include "stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_HEADER_LINES = 1000,
    LINE_SIZE = 256,
};

typedef enum kind { BITS, SAMPLES, FLOATS } kind;

typedef struct header {
    kind kind;
    int is_text;
    uint32_t width;
    uint32_t height;
    // 1 or 3, and one more with alpha.
    unsigned channels;
    // The value of white.
    uint32_t maximum;
    int is_little_endian;
} header;

// MARK: - Header

static int is_space(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

// The first byte that is neither white space nor part of a comment; -1 at the end.
static int next_visible(pp_stream *file) {
    int byte = pp_stream_byte(file);
    while (is_space(byte) || byte == '#') {
        if (byte == '#') {
            while (byte >= 0 && byte != '\n' && byte != '\r') byte = pp_stream_byte(file);
        } else {
            byte = pp_stream_byte(file);
        }
    }
    return byte;
}

// Reads a number, and the single byte after it.
static int read_number(pp_stream *file, uint32_t *number) {
    int byte = next_visible(file);
    if (byte < '0' || byte > '9') return 0;
    uint64_t value = 0;
    for (; byte >= '0' && byte <= '9'; byte = pp_stream_byte(file)) {
        value = value * 10 + (uint64_t)(byte - '0');
        if (value > INT32_MAX) return 0;
    }
    while (byte == '#' || (byte >= 0 && !is_space(byte))) {
        // A comment may follow without a space.
        if (byte != '#') return 0;
        while (byte >= 0 && byte != '\n') byte = pp_stream_byte(file);
    }
    *number = (uint32_t)value;
    return 1;
}

static int read_scale(pp_stream *file, header *header) {
    char line[LINE_SIZE];
    if (!pp_stream_line(file, line, sizeof line)) return 0;
    header->is_little_endian = strtod(line, NULL) < 0;
    return 1;
}

static int number_after(const char *line, const char *name, uint32_t *number) {
    size_t count = strlen(name);
    if (strncmp(line, name, count) != 0 || !is_space(line[count])) return 0;
    long value = strtol(line + count, NULL, 10);
    *number = value > 0 && value <= INT32_MAX ? (uint32_t)value : 0;
    return 1;
}

// The header of a PAM file: lines with a name and a value each.
static int read_pam(pp_stream *file, header *header) {
    char line[LINE_SIZE];
    uint32_t channels = 0;
    pp_stream_line(file, line, sizeof line);
    for (int count = 0; count < MOST_HEADER_LINES; count++) {
        if (!pp_stream_line(file, line, sizeof line)) return 0;
        if (strncmp(line, "ENDHDR", 6) == 0) {
            header->channels = channels;
            return channels >= 1 && channels <= 4;
        }
        // Colours that are not red, green and blue have names of their own.
        if (strncmp(line, "TUPLTYPE", 8) == 0 && strstr(line, "CMYK")) return 0;
        if (number_after(line, "WIDTH", &header->width)) continue;
        if (number_after(line, "HEIGHT", &header->height)) continue;
        if (number_after(line, "DEPTH", &channels)) continue;
        number_after(line, "MAXVAL", &header->maximum);
    }
    return 0;
}

static int read_header(pp_stream *file, header *header) {
    memset(header, 0, sizeof *header);
    if (pp_stream_byte(file) != 'P') return 0;
    int letter = pp_stream_byte(file);
    header->maximum = 1;
    header->channels = letter == '3' || letter == '6' || letter == 'F' ? 3 : 1;
    header->is_text = letter >= '1' && letter <= '3';
    switch (letter) {
    case '7':
        header->kind = SAMPLES;
        if (!read_pam(file, header)) return 0;
        break;
    case 'F':
    case 'f':
        header->kind = FLOATS;
        if (!read_number(file, &header->width) || !read_number(file, &header->height) ||
            !read_scale(file, header)) {
            return 0;
        }
        break;
    default:
        header->kind = letter == '1' || letter == '4' ? BITS : SAMPLES;
        if (letter < '1' || letter > '6' || !read_number(file, &header->width) ||
            !read_number(file, &header->height) ||
            (header->kind == SAMPLES && !read_number(file, &header->maximum))) {
            return 0;
        }
    }
    return header->width > 0 && header->height > 0 && header->maximum >= 1 &&
           header->maximum <= 65535;
}

pp_status pp_pnm_read_facts(int fd, pp_facts *facts) {
    pp_stream file;
    header header;
    pp_stream_open(&file, fd);
    if (!read_header(&file, &header)) return PP_DAMAGED;
    facts->width = header.width;
    facts->height = header.height;
    return PP_OK;
}

// MARK: - Pixels

static uint8_t scaled(uint32_t value, uint32_t maximum) {
    if (value > maximum) value = maximum;
    return (uint8_t)((value * 255 + maximum / 2) / maximum);
}

// Converts a row of samples to RGB or RGBA.
static void put_row(const header *header, const uint8_t *samples, uint8_t *row) {
    const unsigned bytes = header->maximum > 255 ? 2 : 1;
    const int is_grey = header->channels < 3;
    for (uint32_t x = 0; x < header->width; x++) {
        uint8_t values[4];
        for (unsigned channel = 0; channel < header->channels; channel++, samples += bytes) {
            values[channel] =
                scaled(bytes == 2 ? pp_big16(samples) : samples[0], header->maximum);
        }
        *row++ = values[0];
        *row++ = values[is_grey ? 0 : 1];
        *row++ = values[is_grey ? 0 : 2];
        if (header->channels % 2 == 0) *row++ = values[header->channels - 1];
    }
}

static int read_binary_row(pp_stream *file, const header *header, uint8_t *buffer, size_t size,
                           uint8_t *row) {
    if (pp_stream_read(file, buffer, size) != size) return 0;
    if (header->kind == SAMPLES) {
        put_row(header, buffer, row);
        return 1;
    }
    for (uint32_t x = 0; x < header->width; x++, row += 3) {
        int is_black = buffer[x / 8] >> (7 - x % 8) & 1;
        memset(row, is_black ? 0 : 255, 3);
    }
    return 1;
}

static int read_text_row(pp_stream *file, const header *header, uint8_t *row) {
    for (uint32_t x = 0; x < header->width; x++, row += 3) {
        if (header->kind == BITS) {
            // Digits need no space between them.
            int byte = next_visible(file);
            if (byte != '0' && byte != '1') return 0;
            memset(row, byte == '1' ? 0 : 255, 3);
            continue;
        }
        for (unsigned channel = 0; channel < header->channels; channel++) {
            uint32_t value;
            if (!read_number(file, &value)) return 0;
            row[channel] = scaled(value, header->maximum);
        }
        if (header->channels == 1) row[1] = row[2] = row[0];
    }
    return 1;
}

static pp_status decode_samples(pp_stream *file, const header *header, pp_picture *picture) {
    pp_status status = pp_picture_allocate(picture, header->width, header->height,
                                           header->channels % 2 == 0 ? 4 : 3);
    if (status) return status;
    const size_t size = header->kind == BITS ? ((size_t)header->width + 7) / 8
                                             : (size_t)header->width * header->channels *
                                                   (header->maximum > 255 ? 2 : 1);
    uint8_t *buffer = malloc(size);
    if (!buffer) return PP_TOO_LARGE;
    uint32_t y = 0;
    for (; y < header->height; y++) {
        uint8_t *row = picture->pixels + y * picture->stride;
        if (header->is_text ? !read_text_row(file, header, row)
                            : !read_binary_row(file, header, buffer, size, row)) {
            break;
        }
    }
    free(buffer);
    return y > 0 ? PP_OK : PP_DAMAGED;
}

static float float_at(const uint8_t *bytes, int is_little_endian) {
    uint32_t word = is_little_endian ? pp_little16(bytes) | pp_little16(bytes + 2) << 16
                                     : pp_big32(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

// Rows are stored from bottom to top.
static pp_status decode_floats(pp_stream *file, const header *header, pp_picture *picture) {
    pp_light light = {0};
    pp_status status = pp_light_allocate(&light, header->width, header->height);
    if (status) return status;
    const size_t size = (size_t)header->width * header->channels * 4;
    uint8_t *buffer = malloc(size);
    uint32_t count = 0;
    while (buffer && count < header->height && pp_stream_read(file, buffer, size) == size) {
        const uint8_t *sample = buffer;
        uint32_t y = header->height - ++count;
        for (uint32_t x = 0; x < header->width; x++) {
            float colour[4] = {0, 0, 0, 1};
            for (unsigned channel = 0; channel < header->channels; channel++, sample += 4) {
                colour[channel] = float_at(sample, header->is_little_endian);
            }
            if (header->channels == 1) colour[1] = colour[2] = colour[0];
            pp_light_put(&light, x, y, colour);
        }
    }
    if (!buffer) {
        status = PP_TOO_LARGE;
    } else if (count == 0) {
        status = PP_DAMAGED;
    } else {
        pp_light_show(&light, picture);
    }
    free(buffer);
    pp_light_free(&light);
    return status;
}

pp_status pp_pnm_decode(int fd, pp_picture *picture) {
    pp_stream file;
    header header;
    pp_stream_open(&file, fd);
    if (!read_header(&file, &header)) return PP_DAMAGED;
    return header.kind == FLOATS ? decode_floats(&file, &header, picture)
                                 : decode_samples(&file, &header, picture);
}
