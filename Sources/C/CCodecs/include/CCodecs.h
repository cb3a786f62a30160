// SPDX-License-Identifier: MIT
// The codecs behind a few calls that return: some of their libraries report errors by longjmp(3),
// which must not cross Swift frames, others by callbacks or exceptions of their own. Imported by
// Pixels alone.
//
// Every file that is decoded comes as a descriptor. It is borrowed, read from offset 0 unless something else is
// said, and its position is neither used nor changed.

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

// MARK: - Colour

// What the numbers of a pixel mean.
typedef enum pp_colour_model {
    PP_RGB,
    PP_GREY,           // three equal channels
    PP_CMYK,           // 255 is full ink
    PP_CMYK_INVERTED,  // 255 is no ink, as Adobe's programs write it
} pp_colour_model;

// A conversion to sRGB.
typedef struct pp_colour pp_colour;

// A conversion by an ICC profile, from pixels with 3 or 4 channels to pixels with as many, and
// from CMYK to 3. NULL when the profile is damaged, is one for another model, or is that of
// sRGB.
pp_colour *_Nullable pp_colour_from_profile(const uint8_t *_Nonnull profile, size_t size,
                                            pp_colour_model model, unsigned channels);

// The same by numbers of ITU-T H.273.
pp_colour *_Nullable pp_colour_from_numbers(uint16_t primaries, uint16_t transfer,
                                            unsigned channels);

// Converts pixels, also in place where there are as many channels. Alpha stays as it is in `to`.
void pp_colour_convert(const pp_colour *_Nonnull colour, const uint8_t *_Nonnull from,
                       uint8_t *_Nonnull to, uint32_t pixels);

void pp_colour_free(pp_colour *_Nullable colour);

// MARK: - JPEG

typedef struct pp_jpeg pp_jpeg;

typedef struct pp_jpeg_info {
    uint32_t width;
    uint32_t height;
    int is_progressive;
    pp_colour_model model;
    // The embedded ICC profile, or NULL. It belongs to the reader.
    const uint8_t *_Nullable profile;
    size_t profile_size;
} pp_jpeg_info;

// A reader of `count` bytes from `offset` on, or of those that there are. NULL when out of
// memory.
pp_jpeg *_Nullable pp_jpeg_make(int fd, off_t offset, off_t count);

// Reads the header.
pp_status pp_jpeg_read_header(pp_jpeg *_Nonnull jpeg, pp_jpeg_info *_Nonnull info);

// Begins to decode at `eighths`/8 of the size, 1 to 8, into 3 bytes per pixel, RGB. CMYK is
// converted to sRGB, by the embedded profile where there is one. A fast decode of one eighth
// stops after the first scan of a progressive picture, which is near enough (40 dB). An eighth of
// a baseline picture is made without the details that it does not show, and no less exact.
// The size of the result is stored in `width` and `height`.
pp_status pp_jpeg_start(pp_jpeg *_Nonnull jpeg, unsigned eighths, int is_fast,
                        uint32_t *_Nonnull width, uint32_t *_Nonnull height);

// Decodes the next row, `3 * width` bytes.
pp_status pp_jpeg_read_row(pp_jpeg *_Nonnull jpeg, uint8_t *_Nonnull row);

// Whether details were left out because they do not show.
int pp_jpeg_is_short(const pp_jpeg *_Nonnull jpeg);

void pp_jpeg_free(pp_jpeg *_Nonnull jpeg);

// MARK: - PNG

typedef struct pp_png pp_png;

typedef struct pp_png_info {
    uint32_t width;
    uint32_t height;
    int has_alpha;
    int is_interlaced;
    pp_colour_model model;
    // The embedded ICC profile, or NULL. It belongs to the reader.
    const uint8_t *_Nullable profile;
    size_t profile_size;
} pp_png_info;

// A reader of the file. NULL when out of memory.
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

// MARK: - Uncompressed pixels

// Converts pixels to RGB with 8 bits per channel. They have 1 channel (grey) or 3, of 1 byte or of
// 2 bytes with the higher one first; `maximum` is the value of white, at least 1.
void pp_samples_to_rgb(const uint8_t *_Nonnull samples, size_t count, unsigned channels,
                       unsigned bytes, uint32_t maximum, uint8_t *_Nonnull rgb);

// MARK: - Codecs that give a picture as a whole

enum {
    // The most pixels that are decoded at once: with 4 bytes each, below the decoder's memory.
    PP_MOST_PIXELS = 100000000,
};

