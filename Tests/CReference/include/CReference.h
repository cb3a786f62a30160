// SPDX-License-Identifier: MIT
// libjpeg-turbo alone, for tests that compare ours with it.

#ifndef CREFERENCE_H
#define CREFERENCE_H

#include <stddef.h>
#include <stdint.h>

typedef struct reference_picture {
    uint8_t *_Nullable pixels; // RGB, rows without padding; malloc
    uint32_t width;
    uint32_t height;
    uint32_t rows; // that were decoded before an error
} reference_picture;

// Decodes a JPEG at an eighth, without smoothing. Returns 0 when it does not even start.
int reference_decode(const uint8_t *_Nonnull bytes, size_t count,
                     reference_picture *_Nonnull picture);

typedef struct reference_options {
    int quality;
    int columns; // the sampling factors of the first component
    int rows;
    int restart_interval;
    int is_grey;
    int is_optimized;
} reference_options;

// Encodes RGB as a baseline JPEG. NULL for options that libjpeg refuses; the caller frees it.
uint8_t *_Nullable reference_encode(const uint8_t *_Nonnull pixels, uint32_t width,
                                    uint32_t height, reference_options options,
                                    size_t *_Nonnull count);

// Encodes such a JPEG out of coefficients instead of pixels: each block takes the next 64 values,
// which start anew at their end. Values of more than 10 bits are refused.
uint8_t *_Nullable reference_encode_coefficients(const int16_t *_Nonnull values, size_t value_count,
                                                 uint32_t width, uint32_t height,
                                                 reference_options options,
                                                 size_t *_Nonnull count);

#endif
