// SPDX-License-Identifier: MIT
// Baseline JPEG at an eighth of its size, without decoding what an eighth does not show.

#ifndef PP_JPEG_EIGHTH_H
#define PP_JPEG_EIGHTH_H

#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

// Whether a picture, of which libjpeg has read the header, is of the common kind: baseline, grey
// or YCbCr, all of it in one scan, colour at full or half resolution.
int pp_jpeg_has_eighth(const struct jpeg_decompress_struct *info);

// Decodes such a picture to RGB, in rows without padding: ceil(width / 8) x ceil(height / 8)
// pixels, the same that libjpeg-turbo makes. The caller frees them.
//
// Reads from the source of `info`, which must never suspend. NULL for a picture that is damaged or
// too large for memory: libjpeg then has to start again, and to say what is wrong.
uint8_t *pp_jpeg_decode_eighth(struct jpeg_decompress_struct *info);

#endif
