// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "stream.h"

// Loops over pixels are compiled twice: once for processors with AVX2.
#if defined(__x86_64__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

// Beyond that, an average of four pixels is no picture of what is between them.
enum { MOST_REDUCTION = 4 };

// The factors of a conversion to RGB, in units of 1/8192.
typedef struct matrix {
    int black;  // the value of black
    int luma;
    int red_of_v, green_of_u, green_of_v, blue_of_u;
} matrix;

enum { MATRIX_BITS = 13, MATRIX_HALF = 1 << (MATRIX_BITS - 1) };

// Source: ITU-R BT.601-7 and BT.709-6, for values of 16…235 and 16…240, and for 0…255 as in JPEG.
static const matrix matrices[2][2] = {
    {{16, 9539, 13075, -3209, -6660, 16525}, {0, 8192, 11485, -2819, -5850, 14516}},
    {{16, 9539, 14686, -1747, -4366, 17304}, {0, 8192, 12901, -1535, -3835, 15201}},
};

static const matrix *matrix_of(const GstVideoInfo *info) {
    int row;
    switch (info->colorimetry.matrix) {
        case GST_VIDEO_COLOR_MATRIX_BT601: row = 0; break;
        case GST_VIDEO_COLOR_MATRIX_BT709: row = 1; break;
        default: return NULL;
    }
    switch (info->colorimetry.range) {
        case GST_VIDEO_COLOR_RANGE_16_235: return &matrices[row][0];
        case GST_VIDEO_COLOR_RANGE_0_255: return &matrices[row][1];
        default: return NULL;
    }
}

int pp_camera_can_reduce(const GstVideoInfo *info, pp_camera_part part, uint32_t width,
                         uint32_t height) {
    const GstVideoFormatInfo *format = info->finfo;
    if (!GST_VIDEO_FORMAT_INFO_IS_YUV(format) || format->n_components != 3) return 0;
    for (guint i = 0; i < 3; i++) {
        if (format->depth[i] != 8) return 0;
    }
    return matrix_of(info) && part.width >= width && part.height >= height &&
           part.width <= width * MOST_REDUCTION && part.height <= height * MOST_REDUCTION;
}

// Where the pixels of a row come from, and room for one row of each kind.
typedef struct rows {
    uint32_t *luma_columns;    // of the first of two pixels, in the row that was averaged
    uint32_t *chroma_columns;  // in bytes
    uint8_t *average;          // of two rows, one byte for each pixel of the part, and one more
    uint8_t *luma, *u, *v;
    uint8_t *red, *green, *blue;
} rows;

static int make_rows(rows *rows, uint32_t part_width, uint32_t width, void **memory) {
    const size_t columns = (size_t)width * sizeof(uint32_t);
    uint8_t *start = malloc(2 * columns + 6 * (size_t)width + part_width + 1);
    *memory = start;
    if (!start) return 0;
    rows->luma_columns = (uint32_t *)start;
    rows->chroma_columns = (uint32_t *)(start + columns);
    start += 2 * columns;
    uint8_t **const parts[] = {&rows->luma, &rows->u,     &rows->v,
                               &rows->red,  &rows->green, &rows->blue};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++, start += width) *parts[i] = start;
    rows->average = start;
    return 1;
}

// The first of two neighbours whose average is a pixel of the smaller picture.
static uint32_t neighbour(uint32_t place, uint32_t whole, uint32_t reduced) {
    if (whole == reduced) return place;
    const uint64_t twice = (uint64_t)(2 * place + 1) * whole / reduced;
    return MIN(twice < 1 ? 0 : (uint32_t)((twice - 1) / 2), whole - 1);
}

FOR_EACH_PROCESSOR
static void average_rows(const uint8_t *restrict one, const uint8_t *restrict other, size_t step,
                         size_t count, uint8_t *restrict result) {
    if (step == 1) {
        for (size_t i = 0; i < count; i++) result[i] = (uint8_t)((one[i] + other[i] + 1) >> 1);
    } else {
        for (size_t i = 0; i < count; i++) {
            result[i] = (uint8_t)((one[i * step] + other[i * step] + 1) >> 1);
        }
    }
}

