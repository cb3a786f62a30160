// SPDX-License-Identifier: MIT

#define _GNU_SOURCE // memmem

#include "light.h"

#include <endian.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int read_failure;

ssize_t pp_read_at(int fd, void *bytes, size_t count, off_t offset) {
    ssize_t received;
    do {
        received = pread(fd, bytes, count, offset);
    } while (received < 0 && errno == EINTR);
    // A damaged file may name an offset that no file has.
    if (received < 0 && errno != EINVAL && errno != EOVERFLOW) atomic_store(&read_failure, 1);
    return received;
}

int pp_take_read_failure(void) { return atomic_exchange(&read_failure, 0); }

pp_status pp_read_file(int fd, size_t limit, int may_cut, pp_bytes *file) {
    // The current size of the file is not trusted, because the file may grow or shrink while we
    // read.
    size_t capacity = 65536;
    uint8_t *bytes = malloc(capacity);
    size_t count = 0;
    while (bytes) {
        ssize_t received = pp_read_at(fd, bytes + count, capacity - count, (off_t)count);
        if (received < 0) break;
        count += (size_t)received;
        if (received == 0 || (may_cut && count >= limit)) {
            file->bytes = bytes;
            file->count = count;
            return PP_OK;
        }
        if (count > limit) {
            free(bytes);
            return PP_TOO_LARGE;
        }
        if (count == capacity) {
            capacity *= 2;
            uint8_t *larger = realloc(bytes, capacity);
            if (!larger) {
                free(bytes);
                return PP_TOO_LARGE;
            }
            bytes = larger;
        }
    }
    pp_status status = bytes ? PP_DAMAGED : PP_TOO_LARGE;
    free(bytes);
    return status;
}

int pp_is_decodable_size(uint64_t width, uint64_t height) {
    return width > 0 && height > 0 && width <= PP_MOST_PIXELS &&
           height <= PP_MOST_PIXELS / width;
}

pp_status pp_picture_allocate(pp_picture *picture, uint32_t width, uint32_t height,
                              unsigned channels) {
    if (width == 0 || height == 0) return PP_DAMAGED;
    if (!pp_is_decodable_size(width, height)) return PP_TOO_LARGE;
    picture->pixels = calloc((size_t)width * channels, height);
    if (!picture->pixels) return PP_TOO_LARGE;
    picture->width = width;
    picture->height = height;
    picture->channels = channels;
    picture->stride = (size_t)width * channels;
    return PP_OK;
}

void pp_picture_unpremultiply(pp_picture *picture) {
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture->pixels + y * picture->stride;
        for (uint32_t x = 0; x < picture->width; x++, pixel += 4) {
            unsigned alpha = pixel[3];
            if (alpha == 0 || alpha == 255) continue;
            for (int channel = 0; channel < 3; channel++) {
                unsigned value = (pixel[channel] * 255u + alpha / 2) / alpha;
                pixel[channel] = value > 255 ? 255 : (uint8_t)value;
            }
        }
    }
}

void pp_picture_take_pixels(pp_picture *picture, void *pixels, uint32_t width, uint32_t height,
                            unsigned channels, int is_premultiplied) {
    picture->width = width;
    picture->height = height;
    picture->channels = channels;
    picture->stride = (size_t)width * channels;
    picture->pixels = pixels;
    if (channels == 4 && is_premultiplied) pp_picture_unpremultiply(picture);
}

void pp_picture_take_light(pp_picture *picture, void *pixels, uint32_t width, uint32_t height,
                           int has_alpha, int is_premultiplied) {
    pp_light light = {width, height, has_alpha, is_premultiplied, pixels};
    pp_light_show(&light, picture);
}

void pp_picture_copy_profile(pp_picture *picture, const uint8_t *profile, size_t size) {
    picture->profile = malloc(size);
    if (!picture->profile) return;
    memcpy(picture->profile, profile, size);
    picture->profile_size = size;
}

void pp_picture_free(pp_picture *picture) {
    if (picture->release && picture->owner) {
        picture->release(picture->owner);
    } else {
        free(picture->pixels);
    }
    free(picture->profile);
    memset(picture, 0, sizeof *picture);
}

const uint8_t *pp_find(const uint8_t *bytes, size_t count, const uint8_t *pattern,
                       size_t pattern_count) {
    return memmem(bytes, count, pattern, pattern_count);
}

static uint8_t starts(const uint8_t *bytes, size_t at, const uint8_t *pairs) {
    uint16_t pair;
    memcpy(&pair, bytes + at, sizeof pair);
    return pairs[le16toh(pair)];
}

size_t pp_find_pair(const uint8_t *bytes, size_t count, size_t from, const uint8_t *pairs) {
    size_t i = from;
    // Four at a time, because few are found.
    for (; count > 4 && i < count - 4; i += 4) {
        if (starts(bytes, i, pairs) | starts(bytes, i + 1, pairs) | starts(bytes, i + 2, pairs)
            | starts(bytes, i + 3, pairs)) {
            break;
        }
    }
    for (; i + 1 < count; i++) {
        if (starts(bytes, i, pairs)) return i;
    }
    return count;
}

void pp_facts_free(pp_facts *facts) {
    free(facts->exif);
    free(facts->xmp);
    memset(facts, 0, sizeof *facts);
}
