// SPDX-License-Identifier: MIT
// Decodes a baseline JPEG at 1/8 of its size, without the details that do not show at that size.

#ifndef PP_JPEG_EIGHTH_H
#define PP_JPEG_EIGHTH_H

#include "codec.h"

#include <stdio.h>

#include <jpeglib.h>

// Whether a picture whose header libjpeg has read is of the common kind: baseline, grey or YCbCr,
// in a single scan, with colour at full or half resolution.
int pp_jpeg_has_eighth(const struct jpeg_decompress_struct *info);

// Decodes such a picture to RGB, in rows without padding: ceil(width / 8) x ceil(height / 8)
// pixels, identical to those of libjpeg-turbo. The caller frees them.
//
// Reads from the source of `info`, which must never suspend. NULL if the picture is damaged or too
// large for memory; libjpeg must then start again, and reports the error.
uint8_t *pp_jpeg_decode_eighth(struct jpeg_decompress_struct *info);

// Reads such a picture, whose components have as many blocks as `means`, and compares them. PP_DAMAGED
// if one differs, PP_UNSUPPORTED if the picture is damaged or too large for memory, as above.
pp_status pp_jpeg_compare_means(struct jpeg_decompress_struct *info, const pp_block_means *means);

#endif
