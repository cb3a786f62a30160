// SPDX-License-Identifier: MIT
// libjpeg-turbo and libpng behind calls that return. Both report errors by longjmp(3), which
// must not cross Swift frames: here it never leaves this module. Imported by Pixels alone.

#ifndef PP_CCODECS_H
#define PP_CCODECS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// How a call ended.
typedef enum pp_status {
    PP_OK = 0,
    PP_END = 1,          // no more rows
    PP_DAMAGED = -1,     // the file breaks its format's rules
    PP_TOO_LARGE = -2,   // out of memory, or over a limit
    PP_UNSUPPORTED = -3, // a variant that the library does not read
} pp_status;

// MARK: - JPEG

typedef struct pp_jpeg pp_jpeg;

typedef struct pp_jpeg_info {
    uint32_t width;
    uint32_t height;
    int is_progressive;
} pp_jpeg_info;

// A reader of the file `fd` from offset 0; the descriptor is borrowed, its position is not
// used. NULL when out of memory.
pp_jpeg *_Nullable pp_jpeg_make(int fd);

// Reads the header.
pp_status pp_jpeg_read_header(pp_jpeg *_Nonnull jpeg, pp_jpeg_info *_Nonnull info);

// Begins to decode at `eighths`/8 of the size, 1 to 8, into 3 bytes per pixel, RGB.
// The size of the result is stored in `width` and `height`.
pp_status pp_jpeg_start(pp_jpeg *_Nonnull jpeg, unsigned eighths, uint32_t *_Nonnull width,
                        uint32_t *_Nonnull height);

// Decodes the next row, `3 * width` bytes.
pp_status pp_jpeg_read_row(pp_jpeg *_Nonnull jpeg, uint8_t *_Nonnull row);

void pp_jpeg_free(pp_jpeg *_Nonnull jpeg);

// MARK: - PNG

typedef struct pp_png pp_png;

typedef struct pp_png_info {
    uint32_t width;
    uint32_t height;
    int has_alpha;
    int is_interlaced;
} pp_png_info;

// As pp_jpeg_make.
pp_png *_Nullable pp_png_make(int fd);

// Reads up to the first pixels.
pp_status pp_png_read_header(pp_png *_Nonnull png, pp_png_info *_Nonnull info);

// Begins to decode into 8 bits per channel: RGBA when the picture has alpha, else RGB.
pp_status pp_png_start(pp_png *_Nonnull png);

// Decodes the next row of a picture that is not interlaced.
pp_status pp_png_read_row(pp_png *_Nonnull png, uint8_t *_Nonnull row);

// Decodes a whole picture, row after row of `stride` bytes; for interlaced ones.
pp_status pp_png_read_all(pp_png *_Nonnull png, uint8_t *_Nonnull rows, size_t stride);

void pp_png_free(pp_png *_Nonnull png);

#endif
