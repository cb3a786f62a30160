// SPDX-License-Identifier: MIT
// The merged picture of a Photoshop document. Layers are not read: programs that write such files
// store what the layers look like together.
// Source: Adobe, “Photoshop File Formats Specification”.

#include "light.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_SIZE = 26,
    MOST_CHANNELS = 56,
    MOST_RESOURCES = 10000,
    MOST_METADATA = 8 << 20,
    PALETTE_SIZE = 768,
    PROFILE = 1039,
    EXIF = 1058,
    HIGH_DEPTH_LAYERS = 16,
};

typedef enum mode {
    BITMAP = 0,
    GREY = 1,
    INDEXED = 2,
    RGB = 3,
    CMYK = 4,
    MULTICHANNEL = 7,
    DUOTONE = 8,
    LAB = 9,
} mode;

typedef struct document {
    pp_stream file;
    // Version 2 has longer numbers, for larger pictures.
    int is_large;
    unsigned channels;
    uint32_t width;
    uint32_t height;
    unsigned depth;
    unsigned mode;
    uint8_t palette[PALETTE_SIZE];
    // The offsets of what follows one another in the file.
    uint64_t resources;
    uint64_t layers;
    uint64_t pixels;
    pp_bytes profile;
    pp_bytes exif;
} document;

// MARK: - Header

// Reads a number of 2, 4 or 8 bytes. At the end of the file it is 0.
static uint64_t read_number(pp_stream *file, size_t width) {
    uint8_t bytes[8] = {0};
    if (pp_stream_read(file, bytes, width) != width) return 0;
    uint64_t number = 0;
    for (size_t i = 0; i < width; i++) number = number << 8 | bytes[i];
    return number;
}

// The end of a section whose length follows; no section ends outside the largest file.
static uint64_t end_of_section(pp_stream *file, size_t width) {
    uint64_t length = read_number(file, width);
    uint64_t start = pp_stream_tell(file);
    return length < INT64_MAX / 4 ? start + length : INT64_MAX / 4;
}

static int read_header(document *self, int fd) {
    uint8_t bytes[HEADER_SIZE];
    pp_stream_open(&self->file, fd);
    if (pp_stream_read(&self->file, bytes, sizeof bytes) != sizeof bytes) return 0;
    const uint32_t version = pp_big16(bytes + 4);
    if (memcmp(bytes, "8BPS", 4) != 0 || version < 1 || version > 2) return 0;
    self->is_large = version == 2;
    self->channels = pp_big16(bytes + 12);
    self->height = pp_big32(bytes + 14);
    self->width = pp_big32(bytes + 18);
    self->depth = pp_big16(bytes + 22);
    self->mode = pp_big16(bytes + 24);
    if (self->channels < 1 || self->channels > MOST_CHANNELS) return 0;
    // Colours of the mode: a palette, or the curves of a duotone.
    uint64_t end = end_of_section(&self->file, 4);
    if (self->mode == INDEXED) pp_stream_read(&self->file, self->palette, PALETTE_SIZE);
    pp_stream_seek(&self->file, end);
    uint64_t layers = end_of_section(&self->file, 4);
    self->resources = pp_stream_tell(&self->file);
    self->layers = layers;
    pp_stream_seek(&self->file, layers);
    self->pixels = end_of_section(&self->file, self->is_large ? 8 : 4);
    return 1;
}

// Reads the value of a resource.
static void take(pp_stream *file, uint64_t size, pp_bytes *value) {
    if (value->bytes || size == 0 || size > MOST_METADATA) return;
    value->bytes = malloc((size_t)size);
    if (!value->bytes) return;
    value->count = pp_stream_read(file, value->bytes, (size_t)size);
}

