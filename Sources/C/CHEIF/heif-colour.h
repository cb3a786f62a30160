// SPDX-License-Identifier: MIT
// Converts what libheif decodes to RGB: in one pass, where libheif makes pictures of 16 bits for each
// step between 10 bits and 8.

#ifndef PP_HEIF_COLOUR_H
#define PP_HEIF_COLOUR_H

#include "codec.h"

#include <libheif/heif.h>

// Converts planes of 8 to 12 bits to a picture of 8 bits with 3 or 4 channels, all of its planes.
//
// PP_UNSUPPORTED for other layouts and rare matrices of colours, which libheif must convert.
pp_status pp_heif_convert(const struct heif_image *image, int has_alpha, pp_picture *picture);

#endif
