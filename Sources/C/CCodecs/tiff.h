// SPDX-License-Identifier: MIT

#ifndef PP_TIFF_H
#define PP_TIFF_H

#include "codec.h"

#include <tiffio.h>

// Whether the samples are of a kind that libtiff does not convert to 8 bits, or converts wrongly:
// floating point, signed, of 10 to 14 or 24 to 64 bits, CMYK with 16 bits, or indices with 16 bits or
// with alpha.
int pp_tiff_has_other_samples(TIFF *tiff);

// Decodes such a page as stored, to sRGB or with its profile.
pp_status pp_tiff_decode_samples(TIFF *tiff, uint32_t width, uint32_t height, pp_picture *picture);

// Copies the embedded profile, if there is one.
void pp_tiff_copy_profile(TIFF *tiff, pp_picture *picture);

#endif
