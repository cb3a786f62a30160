// SPDX-License-Identifier: MIT
// The colours of OpenEXR pictures.

#ifndef PP_EXR_COLOUR_H
#define PP_EXR_COLOUR_H

#include <stddef.h>
#include <stdint.h>

// The x and y of red, green, blue and white.
typedef struct pp_chromaticities {
    double x[4];
    double y[4];
} pp_chromaticities;

// Converts pixels of four half floats to the primaries of sRGB.
void pp_exr_convert_primaries(uint16_t *pixels, size_t count, const pp_chromaticities *colours);

// Converts pixels of luminance, two differences and alpha to red, green, blue and alpha.
void pp_exr_convert_luminance(uint16_t *pixels, size_t count);

#endif
