// SPDX-License-Identifier: MIT
// The first frame of a GIF, decoded as leniently as in browsers. giflib refuses files without colours,
// with unusual code sizes, and with errors that concern only later frames.
// Source: CompuServe, “Graphics Interchange Format”, version 89a.

#include "stream.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_CODES = 4096,
    MOST_BITS = 12,
    SCREEN_SIZE = 13,
    FRAME_SIZE = 9,
    NO_CODE = -1,
};

typedef struct colours {
    unsigned count;
    uint8_t values[256][3];
} colours;

typedef struct frame {
    uint32_t left;
    uint32_t top;
    uint32_t width;
    uint32_t height;
    int is_interlaced;
    // The index of the transparent colour, or -1.
    int transparent;
    colours colours;
} frame;

// MARK: - Blocks

static int read_colours(pp_stream *file, unsigned flags, colours *colours) {
    colours->count = 2u << (flags & 7);
    const size_t size = (size_t)colours->count * 3;
    return pp_stream_read(file, colours->values, size) == size;
}

// Colours are optional; a viewer then uses its own, the first two of which should be black and white.
static void use_grey(colours *colours) {
    colours->count = 256;
    for (int i = 0; i < 256; i++) memset(colours->values[i], i, 3);
    memset(colours->values[1], 255, 3);
}

// Reads an extension: blocks, each with its size before it, until one is empty.
static int read_extension(pp_stream *file, frame *frame) {
    const int label = pp_stream_byte(file);
    for (;;) {
        uint8_t block[255];
        const int size = pp_stream_byte(file);
        if (size <= 0) return size == 0;
        if (pp_stream_read(file, block, (size_t)size) != (size_t)size) return 0;
        if (label == 0xF9 && size >= 4) frame->transparent = block[0] & 1 ? block[3] : -1;
    }
}

// Finds the first frame, and reads what comes before its pixels.
static int read_frame(pp_stream *file, frame *frame, uint32_t *width, uint32_t *height) {
    uint8_t screen[SCREEN_SIZE], description[FRAME_SIZE];
    if (pp_stream_read(file, screen, sizeof screen) != sizeof screen ||
        memcmp(screen, "GIF8", 4) != 0) {
        return 0;
    }
    *width = pp_little16(screen + 6);
    *height = pp_little16(screen + 8);
    frame->transparent = -1;
    use_grey(&frame->colours);
    if (screen[10] & 0x80 && !read_colours(file, screen[10], &frame->colours)) return 0;
    for (;;) {
        const int kind = pp_stream_byte(file);
        if (kind == ',') break;
        // Some writers leave empty blocks.
        if (kind != 0 && (kind != '!' || !read_extension(file, frame))) return 0;
    }
    if (pp_stream_read(file, description, sizeof description) != sizeof description) return 0;
    frame->left = pp_little16(description);
    frame->top = pp_little16(description + 2);
    frame->width = pp_little16(description + 4);
    frame->height = pp_little16(description + 6);
    frame->is_interlaced = description[8] & 0x40;
    // A canvas that is missing grows to the frame, and a frame without a size fills the canvas, as in
    // browsers.
    if (*width == 0) *width = frame->left + frame->width;
    if (*height == 0) *height = frame->top + frame->height;
    if (frame->width == 0) frame->width = *width;
    if (frame->height == 0) frame->height = *height;
    return !(description[8] & 0x80) || read_colours(file, description[8], &frame->colours);
}

// MARK: - Codes

// The bits of the blocks that follow one another.
typedef struct bits {
    pp_stream *file;
    int left_in_block;
    uint32_t value;
    unsigned count;
} bits;

// The next code, or -1 at the end.
static int read_code(bits *bits, unsigned width) {
    while (bits->count < width) {
        if (bits->left_in_block == 0) {
            bits->left_in_block = pp_stream_byte(bits->file);
            if (bits->left_in_block <= 0) {
                bits->left_in_block = 0;
                return NO_CODE;
            }
        }
        const int byte = pp_stream_byte(bits->file);
        if (byte < 0) return NO_CODE;
        bits->left_in_block--;
        bits->value |= (uint32_t)byte << bits->count;
        bits->count += 8;
    }
    const int code = (int)(bits->value & ((1u << width) - 1));
    bits->value >>= width;
    bits->count -= width;
    return code;
}

