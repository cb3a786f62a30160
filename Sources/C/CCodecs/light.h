// SPDX-License-Identifier: MIT
// Pictures with more range than a screen: linear light, where 1 is white.

#ifndef PP_LIGHT_H
#define PP_LIGHT_H

#include "codec.h"
#include "half.h"

// Four half floats for each pixel: red, green and blue with the primaries of sRGB, and alpha.
typedef struct pp_light {
    uint32_t width;
    uint32_t height;
    int has_alpha;
    // Whether the colours were multiplied by alpha.
    int is_premultiplied;
    uint16_t *samples;
} pp_light;

// Allocates a picture, black and transparent. Fails for sizes whose samples do not fit in the
// memory of a decoder.
pp_status pp_light_allocate(pp_light *light, uint32_t width, uint32_t height);
void pp_light_free(pp_light *light);

// Stores a pixel; a value that is negative or not a number becomes 0.
void pp_light_put(pp_light *light, uint32_t x, uint32_t y, const float colour[4]);

// Moves the light into a picture in sRGB. Values up to 1 are kept if nothing is brighter;
// otherwise the range is compressed.
void pp_light_show(pp_light *light, pp_picture *picture);

#endif
