// SPDX-License-Identifier: MIT
// Samples of any number of bits, integers and floating point.

#ifndef PP_TIFF_SAMPLES_H
#define PP_TIFF_SAMPLES_H

#include "light.h"
#include "tiff.h"

// The meaning of the samples of a page.
typedef struct pp_tiff_layout {
    uint16_t bits;
    uint16_t samples;
    uint16_t format;
    uint16_t photometric;
    int is_planar;
    // The samples that make up the colour: 1, 3 or 4.
    unsigned colours;
    // The colours of indices, red, green and blue, or NULL; libtiff owns them.
    const uint16_t *palette[3];
    // The number of the alpha sample, or -1.
    int alpha;
    int is_premultiplied;
    // CIE L*a*b*, in 8 or 16 bits.
    int is_lab;
} pp_tiff_layout;

// Where decoded samples go.
typedef struct pp_tiff_canvas {
    pp_tiff_layout layout;
    uint32_t width;
    uint32_t height;
    // For floating point.
    pp_light light;
    // For integers: `channels` bytes for each pixel.
    uint8_t *pixels;
    unsigned channels;
} pp_tiff_canvas;

// Stores a row of decoded samples, of one plane or, if `plane` is negative, of all.
void pp_tiff_put_row(pp_tiff_canvas *canvas, const uint8_t *row, uint32_t x, uint32_t y,
                     uint32_t count, int plane);

#endif