static void read_resources(document *self) {
    pp_stream *file = &self->file;
    pp_stream_seek(file, self->resources);
    for (int count = 0; count < MOST_RESOURCES && pp_stream_tell(file) < self->layers; count++) {
        uint8_t head[7];
        if (pp_stream_read(file, head, sizeof head) != sizeof head) return;
        if (memcmp(head, "8BIM", 4) != 0) return;
        const uint32_t number = pp_big16(head + 4);
        // The name, with its length, has an even number of bytes, and so has the value.
        pp_stream_seek(file, pp_stream_tell(file) + (head[6] | 1));
        const uint64_t size = read_number(file, 4), start = pp_stream_tell(file);
        if (number == PROFILE) take(file, size, &self->profile);
        if (number == EXIF) take(file, size, &self->exif);
        pp_stream_seek(file, start + size + size % 2);
    }
}

pp_status pp_psd_read_facts(int fd, pp_facts *facts) {
    document *self = calloc(1, sizeof *self);
    if (!self) return PP_TOO_LARGE;
    pp_status status = PP_DAMAGED;
    if (read_header(self, fd)) {
        read_resources(self);
        facts->width = self->width;
        facts->height = self->height;
        facts->exif = self->exif.bytes;
        facts->exif_size = self->exif.count;
        free(self->profile.bytes);
        status = PP_OK;
    }
    free(self);
    return status;
}

// MARK: - Transparency

// Whether the first channel after the colours is the transparency of the merged picture; otherwise
// it is a selection that somebody kept. The number of layers is then negative.
static int has_transparency(document *self) {
    pp_stream *file = &self->file;
    const size_t width = self->is_large ? 8 : 4;
    pp_stream_seek(file, self->layers + width);
    uint64_t end = end_of_section(file, width);
    if (end > pp_stream_tell(file)) return (int16_t)read_number(file, 2) < 0;
    // With 16 and 32 bits, the layers are in a block of their own, after the mask.
    pp_stream_seek(file, end_of_section(file, 4));
    for (int count = 0; count < HIGH_DEPTH_LAYERS && pp_stream_tell(file) < self->pixels; count++) {
        uint8_t head[8];
        if (pp_stream_read(file, head, sizeof head) != sizeof head) return 0;
        if (memcmp(head, "8BIM", 4) != 0 && memcmp(head, "8B64", 4) != 0) return 0;
        const int has_layers = memcmp(head + 4, "Lr", 2) == 0;
        const uint64_t next = end_of_section(file, has_layers ? width : 4);
        if (has_layers) return (int16_t)read_number(file, 2) < 0;
        pp_stream_seek(file, next + (4 - next % 4) % 4);
    }
    return 0;
}

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

