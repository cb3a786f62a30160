// SPDX-License-Identifier: MIT
// Pages whose samples libtiff does not convert.

#include "tiff-samples.h"

#include <stdlib.h>
#include <string.h>

enum {
    // The most memory for one row or one tile.
    MOST_PIECE = 128 << 20,
    MOST_SAMPLES = 64,
};

// MARK: - Layout

static void read_alpha(TIFF *tiff, pp_tiff_layout *layout) {
    uint16_t count = 0, *kinds = NULL;
    layout->alpha = -1;
    if (layout->samples <= layout->colours ||
        TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) != 1 || count == 0 || !kinds) {
        return;
    }
    if (kinds[0] == EXTRASAMPLE_ASSOCALPHA || kinds[0] == EXTRASAMPLE_UNASSALPHA) {
        layout->alpha = (int)layout->colours;
        layout->is_premultiplied = kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    }
}

// Finds the colours of indices: as many as the bits of a sample can number.
static int read_palette(TIFF *tiff, pp_tiff_layout *layout) {
    uint16_t *red = NULL, *green = NULL, *blue = NULL;
    if (layout->bits > 16 || layout->format != SAMPLEFORMAT_UINT ||
        TIFFGetField(tiff, TIFFTAG_COLORMAP, &red, &green, &blue) != 1 || !red || !green || !blue) {
        return 0;
    }
    layout->palette[0] = red;
    layout->palette[1] = green;
    layout->palette[2] = blue;
    return 1;
}

static int read_layout(TIFF *tiff, pp_tiff_layout *layout) {
    memset(layout, 0, sizeof *layout);
    uint16_t planar = PLANARCONFIG_CONTIG;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &layout->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &layout->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &layout->format);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
    layout->is_planar = planar == PLANARCONFIG_SEPARATE;
    if (TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &layout->photometric) != 1) {
        layout->photometric = layout->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    }
    switch (layout->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
        layout->colours = 1;
        break;
    case PHOTOMETRIC_RGB:
        layout->colours = 3;
        break;
    case PHOTOMETRIC_SEPARATED:
        layout->colours = 4;
        break;
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
        layout->colours = 3;
        layout->is_lab = layout->format != SAMPLEFORMAT_IEEEFP &&
                         (layout->bits == 8 || layout->bits == 16);
        if (!layout->is_lab) return 0;
        break;
    case PHOTOMETRIC_PALETTE:
        layout->colours = 1;
        if (!read_palette(tiff, layout)) return 0;
        break;
    default:
        return 0;
    }
    if (layout->samples < layout->colours || layout->samples > MOST_SAMPLES) return 0;
    read_alpha(tiff, layout);
    // Nobody writes it beside Lab colours.
    if (layout->is_lab) layout->alpha = -1;
    switch (layout->format) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
    case SAMPLEFORMAT_INT:
        return layout->bits >= 1 && layout->bits <= 64;
    case SAMPLEFORMAT_IEEEFP:
        return layout->bits == 16 || layout->bits == 24 || layout->bits == 32 ||
               layout->bits == 64;
    default:
        return 0;
    }
}

int pp_tiff_has_other_samples(TIFF *tiff) {
    pp_tiff_layout layout;
    if (!read_layout(tiff, &layout)) return 0;
    // libtiff 4.5 takes such tiles for damaged.
    uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
    if (TIFFIsTiled(tiff) && compression == COMPRESSION_NONE && TIFFTileSize(tiff) % 1024 != 0) {
        return 1;
    }
    // libtiff knows indices of up to 8 bits, and nothing beside them.
    if (layout.palette[0]) return layout.bits == 16 || layout.samples > 1;
    if (layout.format == SAMPLEFORMAT_INT || layout.format == SAMPLEFORMAT_IEEEFP) return 1;
    // libtiff shows inks and Lab colours without a profile, the latter in the light of another white.
    if (layout.photometric == PHOTOMETRIC_SEPARATED || layout.is_lab) return 1;
    return layout.bits > 8 && layout.bits != 16;
}

// MARK: - Reading

