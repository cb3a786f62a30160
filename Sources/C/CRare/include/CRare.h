// SPDX-License-Identifier: MIT
// Decoders of formats that most people rarely meet, from an open file only: OpenJPEG, OpenEXR,
// LibRaw and librsvg. Only RareFormats imports this module.
//
// Files are passed as descriptors, which are borrowed; their position is neither used nor changed.

#ifndef PP_CRARE_H
#define PP_CRARE_H

#include <stddef.h>
#include <stdint.h>

typedef enum pp_rare_status {
    PP_RARE_OK = 0,
    PP_RARE_DAMAGED = 1,
    PP_RARE_UNSUPPORTED = 2, // a variant that the library does not read
    PP_RARE_TOO_LARGE = 3,   // out of memory, or over a limit
    PP_RARE_TOO_NEW = 4,     // not supported, but a later version of the library may read it
} pp_rare_status;

// A decoded picture: rows from top to bottom, without padding. Must be zeroed before use; the caller
// frees `pixels` and `profile` with free(3).
typedef struct pp_rare_picture {
    uint32_t width;
    uint32_t height;
    // 3 (RGB) or 4 (RGBA) bytes for each pixel; or, for light, four half floats: red, green and blue
    // with the primaries of sRGB, 1 being white, and alpha.
    unsigned channels;
    int is_light;
    int has_alpha;
    int is_premultiplied;
    void *_Nullable pixels;
    // The embedded ICC profile, or NULL.
    uint8_t *_Nullable profile;
    size_t profile_size;
} pp_rare_picture;

// Whether the disk of a file has failed since the last call. What was decoded since then may lack a
// part.
int pp_rare_take_read_failure(void);

// JPEG 2000, in its container or as a codestream. A picture whose longer side is much larger than
// `side` is decoded at a half, a quarter, … of its size, at least `side`.
pp_rare_status pp_rare_decode_jpeg2000(int fd, uint32_t side, pp_rare_picture *_Nonnull picture);

// OpenEXR: the display window of the first part that is not deep.
pp_rare_status pp_rare_decode_exr(int fd, pp_rare_picture *_Nonnull picture);

// A camera's raw file, developed as it is stored, not turned. At half its size if that is at least
// `side`, and if the whole would not fit in memory.
pp_rare_status pp_rare_decode_raw(int fd, uint32_t side, pp_rare_picture *_Nonnull picture);

// Makes librsvg draw on the calling thread alone; to be called before the first drawing.
void pp_rare_prepare_drawings(void);

// Chooses the desktop's fonts for texts in drawings, at most ten files; this process uses no others
// afterwards.
void pp_rare_choose_fonts(void);

// Opens the chosen fonts, for a process that is about to lose the right to do so. Newer versions of
// Pango start a thread.
void pp_rare_open_fonts(void);

// An SVG at a size, which need not be its own. Reads nothing outside the file.
pp_rare_status pp_rare_decode_drawing(int fd, uint32_t width, uint32_t height,
                                      pp_rare_picture *_Nonnull picture);

#endif
