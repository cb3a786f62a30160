// SPDX-License-Identifier: MIT

#include "tiff.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_SINGLE_BYTES = 256 << 20,
    MOST_PROFILE = 8 << 20,
};

typedef struct source {
    int fd;
    uint64_t position;
} source;

static tmsize_t read_bytes(thandle_t user, void *bytes, tmsize_t count) {
    source *self = user;
    uint8_t *next = bytes;
    tmsize_t done = 0;
    while (done < count) {
        ssize_t received = pp_read_at(self->fd, next + done, (size_t)(count - done),
                                      (off_t)(self->position + (uint64_t)done));
        if (received <= 0) break;
        done += received;
    }
    self->position += (uint64_t)done;
    return done;
}

static tmsize_t write_bytes(thandle_t user, void *bytes, tmsize_t count) {
    (void)user;
    (void)bytes;
    (void)count;
    return -1;
}

// Finds the end of the file without fstat(2), which the sandbox does not allow.
static toff_t file_size(thandle_t user) {
    const source *self = user;
    uint64_t low = 0, high = UINT64_C(1) << 40;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        uint8_t byte;
        if (pp_read_at(self->fd, &byte, 1, (off_t)middle) == 1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static toff_t seek(thandle_t user, toff_t offset, int whence) {
    source *self = user;
    switch (whence) {
    case SEEK_SET:
        self->position = offset;
        break;
    case SEEK_CUR:
        self->position += offset;
        break;
    default:
        self->position = file_size(user) + offset;
    }
    if (self->position > INT64_MAX) self->position = INT64_MAX;
    return self->position;
}

static int close_file(thandle_t user) {
    (void)user;
    return 0;
}

static int ignore(TIFF *tiff, void *user, const char *module, const char *format,
                  va_list arguments) {
    (void)tiff;
    (void)user;
    (void)module;
    (void)format;
    (void)arguments;
    return 1;
}

static TIFF *open_tiff(source *file) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, MOST_SINGLE_BYTES);
    TIFFOpenOptionsSetErrorHandlerExtR(options, ignore, NULL);
    TIFFOpenOptionsSetWarningHandlerExtR(options, ignore, NULL);
    // m: no memory mapping, which would end the process if the file shrinks.
    TIFF *tiff = TIFFClientOpenExt("file", "rm", file, read_bytes, write_bytes, seek, close_file,
                                   file_size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

void pp_tiff_copy_profile(TIFF *tiff, pp_picture *picture) {
    uint32_t size = 0;
    void *profile = NULL;
    if (TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &size, &profile) != 1 || size == 0 ||
        size > MOST_PROFILE || !(picture->profile = malloc(size))) {
        return;
    }
    memcpy(picture->profile, profile, size);
    picture->profile_size = size;
}

// libtiff packs a pixel into an integer with red in the lowest byte.
static void unpack(const uint32_t *raster, pp_picture *picture) {
    uint8_t *pixel = picture->pixels;
    size_t count = (size_t)picture->width * picture->height;
    for (size_t i = 0; i < count; i++, pixel += 4) {
        uint32_t value = raster[i];
        pixel[0] = TIFFGetR(value);
        pixel[1] = TIFFGetG(value);
        pixel[2] = TIFFGetB(value);
        pixel[3] = TIFFGetA(value);
    }
}

static pp_status decode(TIFF *tiff, pp_picture *picture) {
    char message[1024];
    TIFFRGBAImage image;
    uint32_t width = 0, height = 0;
    if (TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) != 1 ||
        TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height) != 1) {
        return PP_DAMAGED;
    }
    if (!pp_is_decodable_size(width, height)) return PP_TOO_LARGE;
    if (pp_tiff_has_other_samples(tiff) || !TIFFRGBAImageOK(tiff, message)) {
        return pp_tiff_decode_samples(tiff, width, height, picture);
    }
    if (!TIFFRGBAImageBegin(&image, tiff, 0, message)) return PP_DAMAGED;
    // Keep the stored orientation; the caller turns the picture.
    image.req_orientation = image.orientation;
    pp_status status = pp_picture_allocate(picture, image.width, image.height, 4);
    if (!status) {
        // Works in place, because an integer and a pixel have four bytes each.
        uint32_t *raster = (uint32_t *)(void *)picture->pixels;
        if (TIFFRGBAImageGet(&image, raster, image.width, image.height)) {
            unpack(raster, picture);
            if (image.alpha) pp_picture_unpremultiply(picture);
            pp_tiff_copy_profile(tiff, picture);
        } else {
            status = PP_DAMAGED;
        }
    }
    TIFFRGBAImageEnd(&image);
    return status;
}

pp_status pp_tiff_decode(int fd, pp_picture *picture) {
    source file = {.fd = fd};
    TIFF *tiff = open_tiff(&file);
    if (!tiff) return PP_DAMAGED;
    pp_status status = decode(tiff, picture);
    TIFFClose(tiff);
    return status;
}
