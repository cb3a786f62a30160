// SPDX-License-Identifier: MIT
// The codecs, as a few C functions that always return. Some of the libraries report errors with
// longjmp(3), which must not cross Swift frames; others use callbacks or exceptions. Only Pixels
// imports this module.
//
// Files to decode are passed as descriptors, which are borrowed. They are read from offset 0 unless
// stated otherwise; the position of a descriptor is neither used nor changed.

#ifndef PP_CCODECS_H
#define PP_CCODECS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The result of a call.
typedef enum pp_status {
    PP_OK = 0,
    PP_END = 1,          // no more rows
    PP_DAMAGED = -1,     // the file breaks its format's rules
    PP_TOO_LARGE = -2,   // out of memory, or over a limit
    PP_UNSUPPORTED = -3, // a variant that the library does not read
} pp_status;

// Whether the disk of a file has failed since the last call. What was decoded since then may lack a
// part, because a codec cannot tell such a file from one that is truncated.
int pp_take_read_failure(void);

// MARK: - Colour

// The meaning of the channels of a pixel.
typedef enum pp_colour_model {
    PP_RGB,
    PP_GREY,           // three equal channels
    PP_CMYK,           // 255 is full ink
    PP_CMYK_INVERTED,  // 255 is no ink, as Adobe's programs write it
} pp_colour_model;

// A conversion to sRGB.
typedef struct pp_colour pp_colour;

// Makes a conversion with an ICC profile: from pixels with 3 or 4 channels to pixels with as many,
// or from CMYK to 3 channels. NULL if the profile is damaged, belongs to another colour model, or
// is sRGB itself.
pp_colour *_Nullable pp_colour_from_profile(const uint8_t *_Nonnull profile, size_t size,
                                            pp_colour_model model, unsigned channels);

// Makes a conversion from the exponent of a curve, or 0 for sRGB's curve, and x and y of white, red,
// green and blue, or NULL for sRGB's.
pp_colour *_Nullable pp_colour_from_values(double gamma, const double *_Nullable chromaticities,
                                           unsigned channels);

// Makes a conversion from the code points of ITU-T H.273.
pp_colour *_Nullable pp_colour_from_numbers(uint16_t primaries, uint16_t transfer,
                                            unsigned channels);

// Makes a conversion of light as four floats per pixel, the last one alpha, with an RGB profile to
// linear light with the primaries of sRGB. NULL if the profile is damaged or of another kind.
pp_colour *_Nullable pp_colour_to_light(const uint8_t *_Nonnull profile, size_t size);

// Makes a conversion from CIE L*a*b* as in ICC profiles, one byte each, to sRGB with 3 channels.
pp_colour *_Nullable pp_colour_from_lab(void);

// Converts pixels, in place if both sides have the same number of channels. The alpha already in
// `to` is kept.
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
    // The embedded ICC profile, or NULL. Owned by the reader.
    const uint8_t *_Nullable profile;
    size_t profile_size;
} pp_jpeg_info;

// Makes a reader of up to `count` bytes from `offset` on. NULL if out of memory.
pp_jpeg *_Nullable pp_jpeg_make(int fd, off_t offset, off_t count);

// Reads the header.
pp_status pp_jpeg_read_header(pp_jpeg *_Nonnull jpeg, pp_jpeg_info *_Nonnull info);

// Starts decoding at `eighths`/8 of the size, 1 to 8, to RGB with 3 bytes per pixel. CMYK is
// converted to sRGB, with the embedded profile if there is one. A fast decode at 1/8 stops after
// the first scan of a progressive picture, which is close enough (40 dB). A baseline picture at 1/8
// is decoded without the details that do not show at that size; the result is equally exact. Stores
// the size of the result in `width` and `height`.
pp_status pp_jpeg_start(pp_jpeg *_Nonnull jpeg, unsigned eighths, int is_fast,
                        uint32_t *_Nonnull width, uint32_t *_Nonnull height);

// Decodes the next row, `3 * width` bytes.
pp_status pp_jpeg_read_row(pp_jpeg *_Nonnull jpeg, uint8_t *_Nonnull row);

// Whether details were skipped because they do not show at this size.
int pp_jpeg_is_short(const pp_jpeg *_Nonnull jpeg);

void pp_jpeg_free(pp_jpeg *_Nonnull jpeg);

// MARK: - PNG

typedef struct pp_png pp_png;