static int start_planes(document *self, planes *planes) {
    pp_stream *file = &self->file;
    pp_stream_seek(file, self->pixels);
    const uint64_t compression = read_number(file, 2);
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
static uint64_t *read_sizes(document *self, const planes *planes, unsigned channel) {
    uint64_t *sizes = calloc(self->height, sizeof *sizes);
    if (!sizes) return NULL;
    pp_stream_seek(&self->file,
                   planes->sizes + (uint64_t)channel * self->height * planes->size_width);
    for (uint32_t y = 0; y < self->height; y++) {
        sizes[y] = read_number(&self->file, planes->size_width);
    }
    return sizes;
}

typedef void put_row(document *self, void *canvas, unsigned channel, uint32_t y,
                     const uint8_t *row);

// Reads one channel after the other. Returns whether a row was there.
static pp_status read_planes(document *self, unsigned count, put_row *put, void *canvas) {
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

static void put_bytes(document *self, void *canvas, unsigned channel, uint32_t y,
                      const uint8_t *row) {
    pp_picture *picture = canvas;
    uint8_t *pixel = picture->pixels + y * picture->stride;
    const int is_grey = self->mode != RGB && self->mode != CMYK && self->mode != LAB;
    const unsigned place = is_grey && channel == 1 ? 3 : channel;
    for (uint32_t x = 0; x < self->width; x++, pixel += picture->channels) {
        if (self->mode == BITMAP) {
            memset(pixel, row[x / 8] >> (7 - x % 8) & 1 ? 0 : 255, 3);
            continue;
        }
        uint32_t value = row[x];
        if (self->depth == 16) value = (pp_big16(row + (size_t)x * 2) * 255 + 32767) / 65535;
        if (self->mode == INDEXED && channel == 0) {
            for (unsigned i = 0; i < 3; i++) pixel[i] = self->palette[i * 256 + value];
        } else if (is_grey && channel == 0) {
            memset(pixel, (int)value, 3);
        } else {
            pixel[place] = (uint8_t)value;
        }
    }
}

static void put_light(document *self, void *canvas, unsigned channel, uint32_t y,
                      const uint8_t *row) {
    pp_light *light = canvas;
    uint16_t *pixel = light->samples + (size_t)y * light->width * 4;
    for (uint32_t x = 0; x < self->width; x++, pixel += 4) {
        uint32_t word = pp_big32(row + (size_t)x * 4);
        float value;
        memcpy(&value, &word, sizeof value);
        const uint16_t half = value > 0 ? pp_half_from_float(value) : 0;
        if (self->mode == GREY) {
            if (channel == 0) pixel[0] = pixel[1] = pixel[2] = half;
            if (channel == 1) pixel[3] = half;
        } else {
            pixel[channel] = half;
        }
    }
}

// Converts rows of inks, or of Lab, to RGB in place; a pixel does not get longer.
static pp_status convert(document *self, pp_picture *picture) {
    pp_colour *colour =
        self->mode == LAB ? pp_colour_from_lab()
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

static unsigned colours_of(const document *self) {
    switch (self->mode) {
    case RGB:
    case LAB:
        return 3;
    case CMYK:
        return 4;
    case BITMAP:
    case GREY:
    case INDEXED:
    case MULTICHANNEL:
    case DUOTONE:
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

static pp_status decode_light(document *self, int has_alpha, pp_picture *picture) {
    pp_light light = {.has_alpha = has_alpha};
    pp_status status = pp_light_allocate(&light, self->width, self->height);
    if (!status) {
        status = read_planes(self, colours_of(self) + (unsigned)has_alpha, put_light, &light);
    }
    if (!status) pp_light_show(&light, picture);
    pp_light_free(&light);
    return status;
}

static pp_status decode(document *self, pp_picture *picture) {
    const unsigned colours = colours_of(self);
    const unsigned depth = self->mode == BITMAP ? 1 : self->mode == INDEXED ? 8 : self->depth;
    if (colours == 0 || colours > self->channels || self->depth != depth ||
        (depth != 1 && depth != 8 && depth != 16 && depth != 32) ||
        (depth == 1 && self->mode != BITMAP)) {
        return PP_UNSUPPORTED;
    }
    if (!pp_is_decodable_size(self->width, self->height)) return PP_TOO_LARGE;
    const int has_alpha = self->channels > colours && (self->mode == RGB || self->mode == GREY) &&
                          has_transparency(self);
    if (depth == 32) {
        if (self->mode != RGB && self->mode != GREY) return PP_UNSUPPORTED;
        return decode_light(self, has_alpha, picture);
    }
    read_resources(self);
    pp_status status = pp_picture_allocate(picture, self->width, self->height,
                                           has_alpha || colours == 4 ? 4 : 3);
    if (!status) status = read_planes(self, colours + (unsigned)has_alpha, put_bytes, picture);
    if (status) return status;
    if (self->mode == CMYK || self->mode == LAB) return convert(self, picture);
    if (has_alpha) remove_white(picture);
    if (self->mode == RGB) {
        picture->profile = self->profile.bytes;
        picture->profile_size = self->profile.count;
        self->profile.bytes = NULL;
    }
    return PP_OK;
}

pp_status pp_psd_decode(int fd, pp_picture *picture) {
    document *self = calloc(1, sizeof *self);
    if (!self) return PP_TOO_LARGE;
    pp_status status = read_header(self, fd) ? decode(self, picture) : PP_DAMAGED;
    free(self->profile.bytes);
    free(self->exif.bytes);
    free(self);
    return status;
}