static pp_status allocate(pp_tiff_canvas *canvas) {
    const pp_tiff_layout *layout = &canvas->layout;
    if (layout->format == SAMPLEFORMAT_IEEEFP && layout->photometric != PHOTOMETRIC_SEPARATED) {
        canvas->light.has_alpha = layout->alpha >= 0;
        canvas->light.is_premultiplied = layout->is_premultiplied;
        return pp_light_allocate(&canvas->light, canvas->width, canvas->height);
    }
    if (!pp_is_decodable_size(canvas->width, canvas->height)) return PP_TOO_LARGE;
    // CMYK has no room for alpha, and hardly any file has both.
    canvas->channels = layout->colours == 4 || layout->alpha >= 0 ? 4 : 3;
    canvas->pixels = calloc((size_t)canvas->width * canvas->channels, canvas->height);
    return canvas->pixels ? PP_OK : PP_TOO_LARGE;
}

// Returns the number of pieces that were read; those that are damaged stay black.
static uint32_t read_tiles(TIFF *tiff, pp_tiff_canvas *canvas, uint8_t *buffer, tmsize_t size) {
    uint32_t width = 0, height = 0, count = 0;
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &height);
    const tmsize_t row_size = TIFFTileRowSize(tiff);
    if (width == 0 || height == 0 || row_size <= 0 || row_size > size / (tmsize_t)height) return 0;
    const int planes = canvas->layout.is_planar ? canvas->layout.samples : 1;
    for (int plane = 0; plane < planes; plane++) {
        for (uint64_t y = 0; y < canvas->height; y += height) {
            for (uint64_t x = 0; x < canvas->width; x += width) {
                uint32_t number =
                    TIFFComputeTile(tiff, (uint32_t)x, (uint32_t)y, 0, (uint16_t)plane);
                if (TIFFReadEncodedTile(tiff, number, buffer, size) < 0) continue;
                count++;
                uint64_t columns = canvas->width - x < width ? canvas->width - x : width;
                for (uint32_t row = 0; row < height && y + row < canvas->height; row++) {
                    pp_tiff_put_row(canvas, buffer + (tmsize_t)row * row_size, (uint32_t)x,
                                    (uint32_t)y + row, (uint32_t)columns,
                                    canvas->layout.is_planar ? plane : -1);
                }
            }
        }
    }
    return count;
}

static uint32_t read_rows(TIFF *tiff, pp_tiff_canvas *canvas, uint8_t *buffer) {
    uint32_t count = 0;
    const int planes = canvas->layout.is_planar ? canvas->layout.samples : 1;
    for (int plane = 0; plane < planes; plane++) {
        for (uint32_t y = 0; y < canvas->height; y++) {
            if (TIFFReadScanline(tiff, buffer, y, (uint16_t)plane) < 0) break;
            pp_tiff_put_row(canvas, buffer, 0, y, canvas->width,
                            canvas->layout.is_planar ? plane : -1);
            count++;
        }
    }
    return count;
}

static pp_status read_samples(TIFF *tiff, pp_tiff_canvas *canvas) {
    const int is_tiled = TIFFIsTiled(tiff);
    const tmsize_t size = is_tiled ? TIFFTileSize(tiff) : TIFFScanlineSize(tiff);
    if (size <= 0) return PP_DAMAGED;
    if (size > MOST_PIECE) return PP_TOO_LARGE;
    // Every row must hold the samples that put_row takes from it.
    const uint64_t samples = canvas->layout.is_planar ? 1 : canvas->layout.samples;
    uint32_t columns = canvas->width;
    if (is_tiled && TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &columns) != 1) return PP_DAMAGED;
    const tmsize_t row_size = is_tiled ? TIFFTileRowSize(tiff) : size;
    if (row_size <= 0 || (columns * samples * canvas->layout.bits + 7) / 8 > (uint64_t)row_size) {
        return PP_UNSUPPORTED;
    }
    uint8_t *buffer = calloc(1, (size_t)size);
    if (!buffer) return PP_TOO_LARGE;
    uint32_t count =
        is_tiled ? read_tiles(tiff, canvas, buffer, size) : read_rows(tiff, canvas, buffer);
    free(buffer);
    return count > 0 ? PP_OK : PP_DAMAGED;
}

// MARK: - Colour