typedef struct pp_png_info {
    uint32_t width;
    uint32_t height;
    int is_interlaced;
    pp_colour_model model;
    // The embedded ICC profile, or NULL. Owned by the reader.
    const uint8_t *_Nullable profile;
    size_t profile_size;
    // If there is no profile: code points of ITU-T H.273, or 0.
    uint16_t primaries;
    uint16_t transfer;
    // If there is neither: the exponent of the curve, or 0 for sRGB's, and x and y of white, red,
    // green and blue.
    double gamma;
    int has_chromaticities;
    double chromaticities[8];
} pp_png_info;

// Makes a reader of the file, or of what begins at an offset in it. NULL if out of memory.
pp_png *_Nullable pp_png_make(int fd, off_t offset);

// Reads everything before the first pixels.
pp_status pp_png_read_header(pp_png *_Nonnull png, pp_png_info *_Nonnull info);

// Starts decoding to 8 bits per channel: RGBA if the picture has alpha, otherwise RGB.
pp_status pp_png_start(pp_png *_Nonnull png, int *_Nonnull has_alpha);

// Decodes the next row of a picture that is not interlaced.
pp_status pp_png_read_row(pp_png *_Nonnull png, uint8_t *_Nonnull row);

// Decodes a whole picture into rows of `stride` bytes; needed for interlaced pictures. What is
// missing from a truncated file stays coarse or unchanged.
pp_status pp_png_read_all(pp_png *_Nonnull png, uint8_t *_Nonnull rows, size_t stride);

void pp_png_free(pp_png *_Nonnull png);

// MARK: - Codecs that decode a picture as a whole

enum {
    // The most pixels that are decoded at once. With 4 bytes each they fit in the decoder's memory.
    PP_MOST_PIXELS = 100000000,
};

// A decoded picture: rows from top to bottom, 3 (RGB) or 4 (RGBA) bytes per pixel, alpha not
// premultiplied. Must be zeroed before use.
typedef struct pp_picture {
    uint32_t width;
    uint32_t height;
    unsigned channels;
    size_t stride;
    uint8_t *_Nullable pixels;
    // The embedded ICC profile, or NULL.
    uint8_t *_Nullable profile;
    size_t profile_size;
    // If there is no profile: the colour primaries and transfer characteristics of ITU-T H.273, or
    // 0.
    uint16_t primaries;
    uint16_t transfer;
    // The owner of the pixels, if it is not the picture itself.
    void *_Nullable owner;
    void (*_Nullable release)(void *_Nonnull owner);
} pp_picture;

void pp_picture_free(pp_picture *_Nonnull picture);

// Fills a picture with pixels from malloc(3), which it owns from then on: 3 or 4 bytes for each.
void pp_picture_take_pixels(pp_picture *_Nonnull picture, void *_Nonnull pixels, uint32_t width,
                            uint32_t height, unsigned channels, int is_premultiplied);

// The same with linear light: four half floats for each pixel, red, green and blue with the primaries
// of sRGB, and alpha. Light beyond the range of a screen is compressed.
void pp_picture_take_light(pp_picture *_Nonnull picture, void *_Nonnull pixels, uint32_t width,
                           uint32_t height, int has_alpha, int is_premultiplied);

void pp_picture_copy_profile(pp_picture *_Nonnull picture, const uint8_t *_Nonnull profile,
                             size_t size);

// The facts in a header. Must be zeroed before use; width and height stay 0 if nothing can be read.
typedef struct pp_facts {
    uint32_t width;
    uint32_t height;
    // The EXIF orientation, 1 to 8, if the format's own header stores one; otherwise 0.
    unsigned orientation;
    int is_animated;
    // EXIF data, starting with the byte order, or NULL.
    uint8_t *_Nullable exif;
    size_t exif_size;
    // An XMP packet, or NULL.
    uint8_t *_Nullable xmp;
    size_t xmp_size;
} pp_facts;

void pp_facts_free(pp_facts *_Nonnull facts);

// libwebp. Decodes a still picture to exactly `width` × `height`, at most its own size. Decodes the
// first frame of an animated picture at its own size.
pp_status pp_webp_decode(int fd, uint32_t width, uint32_t height, pp_picture *_Nonnull picture);

// An animated WebP, whose frames are decoded one after another.
typedef struct pp_webp_player pp_webp_player;

// A frame of an animation.
typedef struct pp_moving_frame {
    // RGBA, rows from top to bottom without padding, alpha not premultiplied; valid until the next frame is
    // decoded.
    const uint8_t *_Nullable pixels;
    uint32_t width;
    uint32_t height;
    // When it is shown, in milliseconds from the first frame. The end is later than the start.
    int64_t start;
    int64_t end;
    int is_last;
} pp_moving_frame;