// MARK: - Pixels

// Where the next pixel of a frame goes.
typedef struct pen {
    const frame *frame;
    pp_picture *picture;
    uint32_t x;
    uint32_t y;
    int pass;
    size_t count;
} pen;

static void next_row(pen *pen) {
    static const uint32_t starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    pen->x = 0;
    if (!pen->frame->is_interlaced) {
        pen->y++;
        return;
    }
    pen->y += steps[pen->pass];
    while (pen->y >= pen->frame->height && pen->pass < 3) pen->y = starts[++pen->pass];
}

// Returns whether there is room for more.
static int draw(pen *pen, unsigned index) {
    const frame *frame = pen->frame;
    if (pen->y >= frame->height) return 0;
    const uint64_t x = (uint64_t)frame->left + pen->x, y = (uint64_t)frame->top + pen->y;
    if (x < pen->picture->width && y < pen->picture->height &&
        index < frame->colours.count && (int)index != frame->transparent) {
        uint8_t *pixel = pen->picture->pixels + y * pen->picture->stride + x * 4;
        memcpy(pixel, frame->colours.values[index], 3);
        pixel[3] = 255;
    }
    pen->count++;
    if (++pen->x == frame->width) next_row(pen);
    return pen->y < frame->height;
}

// The table of codes: each stands for those of another code, and one more index.
typedef struct table {
    uint16_t before[MOST_CODES];
    uint16_t last[MOST_CODES];
    uint16_t stack[MOST_CODES];
} table;

// Draws the indices that a code stands for. Returns the first of them, or -1 if there is no room.
static int draw_code(pen *pen, table *table, int code, int clear) {
    int depth = 0;
    while (code >= clear && depth < MOST_CODES - 1) {
        table->stack[depth++] = table->last[code];
        code = table->before[code];
    }
    int has_room = draw(pen, (unsigned)code);
    while (has_room && depth > 0) has_room = draw(pen, table->stack[--depth]);
    return has_room ? code : NO_CODE;
}

// The first index that a code stands for.
static int first_of(const table *table, int code, int clear) {
    for (int depth = 0; code >= clear && depth < MOST_CODES; depth++) code = table->before[code];
    return code;
}

// Decodes until the frame is full, or its data end or stop making sense. Returns whether they ended
// where they should.
static int decode_pixels(pp_stream *file, pen *pen, table *table) {
    const int size = pp_stream_byte(file);
    if (size < 1 || size >= MOST_BITS) return 0;
    const int clear = 1 << size, end = clear + 1;
    bits bits = {.file = file};
    unsigned width = (unsigned)size + 1;
    int next = end + 1, previous = NO_CODE;
    for (;;) {
        const int code = read_code(&bits, width);
        if (code == NO_CODE) return 0;
        if (code == end) return 1;
        if (code == clear) {
            width = (unsigned)size + 1;
            next = end + 1;
            previous = NO_CODE;
            continue;
        }
        if (code > next || (code == next && previous == NO_CODE) || (code >= MOST_CODES)) return 0;
        if (previous == NO_CODE && code > end) return 0;
        // A full table stays as it is.
        if (previous != NO_CODE && next < MOST_CODES) {
            table->before[next] = (uint16_t)previous;
            table->last[next] =
                (uint16_t)first_of(table, code == next ? previous : code, clear);
            next++;
            if (next == 1 << width && width < MOST_BITS) width++;
        } else if (code >= next) {
            return 0;
        }
        if (draw_code(pen, table, code, clear) == NO_CODE) return 1;
        previous = code;
    }
}

pp_status pp_gif_decode(int fd, pp_picture *picture) {
    pp_stream file;
    frame frame;
    uint32_t width, height;
    memset(&frame, 0, sizeof frame);
    pp_stream_open(&file, fd);
    if (!read_frame(&file, &frame, &width, &height)) return PP_DAMAGED;
    pp_status status = pp_picture_allocate(picture, width, height, 4);
    if (status) return status;
    table *table = calloc(1, sizeof *table);
    if (!table) return PP_TOO_LARGE;
    pen pen = {.frame = &frame, .picture = picture};
    // Rows that are missing from a truncated file stay transparent.
    const int is_complete = decode_pixels(&file, &pen, table);
    free(table);
    return is_complete || pen.count > 0 ? PP_OK : PP_DAMAGED;
}
