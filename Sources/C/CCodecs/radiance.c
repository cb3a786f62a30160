// SPDX-License-Identifier: MIT
// Radiance pictures. Source: Greg Ward, “Real Pixels”, Graphics Gems II, and Radiance's file
// formats, “Picture File Format (.hdr)”.

#include "light.h"
#include "stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINES = 1000,
    LINE_SIZE = 512,
    // Rows of other lengths are not compressed in the newer way.
    SHORTEST_RUN_ROW = 8,
    LONGEST_RUN_ROW = 32767,
};

typedef struct header {
    int is_xyz;
    // Of the stored rows.
    uint32_t width;
    uint32_t height;
    unsigned orientation;
} header;

// MARK: - Header

// The EXIF orientation for the directions of rows and columns: the first letter and sign say how
// one row follows another, the second ones how pixels follow each other. Y points up.
static unsigned orientation_of(char first, int is_first_negative, int is_second_negative) {
    if (first == 'Y') {
        if (is_first_negative) return is_second_negative ? 2 : 1;
        return is_second_negative ? 3 : 4;
    }
    if (is_first_negative) return is_second_negative ? 6 : 7;
    return is_second_negative ? 5 : 8;
}

// Reads, for example, “-Y 480 +X 640”.
static int read_side(const char **text, char *letter, int *is_negative, uint32_t *size) {
    while (**text == ' ') (*text)++;
    if (**text != '+' && **text != '-') return 0;
    *is_negative = *(*text)++ == '-';
    *letter = *(*text)++;
    if (*letter != 'X' && *letter != 'Y') return 0;
    char *end;
    long value = strtol(*text, &end, 10);
    if (end == *text || value <= 0 || value > INT32_MAX) return 0;
    *text = end;
    *size = (uint32_t)value;
    return 1;
}

static int read_header(pp_stream *file, header *header) {
    char line[LINE_SIZE], first, second;
    int is_first_negative, is_second_negative;
    memset(header, 0, sizeof *header);
    if (!pp_stream_line(file, line, sizeof line) || strncmp(line, "#?", 2) != 0) return 0;
    // The header ends with an empty line.
    for (int count = 0; line[0] != 0 && strcmp(line, "\r") != 0; count++) {
        if (!pp_stream_line(file, line, sizeof line) || count == MOST_LINES) return 0;
        if (strncmp(line, "FORMAT=", 7) == 0) header->is_xyz = strstr(line, "xyze") != NULL;
    }
    if (!pp_stream_line(file, line, sizeof line)) return 0;
    const char *text = line;
    if (!read_side(&text, &first, &is_first_negative, &header->height) ||
        !read_side(&text, &second, &is_second_negative, &header->width) || first == second) {
        return 0;
    }
    header->orientation = orientation_of(first, is_first_negative, is_second_negative);
    return 1;
}

pp_status pp_radiance_read_facts(int fd, pp_facts *facts) {
    pp_stream file;
    header header;
    pp_stream_open(&file, fd);
    if (!read_header(&file, &header)) return PP_DAMAGED;
    facts->width = header.width;
    facts->height = header.height;
    facts->orientation = header.orientation;
    return PP_OK;
}

// MARK: - Pixels

// A row whose four channels follow one another, each with runs.
static int read_channels(pp_stream *file, uint8_t *row, uint32_t width) {
    for (int channel = 0; channel < 4; channel++) {
        for (uint32_t x = 0; x < width;) {
            int count = pp_stream_byte(file), value = 0;
            if (count < 0) return 0;
            const int is_run = count > 128;
            if (is_run) {
                count -= 128;
                if ((value = pp_stream_byte(file)) < 0) return 0;
            }
            if (count == 0 || (uint32_t)count > width - x) return 0;
            for (; count > 0; count--, x++) {
                if (!is_run && (value = pp_stream_byte(file)) < 0) return 0;
                row[(size_t)x * 4 + (unsigned)channel] = (uint8_t)value;
            }
        }
    }
    return 1;
}

// A row of pixels; 1, 1, 1 repeats the pixel before it, and several of them form a longer number.
static int read_pixels(pp_stream *file, uint8_t *row, uint32_t width, const uint8_t first[4]) {
    unsigned shift = 0;
    for (uint32_t x = 0; x < width;) {
        uint8_t *pixel = row + (size_t)x * 4;
        if (x == 0 && first) {
            memcpy(pixel, first, 4);
            first = NULL;
        } else if (pp_stream_read(file, pixel, 4) != 4) {
            return 0;
        }
        if (pixel[0] != 1 || pixel[1] != 1 || pixel[2] != 1 || x == 0) {
            shift = 0;
            x++;
            continue;
        }
        uint64_t count = shift < 32 ? (uint64_t)pixel[3] << shift : UINT32_MAX;
        for (; count > 0 && x < width; count--, x++) memcpy(row + (size_t)x * 4, pixel - 4, 4);
        shift += 8;
        if (shift > 64) return 0;
    }
    return 1;
}

static int read_row(pp_stream *file, uint8_t *row, uint32_t width) {
    uint8_t first[4];
    if (width < SHORTEST_RUN_ROW || width > LONGEST_RUN_ROW) {
        return read_pixels(file, row, width, NULL);
    }
    if (pp_stream_read(file, first, 4) != 4) return 0;
    if (first[0] == 2 && first[1] == 2 && (first[2] & 0x80) == 0) {
        return pp_big16(first + 2) == width && read_channels(file, row, width);
    }
    return read_pixels(file, row, width, first);
}

// XYZ whose white is 1, 1, 1.
static void convert_xyz(float colour[4]) {
    static const float matrix[3][3] = {
        {2.6896f, -1.2759f, -0.4138f}, {-1.0221f, 1.9783f, 0.0438f}, {0.0612f, -0.2245f, 1.1633f}};
    const float x = colour[0], y = colour[1], z = colour[2];
    for (int channel = 0; channel < 3; channel++) {
        colour[channel] =
            matrix[channel][0] * x + matrix[channel][1] * y + matrix[channel][2] * z;
    }
}

static void put_row(pp_light *light, const header *header, uint32_t y, const uint8_t *row) {
    for (uint32_t x = 0; x < header->width; x++, row += 4) {
        float colour[4] = {0, 0, 0, 1};
        if (row[3] > 0) {
            const float scale = ldexpf(1, row[3] - (128 + 8));
            for (int channel = 0; channel < 3; channel++) {
                colour[channel] = ((float)row[channel] + 0.5f) * scale;
            }
            if (header->is_xyz) convert_xyz(colour);
        }
        pp_light_put(light, x, y, colour);
    }
}

pp_status pp_radiance_decode(int fd, pp_picture *picture) {
    pp_stream file;
    header header;
    pp_light light = {0};
    pp_stream_open(&file, fd);
    if (!read_header(&file, &header)) return PP_DAMAGED;
    pp_status status = pp_light_allocate(&light, header.width, header.height);
    if (status) return status;
    uint8_t *row = calloc(header.width, 4);
    uint32_t y = 0;
    for (; row && y < header.height && read_row(&file, row, header.width); y++) {
        put_row(&light, &header, y, row);
    }
    if (!row) {
        status = PP_TOO_LARGE;
    } else if (y == 0) {
        status = PP_DAMAGED;
    } else {
        pp_light_show(&light, picture);
    }
    free(row);
    pp_light_free(&light);
    return status;
}
