// SPDX-License-Identifier: MIT
// Photoshop documents. Source: Adobe, “Photoshop File Formats Specification”.

#ifndef PP_PSD_H
#define PP_PSD_H

#include "stream.h"

enum { PP_PSD_PALETTE_SIZE = 768 };

typedef enum pp_psd_mode {
    PP_PSD_BITMAP = 0,
    PP_PSD_GREY = 1,
    PP_PSD_INDEXED = 2,
    PP_PSD_RGB = 3,
    PP_PSD_CMYK = 4,
    PP_PSD_MULTICHANNEL = 7,
    PP_PSD_DUOTONE = 8,
    PP_PSD_LAB = 9,
} pp_psd_mode;

typedef struct pp_psd {
    pp_stream file;
    // Version 2 has longer numbers, for larger pictures.
    int is_large;
    unsigned channels;
    uint32_t width;
    uint32_t height;
    unsigned depth;
    unsigned mode;
    uint8_t palette[PP_PSD_PALETTE_SIZE];
    // The offsets of what follows one another in the file.
    uint64_t resources;
    uint64_t layers;
    uint64_t pixels;
    pp_bytes profile;
    pp_bytes exif;
} pp_psd;

// Reads a number of 2, 4 or 8 bytes. At the end of the file it is 0.
uint64_t pp_psd_number(pp_stream *file, size_t width);

// Opens a file and reads its header. Returns 0 if it is damaged.
int pp_psd_read_header(pp_psd *self, int fd);

// Reads the profile and the EXIF data, which the caller frees.
void pp_psd_read_resources(pp_psd *self);

// Whether the first channel after the colours is the transparency of the merged picture; otherwise
// it is a selection that somebody kept.
int pp_psd_has_transparency(pp_psd *self);

#endif