// A decoded picture: rows top to bottom, 3 (RGB) or 4 (RGBA) bytes per pixel, colour not
// multiplied by alpha. Starts as zeros.
typedef struct pp_picture {
    uint32_t width;
    uint32_t height;
    unsigned channels;
    size_t stride;
    uint8_t *_Nullable pixels;
    // The embedded ICC profile, or NULL.
    uint8_t *_Nullable profile;
    size_t profile_size;
    // Where there is no profile: colour primaries and transfer characteristics as numbers of
    // ITU-T H.273, or 0.
    uint16_t primaries;
    uint16_t transfer;
    // What the pixels belong to, if not to the picture itself.
    void *_Nullable owner;
    void (*_Nullable release)(void *_Nonnull owner);
} pp_picture;

void pp_picture_free(pp_picture *_Nonnull picture);

// What a header says. Starts as zeros; width and height are 0 when nothing could be read.
typedef struct pp_facts {
    uint32_t width;
    uint32_t height;
    // The value of the EXIF tag, 1 to 8, for formats whose own header turns the picture; else 0.
    unsigned orientation;
    int is_animated;
    // EXIF data from the byte order on, or NULL.
    uint8_t *_Nullable exif;
    size_t exif_size;
} pp_facts;

void pp_facts_free(pp_facts *_Nonnull facts);

// libwebp. Decodes a still picture to exactly `width` × `height`, at most its own size; of one
// that moves, the first frame at its own size.
pp_status pp_webp_decode(int fd, uint32_t width, uint32_t height, pp_picture *_Nonnull picture);

// libheif. Size and pixels are those of the upright picture. The picture, or an embedded
// thumbnail of the same shape whose longer side has at least `side` pixels. `hidden` is where in the
// file the type of a box is that libheif should ignore, or 0.
pp_status pp_heif_read_facts(int fd, int64_t hidden, pp_facts *_Nonnull facts);
pp_status pp_heif_decode(int fd, uint32_t side, int64_t hidden, pp_picture *_Nonnull picture);
int pp_heif_decodes_hevc(void);
int pp_heif_decodes_av1(void);

// libjxl. Size and pixels are as stored; `orientation` says how to turn them.
pp_status pp_jxl_read_facts(int fd, pp_facts *_Nonnull facts);
pp_status pp_jxl_decode(int fd, pp_picture *_Nonnull picture);

// giflib: the first frame on the whole canvas.
pp_status pp_gif_decode(int fd, pp_picture *_Nonnull picture);

// libtiff: the first page, as stored.
pp_status pp_tiff_decode(int fd, pp_picture *_Nonnull picture);

// gdk-pixbuf, for the formats named by `type`: "bmp" and "ico".
pp_status pp_pixbuf_decode(int fd, const char *_Nonnull type, pp_picture *_Nonnull picture);
int pp_pixbuf_decodes(const char *_Nonnull type);

// librsvg. Nothing outside of the file is read. `width` and `height` 0 mean its own size.
pp_status pp_svg_read_facts(int fd, pp_facts *_Nonnull facts);
pp_status pp_svg_decode(int fd, uint32_t width, uint32_t height, pp_picture *_Nonnull picture);

// MARK: - Writing

// An encoded file. Starts as zeros.
typedef struct pp_output {
    uint8_t *_Nullable bytes;
    size_t count;
    void (*_Nullable release)(void *_Nullable bytes);
} pp_output;

void pp_output_free(pp_output *_Nonnull output);

// A part of a picture, inside of it.
typedef struct pp_clip {
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
} pp_clip;

// libjpeg. Writes RGB, rows without padding, at a quality from 1 to 100. `exif` is the content of
// an APP1 segment with its name, at most 65533 bytes, or empty.
pp_status pp_jpeg_encode(const uint8_t *_Nonnull pixels, uint32_t width, uint32_t height,
                         unsigned quality, const uint8_t *_Nullable exif, size_t exif_size,
                         pp_output *_Nonnull output);

// TurboJPEG. Turns a JPEG upright from an EXIF orientation and cuts a part out of the upright
// picture, or nothing if its width is 0, without decoding it: every coefficient stays. All segments are copied as they are; what
// follows the picture is left out. PP_UNSUPPORTED when the grid of blocks does not allow it.
pp_status pp_jpeg_turn(const uint8_t *_Nonnull file, size_t count, unsigned orientation,
                       int is_progressive, const pp_clip *_Nonnull clip,
                       pp_output *_Nonnull output);

// libwebp, lossy with lossless alpha. `exif` is EXIF data from the byte order on, or empty.
pp_status pp_webp_encode(const uint8_t *_Nonnull pixels, uint32_t width, uint32_t height,
                         unsigned channels, unsigned quality, const uint8_t *_Nullable exif,
                         size_t exif_size, pp_output *_Nonnull output);

// Where some bytes stand in others, or NULL: memmem(3), which Swift cannot import.
const uint8_t *_Nullable pp_find(const uint8_t *_Nonnull bytes, size_t count,
                                 const uint8_t *_Nonnull pattern, size_t pattern_count);

#endif
