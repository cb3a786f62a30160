// SPDX-License-Identifier: MIT
// The merged picture of a Photoshop document. Layers are not read: programs that write such files
// store what the layers look like together.

#include "light.h"
#include "psd.h"

#include <stdlib.h>
#include <string.h>

// MARK: - Pixels

// Where the samples of a channel are, and how to read them.
typedef struct planes {
    int is_compressed;
    size_t row_size;
    // The offset of the next row, for each channel in turn.
    uint64_t offset;
    // The sizes of the compressed rows.
    uint64_t sizes;
    size_t size_width;
} planes;

// PackBits. What is missing stays as it is.
static void unpack(const uint8_t *packed, size_t count, uint8_t *row, size_t size) {
    size_t position = 0, done = 0;
    while (position < count && done < size) {
        uint8_t head = packed[position++];
        if (head == 128) continue;
        size_t length = head < 128 ? (size_t)head + 1 : 257 - (size_t)head;
        if (length > size - done) length = size - done;
        if (head > 128) {
            if (position == count) return;
            memset(row + done, packed[position++], length);
        } else {
            if (length > count - position) length = count - position;
            memcpy(row + done, packed + position, length);
            position += length;
        }
        done += length;
    }
}

static int start_planes(pp_psd *self, planes *planes) {
    pp_stream *file = &self->file;
    pp_stream_seek(file, self->pixels);
    const uint64_t compression = pp_psd_number(file, 2);
    planes->is_compressed = compression == 1;
    planes->row_size = ((size_t)self->width * self->depth + 7) / 8;
    planes->offset = self->pixels + 2;
    planes->sizes = planes->offset;
    planes->size_width = self->is_large ? 4 : 2;
    if (planes->is_compressed) {
        planes->offset += (uint64_t)self->channels * self->height * planes->size_width;
    }
    return compression <= 1;
}

// Reads the sizes of the rows of one channel.
static uint64_t *read_sizes(pp_psd *self, const planes *planes, unsigned channel) {
    uint64_t *sizes = calloc(self->height, sizeof *sizes);
    if (!sizes) return NULL;
    pp_stream_seek(&self->file,
                   planes->sizes + (uint64_t)channel * self->height * planes->size_width);
    for (uint32_t y = 0; y < self->height; y++) {
        sizes[y] = pp_psd_number(&self->file, planes->size_width);
    }
    return sizes;
}

typedef void put_row(pp_psd *self, void *canvas, unsigned channel, uint32_t y,
                     const uint8_t *row);

// Reads one channel after the other. Returns whether a row was there.
static pp_status read_planes(pp_psd *self, unsigned count, put_row *put, void *canvas) {
    planes planes;
    if (!start_planes(self, &planes)) return PP_UNSUPPORTED;
    // The longest PackBits: one byte more for 128.
    const size_t most = planes.row_size + planes.row_size / 64 + 64;
    uint8_t *row = calloc(1, planes.row_size), *packed = malloc(most);
    pp_status status = row && packed ? PP_DAMAGED : PP_TOO_LARGE;
    for (unsigned channel = 0; status != PP_TOO_LARGE && channel < count; channel++) {
        uint64_t *sizes = planes.is_compressed ? read_sizes(self, &planes, channel) : NULL;
        if (planes.is_compressed && !sizes) status = PP_TOO_LARGE;
        for (uint32_t y = 0; status != PP_TOO_LARGE && y < self->height; y++) {
            const uint64_t size = sizes ? sizes[y] : planes.row_size;
            pp_stream_seek(&self->file, planes.offset);
            planes.offset += size;
            const size_t wanted = size < most ? (size_t)size : most;
            const size_t received = pp_stream_read(&self->file, packed, wanted);
            if (received == 0) break;
            memset(row, 0, planes.row_size);
            if (sizes) {
                unpack(packed, received, row, planes.row_size);
            } else {
                memcpy(row, packed, received < planes.row_size ? received : planes.row_size);
            }
            put(self, canvas, channel, y, row);
            status = PP_OK;
        }
        free(sizes);
    }
    free(row);
    free(packed);
    return status;
}

// MARK: - Colours

static void put_bytes(pp_psd *self, void *canvas, unsigned channel, uint32_t y,
                      const uint8_t *row) {
    pp_picture *picture = canvas;
    uint8_t *pixel = picture->pixels + y * picture->stride;
    const int is_grey = self->mode != PP_PSD_RGB && self->mode != PP_PSD_CMYK &&
                        self->mode != PP_PSD_LAB;
    const unsigned place = is_grey && channel == 1 ? 3 : channel;
    for (uint32_t x = 0; x < self->width; x++, pixel += picture->channels) {
        if (self->mode == PP_PSD_BITMAP) {
            memset(pixel, row[x / 8] >> (7 - x % 8) & 1 ? 0 : 255, 3);
            continue;
        }
        uint32_t value = row[x];
        if (self->depth == 16) value = (pp_big16(row + (size_t)x * 2) * 255 + 32767) / 65535;
        if (self->mode == PP_PSD_INDEXED && channel == 0) {
            for (unsigned i = 0; i < 3; i++) pixel[i] = self->palette[i * 256 + value];
        } else if (is_grey && channel == 0) {
            memset(pixel, (int)value, 3);
        } else {
            pixel[place] = (uint8_t)value;
        }
    }
}

