// SPDX-License-Identifier: MIT
// Source: ITU-T H.273, 8.3, for matrices and ranges.

#include "heif-colour.h"

#include <math.h>
#include <stdlib.h>

enum {
    // The fractional bits of a factor of samples of 8 bits. It fits in 16 bits, because none is 4 or more.
    FRACTION = 13,
    LEAST_BITS = 8,
    MOST_BITS = 12,
};

typedef struct plane {
    const uint8_t *bytes;
    size_t stride;
    uint32_t width;
    uint32_t height;
    unsigned bits;
    // How many bits less a position in the plane has than one in the picture.
    unsigned across;
    unsigned down;
} plane;

// A sample of R, G or B is the sum of the products of three samples with these factors, and of
// `constant`, without `shift` fractional bits.
typedef struct mix {
    int16_t light;
    int16_t blue;
    int16_t red;
    unsigned shift;
    int32_t constant;
} mix;

// How the light in a matrix is made of red and blue.
typedef struct weights {
    double red;
    double blue;
} weights;

// Room for the samples of a row, and for its red, green and blue.
typedef struct room {
    int16_t *light;
    int16_t *blue;
    int16_t *red;
    uint8_t *colours[3];
} room;

// MARK: - Planes

static int get_plane(const struct heif_image *image, enum heif_channel channel, plane *plane) {
    int stride = 0;
    plane->bytes = heif_image_get_plane_readonly(image, channel, &stride);
    const int width = heif_image_get_width(image, channel);
    const int height = heif_image_get_height(image, channel);
    const int bits = heif_image_get_bits_per_pixel_range(image, channel);
    if (!plane->bytes || stride <= 0 || width <= 0 || height <= 0) return 0;
    if (bits < LEAST_BITS || bits > MOST_BITS) return 0;
    plane->stride = (size_t)stride;
    plane->width = (uint32_t)width;
    plane->height = (uint32_t)height;
    plane->bits = (unsigned)bits;
    plane->across = plane->down = 0;
    return plane->stride >= plane->width * (size_t)(bits > 8 ? 2 : 1);
}

// Whether a plane has one sample for each pixel of the first, or for two in a direction.
static int fits(plane *plane, const struct plane *first) {
    plane->across = plane->width < first->width;
    plane->down = plane->height < first->height;
    return plane->bits == first->bits &&
           plane->width == (first->width + plane->across) >> plane->across &&
           plane->height == (first->height + plane->down) >> plane->down;
}

// Reads the samples for a row of the picture. None exceeds its range, so that no sum overflows.
static void read_row(const plane *plane, uint32_t y, uint32_t width, int16_t *restrict samples) {
    const uint8_t *bytes = plane->bytes + (y >> plane->down) * plane->stride;
    const uint16_t *words = (const uint16_t *)(const void *)bytes;
    const uint16_t most = (uint16_t)((1 << plane->bits) - 1);
    if (plane->bits == 8 && !plane->across) {
        for (uint32_t x = 0; x < width; x++) samples[x] = bytes[x];
    } else if (plane->bits == 8) {
        for (uint32_t x = 0; x < width; x++) samples[x] = bytes[x >> 1];
    } else {
        for (uint32_t x = 0; x < width; x++) {
            const uint16_t word = words[x >> plane->across];
            samples[x] = (int16_t)(word < most ? word : most);
        }
    }
}

// MARK: - Colours

static int16_t factor(double value, unsigned shift) { return (int16_t)lround(ldexp(value, (int)shift)); }

// Completes a mix for samples that mean nothing at an offset.
static mix mixed(double light, double blue, double red, unsigned bits, int32_t light_offset,
                 int32_t colour_offset) {
    const unsigned shift = FRACTION + bits - 8;
    mix mix = {factor(light, shift), factor(blue, shift), factor(red, shift), shift, 0};
    mix.constant = (1 << (shift - 1)) - mix.light * light_offset -
                   (mix.blue + mix.red) * colour_offset;
    return mix;
}

// The weights of a matrix; 0 if it has none, or if they are rare.
static int get_weights(int matrix, weights *weights) {
    switch (matrix) {
    case heif_matrix_coefficients_ITU_R_BT_709_5:
        *weights = (struct weights){0.2126, 0.0722};
        return 1;
    case heif_matrix_coefficients_unspecified:
    case heif_matrix_coefficients_ITU_R_BT_470_6_System_B_G:
    case heif_matrix_coefficients_ITU_R_BT_601_6:
        *weights = (struct weights){0.299, 0.114};
        return 1;
    case heif_matrix_coefficients_SMPTE_240M:
        *weights = (struct weights){0.212, 0.087};
        return 1;
    case heif_matrix_coefficients_ITU_R_BT_2020_2_non_constant_luminance:
        *weights = (struct weights){0.2627, 0.0593};
        return 1;
    default:
        return 0;
    }
}

// How samples of light and colour, or of green, blue and red, become R, G and B of 8 bits.
static int make_mixes(int matrix, int is_full, int has_colour, unsigned bits, mix *mixes) {
    const double most = (1 << bits) - 1;
    const double light = 255 / (is_full ? most : 219 << (bits - 8));
    const double colour = 255 / (is_full ? most : 224 << (bits - 8));
    const int32_t black = is_full ? 0 : 16 << (bits - 8);
    if (!has_colour) {
        mixes[0] = mixes[1] = mixes[2] = mixed(light, 0, 0, bits, black, 0);
        return 1;
    }
    if (matrix == heif_matrix_coefficients_RGB_GBR) {
        mixes[0] = mixed(0, 0, light, bits, black, black);
        mixes[1] = mixed(light, 0, 0, bits, black, black);
        mixes[2] = mixed(0, light, 0, bits, black, black);
        return 1;
    }
    weights part;
    if (!get_weights(matrix, &part)) return 0;
    const double red = 2 * (1 - part.red) * colour;
    const double blue = 2 * (1 - part.blue) * colour;
    const double green = 1 - part.red - part.blue;
    const int32_t middle = 1 << (bits - 1);
    mixes[0] = mixed(light, 0, red, bits, black, middle);
    mixes[1] = mixed(light, -blue * part.blue / green, -red * part.red / green, bits, black, middle);
    mixes[2] = mixed(light, blue, 0, bits, black, middle);
    return 1;
}