// libwebp. Reads a file; PP_UNSUPPORTED if it is not animated. On success, `player` must be freed.
pp_status pp_webp_play(int fd, pp_webp_player *_Nullable *_Nonnull player);
void pp_webp_player_free(pp_webp_player *_Nonnull player);
// How often the whole is to be shown; 0 for ever.
uint32_t pp_webp_rounds(const pp_webp_player *_Nonnull player);
// Decodes the frame that is shown at a time, or the last one if the animation ends before.
pp_status pp_webp_show(pp_webp_player *_Nonnull player, int64_t milliseconds,
                       pp_moving_frame *_Nonnull frame);

// An encoded file. Must be zeroed before use.
typedef struct pp_output {
    uint8_t *_Nullable bytes;
    size_t count;
    void (*_Nullable release)(void *_Nullable bytes);
} pp_output;

void pp_output_free(pp_output *_Nonnull output);

// libheif and libjxl, which only photo-portal-heif contains: they take longer to start than the rest of a
// decoder. Elsewhere the functions answer PP_UNSUPPORTED or 0.
//
// HEIF and AVIF. Sizes and pixels are those of the upright picture. Decodes the picture, or an embedded
// thumbnail of the same shape whose longer side has at least `side` pixels. `hidden` is the offset
// in the file of the type of a box that libheif should ignore, or 0. `is_turned` says whether the
// file turns or mirrors any picture. `turns` is how often the file turns its picture by 90° to the
// left, if it changes it in no other way, and otherwise 0; afterwards, how often the caller has to:
// libheif would need as much memory again.
pp_status pp_heif_read_facts(int fd, int64_t hidden, int turns, pp_facts *_Nonnull facts);
pp_status pp_heif_decode(int fd, uint32_t side, int64_t hidden, int is_turned,
                         int *_Nonnull turns, pp_picture *_Nonnull picture);
// The version of libheif: 0x01130200 for 1.19.2.
uint32_t pp_heif_version(void);
int pp_heif_decodes_hevc(void);
int pp_heif_decodes_av1(void);

// JPEG XL. Sizes and pixels are as stored; `orientation` says how to turn them upright.
pp_status pp_jxl_read_facts(int fd, pp_facts *_Nonnull facts);
pp_status pp_jxl_decode(int fd, pp_picture *_Nonnull picture);
// Restores the JPEG of which a file was made, with all its metadata. PP_UNSUPPORTED if it was made
// of something else.
pp_status pp_jxl_restore_jpeg(const uint8_t *_Nonnull file, size_t count,
                              pp_output *_Nonnull output);

// The functions above, as whoever contains the libraries installs them.
typedef struct pp_heif_codecs {
    pp_status (*_Nonnull heif_read_facts)(int, int64_t, int, pp_facts *_Nonnull);
    pp_status (*_Nonnull heif_decode)(int, uint32_t, int64_t, int, int *_Nonnull,
                                      pp_picture *_Nonnull);
    uint32_t (*_Nonnull heif_version)(void);
    int (*_Nonnull heif_decodes_hevc)(void);
    int (*_Nonnull heif_decodes_av1)(void);
    pp_status (*_Nonnull jxl_read_facts)(int, pp_facts *_Nonnull);
    pp_status (*_Nonnull jxl_decode)(int, pp_picture *_Nonnull);
    pp_status (*_Nonnull jxl_restore_jpeg)(const uint8_t *_Nonnull, size_t, pp_output *_Nonnull);
} pp_heif_codecs;

// Call it before the first file is read; `codecs` stays in use.
void pp_install_heif_codecs(const pp_heif_codecs *_Nonnull codecs);
int pp_has_heif_codecs(void);

// libbrotlidec. Decompresses a stream, as far as it is there. PP_DAMAGED if it is none, PP_TOO_LARGE
// beyond a megabyte.
pp_status pp_brotli_decompress(const uint8_t *_Nonnull stream, size_t count,
                               pp_output *_Nonnull output);

// The first frame of a GIF. Draws it on the whole canvas.
pp_status pp_gif_decode(int fd, pp_picture *_Nonnull picture);

// libtiff. Decodes the first page as stored.
pp_status pp_tiff_decode(int fd, pp_picture *_Nonnull picture);

// Lossless JPEG, which libjpeg-turbo reads from version 3 on. PP_UNSUPPORTED for any other JPEG.
pp_status pp_jpeg_decode_lossless(int fd, pp_picture *_Nonnull picture);