// Converts light with the embedded profile to the primaries of sRGB. A profile describes linear
// values only if its curves are linear, as those of light are.
static void convert_light(TIFF *tiff, pp_tiff_canvas *canvas) {
    pp_picture with_profile = {0};
    pp_tiff_copy_profile(tiff, &with_profile);
    pp_light *light = &canvas->light;
    pp_colour *colour = !with_profile.profile || canvas->layout.colours != 3
                            ? NULL
                            : pp_colour_to_light(with_profile.profile, with_profile.profile_size);
    float *row = colour ? malloc((size_t)light->width * 4 * sizeof *row) : NULL;
    for (uint32_t y = 0; row && y < light->height; y++) {
        const uint16_t *from = light->samples + (size_t)y * light->width * 4;
        for (size_t i = 0; i < (size_t)light->width * 4; i++) row[i] = pp_float_from_half(from[i]);
        pp_colour_convert(colour, (const uint8_t *)row, (uint8_t *)row, light->width);
        for (uint32_t x = 0; x < light->width; x++) pp_light_put(light, x, y, row + (size_t)x * 4);
    }
    free(row);
    pp_colour_free(colour);
    free(with_profile.profile);
}

// Without a profile: multiplies the light that each ink leaves.
static void convert_inks(const pp_colour *colour, const uint8_t *inks, uint8_t *row,
                         uint32_t count) {
    if (colour) {
        pp_colour_convert(colour, inks, row, count);
        return;
    }
    for (uint32_t x = 0; x < count; x++, inks += 4, row += 3) {
        for (int channel = 0; channel < 3; channel++) {
            unsigned light = (255u - inks[channel]) * (255u - inks[3]);
            row[channel] = (uint8_t)((light + 127) / 255);
        }
    }
}

static pp_status show_inks(TIFF *tiff, pp_tiff_canvas *canvas) {
    uint8_t *row = malloc((size_t)canvas->width * 3);
    if (!row) return PP_TOO_LARGE;
    pp_picture with_profile = {0};
    pp_tiff_copy_profile(tiff, &with_profile);
    pp_colour *colour = with_profile.profile
                            ? pp_colour_from_profile(with_profile.profile,
                                                     with_profile.profile_size, PP_CMYK, 4)
                            : NULL;
    for (uint32_t y = 0; y < canvas->height; y++) {
        convert_inks(colour, canvas->pixels + (size_t)y * canvas->width * 4, row, canvas->width);
        // A row of the result is shorter than one of inks.
        memcpy(canvas->pixels + (size_t)y * canvas->width * 3, row, (size_t)canvas->width * 3);
    }
    pp_colour_free(colour);
    free(with_profile.profile);
    free(row);
    canvas->channels = 3;
    return PP_OK;
}

static pp_status show_lab(pp_tiff_canvas *canvas) {
    pp_colour *colour = pp_colour_from_lab();
    if (!colour) return PP_TOO_LARGE;
    for (uint32_t y = 0; y < canvas->height; y++) {
        uint8_t *row = canvas->pixels + (size_t)y * canvas->width * 3;
        pp_colour_convert(colour, row, row, canvas->width);
    }
    pp_colour_free(colour);
    return PP_OK;
}

static pp_status show(TIFF *tiff, pp_tiff_canvas *canvas, pp_picture *picture) {
    if (canvas->light.samples) {
        convert_light(tiff, canvas);
        pp_light_show(&canvas->light, picture);
        return PP_OK;
    }
    if (canvas->layout.colours == 4) {
        pp_status status = show_inks(tiff, canvas);
        if (status) return status;
    } else if (canvas->layout.is_lab) {
        // A profile describes how the Lab colours were made, or how to print them.
        pp_status status = show_lab(canvas);
        if (status) return status;
    } else {
        pp_tiff_copy_profile(tiff, picture);
    }
    picture->width = canvas->width;
    picture->height = canvas->height;
    picture->channels = canvas->channels;
    picture->stride = (size_t)canvas->width * canvas->channels;
    picture->pixels = canvas->pixels;
    canvas->pixels = NULL;
    if (canvas->layout.is_premultiplied && canvas->channels == 4) pp_picture_unpremultiply(picture);
    return PP_OK;
}

pp_status pp_tiff_decode_samples(TIFF *tiff, uint32_t width, uint32_t height,
                                 pp_picture *picture) {
    pp_tiff_canvas canvas = {.width = width, .height = height};
    if (!read_layout(tiff, &canvas.layout)) return PP_UNSUPPORTED;
    pp_status status = allocate(&canvas);
    if (!status) status = read_samples(tiff, &canvas);
    if (!status) status = show(tiff, &canvas, picture);
    free(canvas.pixels);
    pp_light_free(&canvas.light);
    return status;
}