static void pick(const rows *rows, const uint8_t *u, const uint8_t *v, size_t width,
                 int is_reduced) {
    const uint8_t *average = rows->average;
    for (size_t x = 0; x < width; x++) {
        const uint32_t column = rows->luma_columns[x];
        rows->luma[x] = is_reduced ? (uint8_t)((average[column] + average[column + 1] + 1) >> 1)
                                   : average[column];
    }
    for (size_t x = 0; x < width; x++) {
        const uint32_t column = rows->chroma_columns[x];
        rows->u[x] = u[column];
        rows->v[x] = v[column];
    }
}

static inline uint8_t limited(int value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

FOR_EACH_PROCESSOR
static void colour(const matrix *factors, const uint8_t *restrict luma, const uint8_t *restrict u,
                   const uint8_t *restrict v, size_t width, uint8_t *restrict red,
                   uint8_t *restrict green, uint8_t *restrict blue) {
    const matrix m = *factors;
    for (size_t x = 0; x < width; x++) {
        const int light = (luma[x] - m.black) * m.luma + MATRIX_HALF;
        const int first = u[x] - 128, second = v[x] - 128;
        red[x] = limited((light + second * m.red_of_v) >> MATRIX_BITS);
        green[x] = limited((light + first * m.green_of_u + second * m.green_of_v) >> MATRIX_BITS);
        blue[x] = limited((light + first * m.blue_of_u) >> MATRIX_BITS);
    }
}

FOR_EACH_PROCESSOR
static void interleave(const uint8_t *restrict red, const uint8_t *restrict green,
                       const uint8_t *restrict blue, size_t width, uint8_t *restrict pixels) {
    for (size_t x = 0; x < width; x++) {
        pixels[3 * x] = red[x];
        pixels[3 * x + 1] = green[x];
        pixels[3 * x + 2] = blue[x];
    }
}

static const uint8_t *component_row(const GstVideoFrame *frame, guint component, uint32_t row) {
    const uint8_t *start = GST_VIDEO_FRAME_COMP_DATA(frame, component);
    return start + (size_t)(row >> frame->info.finfo->h_sub[component]) *
                       (size_t)GST_VIDEO_FRAME_COMP_STRIDE(frame, component);
}

int pp_camera_reduce(const GstVideoFrame *frame, pp_camera_part part, uint32_t width,
                     uint32_t height, int mirrors, int flips, uint8_t *pixels) {
    const matrix *factors = matrix_of(&frame->info);
    void *memory;
    rows rows;
    if (!factors || !make_rows(&rows, part.width, width, &memory)) return 0;
    const size_t luma_step = (size_t)GST_VIDEO_FRAME_COMP_PSTRIDE(frame, 0);
    const size_t chroma_step = (size_t)GST_VIDEO_FRAME_COMP_PSTRIDE(frame, 1);
    const int is_reduced = part.width != width;
    for (uint32_t x = 0; x < width; x++) {
        const uint32_t place = mirrors ? width - 1 - x : x;
        const uint32_t column = neighbour(place, part.width, width);
        rows.luma_columns[x] = column;
        rows.chroma_columns[x] =
            (uint32_t)(((part.x + column) >> frame->info.finfo->w_sub[1]) * chroma_step);
    }
    for (uint32_t y = 0; y < height; y++) {
        const uint32_t row = neighbour(y, part.height, height);
        const uint32_t next = part.height == height ? row : MIN(row + 1, part.height - 1);
        const size_t start = part.x * luma_step;
        average_rows(component_row(frame, 0, part.y + row) + start,
                     component_row(frame, 0, part.y + next) + start, luma_step, part.width,
                     rows.average);
        rows.average[part.width] = rows.average[part.width - 1];
        pick(&rows, component_row(frame, 1, part.y + row), component_row(frame, 2, part.y + row),
             width, is_reduced);
        colour(factors, rows.luma, rows.u, rows.v, width, rows.red, rows.green, rows.blue);
        const size_t target = flips ? height - 1 - y : y;
        interleave(rows.red, rows.green, rows.blue, width, pixels + target * width * 3);
    }
    free(memory);
    return 1;
}