static void put_light(pp_psd *self, void *canvas, unsigned channel, uint32_t y,
                      const uint8_t *row) {
    pp_light *light = canvas;
    uint16_t *pixel = light->samples + (size_t)y * light->width * 4;
    for (uint32_t x = 0; x < self->width; x++, pixel += 4) {
        uint32_t word = pp_big32(row + (size_t)x * 4);
        float value;
        memcpy(&value, &word, sizeof value);
        const uint16_t half = value > 0 ? pp_half_from_float(value) : 0;
        if (self->mode == PP_PSD_GREY) {
            if (channel == 0) pixel[0] = pixel[1] = pixel[2] = half;
            if (channel == 1) pixel[3] = half;
        } else {
            pixel[channel] = half;
        }
    }
}

// Converts rows of inks, or of Lab, to RGB in place; a pixel does not get longer.
static pp_status convert(pp_psd *self, pp_picture *picture) {
    pp_colour *colour =
        self->mode == PP_PSD_LAB ? pp_colour_from_lab()
        : self->profile.bytes
            ? pp_colour_from_profile(self->profile.bytes, self->profile.count, PP_CMYK_INVERTED, 4)
            : NULL;
    uint8_t *row = malloc((size_t)picture->width * 3);
    for (uint32_t y = 0; row && y < picture->height; y++) {
        const uint8_t *from = picture->pixels + y * picture->stride;
        if (colour) {
            pp_colour_convert(colour, from, row, picture->width);
        } else {
            // Multiplies the light that each ink leaves.
            for (uint32_t x = 0; x < picture->width; x++, from += picture->channels) {
                for (int i = 0; i < 3; i++) {
                    row[(size_t)x * 3 + (unsigned)i] = (uint8_t)((from[i] * from[3] + 127) / 255);
                }
            }
        }
        memcpy(picture->pixels + (size_t)y * picture->width * 3, row, (size_t)picture->width * 3);
    }
    pp_colour_free(colour);
    picture->channels = 3;
    picture->stride = (size_t)picture->width * 3;
    if (!row) return PP_TOO_LARGE;
    free(row);
    return PP_OK;
}

static unsigned colours_of(const pp_psd *self) {
    switch (self->mode) {
    case PP_PSD_RGB:
    case PP_PSD_LAB:
        return 3;
    case PP_PSD_CMYK:
        return 4;
    case PP_PSD_BITMAP:
    case PP_PSD_GREY:
    case PP_PSD_INDEXED:
    case PP_PSD_MULTICHANNEL:
    case PP_PSD_DUOTONE:
        return 1;
    default:
        return 0;
    }
}

// Photoshop blends colours of merged pictures with white where they are transparent.
static void remove_white(pp_picture *picture) {
    const size_t count = (size_t)picture->width * picture->height;
    uint8_t *pixel = picture->pixels;
    for (size_t index = 0; index < count; index++, pixel += 4) {
        const int alpha = pixel[3];
        if (alpha == 0 || alpha == 255) continue;
        for (int channel = 0; channel < 3; channel++) {
            int value = 255 - ((255 - pixel[channel]) * 255 + alpha / 2) / alpha;
            pixel[channel] = value < 0 ? 0 : (uint8_t)value;
        }
    }
}

static pp_status decode_light(pp_psd *self, int has_alpha, pp_picture *picture) {
    pp_light light = {.has_alpha = has_alpha};
    pp_status status = pp_light_allocate(&light, self->width, self->height);
    if (!status) {
        status = read_planes(self, colours_of(self) + (unsigned)has_alpha, put_light, &light);
    }
    if (!status) pp_light_show(&light, picture);
    pp_light_free(&light);
    return status;
}

static pp_status decode(pp_psd *self, pp_picture *picture) {
    const unsigned colours = colours_of(self);
    const unsigned mode = self->mode;
    const unsigned depth = mode == PP_PSD_BITMAP ? 1 : mode == PP_PSD_INDEXED ? 8 : self->depth;
    const int is_plain = mode == PP_PSD_RGB || mode == PP_PSD_GREY;
    if (colours == 0 || colours > self->channels || self->depth != depth ||
        (depth != 1 && depth != 8 && depth != 16 && depth != 32) ||
        (depth == 1 && mode != PP_PSD_BITMAP)) {
        return PP_UNSUPPORTED;
    }
    if (!pp_is_decodable_size(self->width, self->height)) return PP_TOO_LARGE;
    const int has_alpha =
        self->channels > colours && is_plain && pp_psd_has_transparency(self);
    if (depth == 32) {
        return is_plain ? decode_light(self, has_alpha, picture) : PP_UNSUPPORTED;
    }
    pp_psd_read_resources(self);
    pp_status status = pp_picture_allocate(picture, self->width, self->height,
                                           has_alpha || colours == 4 ? 4 : 3);
    if (!status) status = read_planes(self, colours + (unsigned)has_alpha, put_bytes, picture);
    if (status) return status;
    if (mode == PP_PSD_CMYK || mode == PP_PSD_LAB) return convert(self, picture);
    if (has_alpha) remove_white(picture);
    if (is_plain) {
        picture->profile = self->profile.bytes;
        picture->profile_size = self->profile.count;
        self->profile.bytes = NULL;
    }
    return PP_OK;
}

pp_status pp_psd_decode(int fd, pp_picture *picture) {
    pp_psd *self = calloc(1, sizeof *self);
    if (!self) return PP_TOO_LARGE;
    pp_status status = pp_psd_read_header(self, fd) ? decode(self, picture) : PP_DAMAGED;
    free(self->profile.bytes);
    free(self->exif.bytes);
    free(self);
    return status;
}
