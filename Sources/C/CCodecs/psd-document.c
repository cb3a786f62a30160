// SPDX-License-Identifier: MIT
// What precedes the merged picture of a Photoshop document.

#include "psd.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER_SIZE = 26,
    // Photoshop counts 56; some files also have one for the transparency.
    MOST_CHANNELS = 512,
    MOST_RESOURCES = 10000,
    MOST_METADATA = 8 << 20,
    PROFILE = 1039,
    EXIF = 1058,
    HIGH_DEPTH_LAYERS = 16,
};

// MARK: - Header

uint64_t pp_psd_number(pp_stream *file, size_t width) {
    uint8_t bytes[8] = {0};
    if (pp_stream_read(file, bytes, width) != width) return 0;
    uint64_t number = 0;
    for (size_t i = 0; i < width; i++) number = number << 8 | bytes[i];
    return number;
}

// The end of a section whose length follows; no section ends outside the largest file.
static uint64_t end_of_section(pp_stream *file, size_t width) {
    uint64_t length = pp_psd_number(file, width);
    uint64_t start = pp_stream_tell(file);
    return length < INT64_MAX / 4 ? start + length : INT64_MAX / 4;
}

int pp_psd_read_header(pp_psd *self, int fd) {
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
    if (self->mode == PP_PSD_INDEXED) {
        pp_stream_read(&self->file, self->palette, sizeof self->palette);
    }
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

void pp_psd_read_resources(pp_psd *self) {
    pp_stream *file = &self->file;
    pp_stream_seek(file, self->resources);
    for (int count = 0; count < MOST_RESOURCES && pp_stream_tell(file) < self->layers; count++) {
        uint8_t head[7];
        if (pp_stream_read(file, head, sizeof head) != sizeof head) return;
        if (memcmp(head, "8BIM", 4) != 0) return;
        const uint32_t number = pp_big16(head + 4);
        // The name, with its length, has an even number of bytes, and so has the value.
        pp_stream_seek(file, pp_stream_tell(file) + (head[6] | 1));
        const uint64_t size = pp_psd_number(file, 4), start = pp_stream_tell(file);
        if (number == PROFILE) take(file, size, &self->profile);
        if (number == EXIF) take(file, size, &self->exif);
        pp_stream_seek(file, start + size + size % 2);
    }
}

pp_status pp_psd_read_facts(int fd, pp_facts *facts) {
    pp_psd *self = calloc(1, sizeof *self);
    if (!self) return PP_TOO_LARGE;
    pp_status status = PP_DAMAGED;
    if (pp_psd_read_header(self, fd)) {
        pp_psd_read_resources(self);
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

// The number of layers is negative if there is transparency.
int pp_psd_has_transparency(pp_psd *self) {
    pp_stream *file = &self->file;
    const size_t width = self->is_large ? 8 : 4;
    pp_stream_seek(file, self->layers + width);
    uint64_t end = end_of_section(file, width);
    if (end > pp_stream_tell(file)) return (int16_t)pp_psd_number(file, 2) < 0;
    // With 16 and 32 bits, the layers are in a block of their own, after the mask.
    pp_stream_seek(file, end_of_section(file, 4));
    for (int count = 0; count < HIGH_DEPTH_LAYERS && pp_stream_tell(file) < self->pixels; count++) {
        uint8_t head[8];
        if (pp_stream_read(file, head, sizeof head) != sizeof head) return 0;
        if (memcmp(head, "8BIM", 4) != 0 && memcmp(head, "8B64", 4) != 0) return 0;
        const int has_layers = memcmp(head + 4, "Lr", 2) == 0;
        const uint64_t next = end_of_section(file, has_layers ? width : 4);
        if (has_layers) return (int16_t)pp_psd_number(file, 2) < 0;
        pp_stream_seek(file, next + (4 - next % 4) % 4);
    }
    return 0;
}