// The formats that need no library. Netpbm's, with PFM; TGA; PCX; QOI; Radiance's; and the merged
// picture of a Photoshop document. Light beyond the range of a screen is compressed.
pp_status pp_pnm_read_facts(int fd, pp_facts *_Nonnull facts);
pp_status pp_pnm_decode(int fd, pp_picture *_Nonnull picture);
pp_status pp_tga_read_facts(int fd, pp_facts *_Nonnull facts);
pp_status pp_tga_decode(int fd, pp_picture *_Nonnull picture);
pp_status pp_pcx_read_facts(int fd, pp_facts *_Nonnull facts);
pp_status pp_pcx_decode(int fd, pp_picture *_Nonnull picture);
pp_status pp_qoi_read_facts(int fd, pp_facts *_Nonnull facts);
pp_status pp_qoi_decode(int fd, pp_picture *_Nonnull picture);
pp_status pp_radiance_read_facts(int fd, pp_facts *_Nonnull facts);
pp_status pp_radiance_decode(int fd, pp_picture *_Nonnull picture);
pp_status pp_psd_read_facts(int fd, pp_facts *_Nonnull facts);
pp_status pp_psd_decode(int fd, pp_picture *_Nonnull picture);

// BMP with 16 bits and alpha. PP_UNSUPPORTED for any other.
pp_status pp_bmp_decode_alpha(int fd, pp_picture *_Nonnull picture);

// gdk-pixbuf, for the formats "bmp" and "ico"; `type` is one of these names. Decodes `head`
// followed by what is in the file from an offset on.
pp_status pp_pixbuf_decode(int fd, const char *_Nonnull type, const uint8_t *_Nullable head,
                           size_t head_size, off_t offset, pp_picture *_Nonnull picture);
int pp_pixbuf_decodes(const char *_Nonnull type);

// MARK: - Writing

// A rectangle inside a picture.
typedef struct pp_clip {
    uint32_t x;
    uint32_t y;
    uint32_t width;
    uint32_t height;
} pp_clip;

// libjpeg. Encodes RGB rows without padding, at a quality from 1 to 100. `is_small` saves a few percent
// of the size and more than doubles the time. `exif` and `xmp` are the contents of APP1 segments,
// including their names, at most 65533 bytes each, or empty.
pp_status pp_jpeg_encode(const uint8_t *_Nonnull pixels, uint32_t width, uint32_t height,
                         unsigned quality, int is_small, const uint8_t *_Nullable exif,
                         size_t exif_size, const uint8_t *_Nullable xmp, size_t xmp_size,
                         pp_output *_Nonnull output);

// The first coefficient of each block of a JPEG, which is the mean of its pixels: for each component
// row by row. Must be zeroed before use.
enum { PP_MOST_COMPONENTS = 4 };
typedef struct pp_component_means {
    uint32_t width;
    uint32_t height;
    int16_t *_Nullable values;
} pp_component_means;
typedef struct pp_block_means {
    unsigned component_count;
    pp_component_means components[PP_MOST_COMPONENTS];
} pp_block_means;

void pp_block_means_free(pp_block_means *_Nonnull means);

// libjpeg. Turns a JPEG with this EXIF orientation upright and crops the upright picture to a
// rectangle, or not at all if its width is 0. Works without decoding, so every coefficient is kept.
// Copies all segments; drops everything after the picture. PP_UNSUPPORTED if the crop does not fit
// the grid of blocks. `means` are those that the result must have.
pp_status pp_jpeg_turn(const uint8_t *_Nonnull file, size_t count, unsigned orientation,
                       const pp_clip *_Nonnull clip, pp_output *_Nonnull output,
                       pp_block_means *_Nonnull means);
// Reads a JPEG and compares its blocks with what they must be. PP_DAMAGED if one differs.
pp_status pp_jpeg_check_means(const uint8_t *_Nonnull file, size_t count,
                              const pp_block_means *_Nonnull means);

// libwebp, lossy with lossless alpha. `exif` is EXIF data, starting with the byte order, and `xmp` an XMP
// packet; either may be empty.
pp_status pp_webp_encode(const uint8_t *_Nonnull pixels, uint32_t width, uint32_t height,
                         unsigned channels, unsigned quality, const uint8_t *_Nullable exif,
                         size_t exif_size, const uint8_t *_Nullable xmp, size_t xmp_size,
                         pp_output *_Nonnull output);

// Finds bytes in other bytes, NULL if they do not occur: memmem(3), which Swift cannot import.
const uint8_t *_Nullable pp_find(const uint8_t *_Nonnull bytes, size_t count,
                                 const uint8_t *_Nonnull pattern, size_t pattern_count);

// The index, from `from` on, of the first two bytes whose number, of which the first is the lower
// half, is not 0 in `pairs`; `count` if there are none. There are 65,536 pairs.
size_t pp_find_pair(const uint8_t *_Nonnull bytes, size_t count, size_t from,
                    const uint8_t *_Nonnull pairs);

#endif