static void mix_row(const mix *mix, const room *room, uint32_t width, uint8_t *restrict to) {
    const int16_t *light = room->light, *blue = room->blue, *red = room->red;
    const int32_t by_light = mix->light, by_blue = mix->blue, by_red = mix->red;
    for (uint32_t x = 0; x < width; x++) {
        const int32_t sum = light[x] * by_light + blue[x] * by_blue + red[x] * by_red;
        const int32_t value = (sum + mix->constant) >> mix->shift;
        to[x] = value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
    }
}

// MARK: - Pictures

typedef struct planes {
    plane light, blue, red, alpha;
    mix mixes[3];
    int has_colour;
    int has_alpha;
    // Whether the planes are red, green and blue of 8 bits.
    int are_colours;
} planes;

static int get_planes(const struct heif_image *image, int has_alpha, planes *self) {
    const enum heif_colorspace space = heif_image_get_colorspace(image);
    const int is_rgb = space == heif_colorspace_RGB;
    if (!is_rgb && space != heif_colorspace_YCbCr && space != heif_colorspace_monochrome) return 0;
    self->has_colour = space != heif_colorspace_monochrome;
    self->has_alpha = has_alpha;
    plane *light = &self->light;
    if (!get_plane(image, is_rgb ? heif_channel_G : heif_channel_Y, light)) return 0;
    if (self->has_colour &&
        (!get_plane(image, is_rgb ? heif_channel_B : heif_channel_Cb, &self->blue) ||
         !get_plane(image, is_rgb ? heif_channel_R : heif_channel_Cr, &self->red) ||
         !fits(&self->blue, light) || !fits(&self->red, light))) {
        return 0;
    }
    if (has_alpha && (!get_plane(image, heif_channel_Alpha, &self->alpha) ||
                      self->alpha.width != light->width || self->alpha.height != light->height)) {
        return 0;
    }
    // Without a profile, files are as JPEGs are.
    int matrix = is_rgb ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_unspecified;
    int is_full = 1;
    struct heif_color_profile_nclx *coding = NULL;
    if (!is_rgb && heif_image_get_nclx_color_profile(image, &coding).code == 0 && coding) {
        matrix = (int)coding->matrix_coefficients;
        is_full = coding->full_range_flag;
        heif_nclx_color_profile_free(coding);
    }
    self->are_colours = is_rgb && light->bits == 8 && !self->blue.across && !self->blue.down &&
                        !self->red.across && !self->red.down;
    return make_mixes(matrix, is_full, self->has_colour, light->bits, self->mixes);
}

static void put_row(const uint8_t *red, const uint8_t *green, const uint8_t *blue, uint32_t width,
                    unsigned channels, uint8_t *restrict to) {
    for (uint32_t x = 0; x < width; x++, to += channels) {
        to[0] = red[x];
        to[1] = green[x];
        to[2] = blue[x];
    }
}

static void put_alpha(const planes *self, uint32_t y, uint32_t width, int16_t *samples,
                      uint8_t *restrict to) {
    const int32_t most = (1 << self->alpha.bits) - 1;
    read_row(&self->alpha, y, width, samples);
    for (uint32_t x = 0; x < width; x++) {
        to[x * 4 + 3] = (uint8_t)((samples[x] * 255 + most / 2) / most);
    }
}

static void convert_row(const planes *self, uint32_t y, const room *room, uint32_t width,
                        unsigned channels, uint8_t *to) {
    read_row(&self->light, y, width, room->light);
    if (self->has_colour) {
        read_row(&self->blue, y, width, room->blue);
        read_row(&self->red, y, width, room->red);
    }
    for (int i = 0; i < 3; i++) mix_row(&self->mixes[i], room, width, room->colours[i]);
    put_row(room->colours[0], room->colours[1], room->colours[2], width, channels, to);
}

static void convert(const planes *self, const room *room, pp_picture *picture) {
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *to = picture->pixels + y * picture->stride;
        if (self->are_colours) {
            put_row(self->red.bytes + y * self->red.stride,
                    self->light.bytes + y * self->light.stride,
                    self->blue.bytes + y * self->blue.stride, picture->width, picture->channels, to);
        } else {
            convert_row(self, y, room, picture->width, picture->channels, to);
        }
        if (self->has_alpha) put_alpha(self, y, picture->width, room->light, to);
    }
}

pp_status pp_heif_convert(const struct heif_image *image, int has_alpha, pp_picture *picture) {
    planes planes;
    if (!get_planes(image, has_alpha, &planes)) return PP_UNSUPPORTED;
    const uint32_t width = planes.light.width;
    int16_t *samples = calloc(width, 3 * sizeof *samples + 3);
    if (!samples) return PP_TOO_LARGE;
    pp_status status =
        pp_picture_allocate(picture, width, planes.light.height, has_alpha ? 4 : 3);
    if (!status) {
        uint8_t *colours = (uint8_t *)(samples + (size_t)width * 3);
        const room room = {
            samples,
            samples + width,
            samples + (size_t)width * 2,
            {colours, colours + width, colours + (size_t)width * 2},
        };
        convert(&planes, &room, picture);
    }
    free(samples);
    return status;
}
