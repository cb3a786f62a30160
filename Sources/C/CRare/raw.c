// SPDX-License-Identifier: MIT
// Cameras' raw files, by LibRaw.

#include "rare.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include <libraw/libraw.h>

enum {
    MOST_BYTES = 160 << 20,
    // LibRaw keeps 2 bytes for each pixel of the sensor, 8 while it interpolates, and 3 at the end,
    // beside the file itself. The whole picture fits up to this number of pixels; a half, up to four
    // times as many.
    MOST_WHOLE_PIXELS = 26000000,
    MOST_PIXELS = 150000000,
    // Fast, and free of mazes and zippers at the sizes that are shown.
    PATTERNED_PIXEL_GROUPING = 2,
    SRGB = 1,
};

// The libraries' own numbers for the ways to turn a picture: none.
enum { NOT_TURNED = 0 };

// glibc fills what it allocates with the complement of this byte.
enum { FILL_WITH_ZEROS = 0xFF };

static int read_file(int fd, uint8_t **bytes, size_t *count) {
    uint64_t size = pp_rare_file_size(fd);
    if (size == 0 || size > MOST_BYTES) return 0;
    *bytes = malloc((size_t)size);
    *count = 0;
    while (*bytes && *count < size) {
        ssize_t received =
            pp_rare_read_at(fd, *bytes + *count, (size_t)size - *count, (off_t)*count);
        if (received <= 0) break;
        *count += (size_t)received;
    }
    return *bytes && *count == size;
}

static pp_rare_status status_of(int error) {
    switch (error) {
    case LIBRAW_SUCCESS:
        return PP_RARE_OK;
    case LIBRAW_UNSUFFICIENT_MEMORY:
    case LIBRAW_TOO_BIG:
        return PP_RARE_TOO_LARGE;
    case LIBRAW_FILE_UNSUPPORTED:
        return LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0) ? PP_RARE_TOO_NEW
                                                              : PP_RARE_UNSUPPORTED;
    default:
        return PP_RARE_DAMAGED;
    }
}

static void choose(libraw_data_t *raw, uint32_t side) {
    const uint32_t width = raw->sizes.width, height = raw->sizes.height;
    const uint32_t longer = width > height ? width : height;
    libraw_output_params_t *options = &raw->params;
    options->half_size = longer / 2 >= side || (uint64_t)width * height > MOST_WHOLE_PIXELS;
    options->user_qual = PATTERNED_PIXEL_GROUPING;
    options->use_camera_wb = 1;
    options->output_color = SRGB;
    options->output_bps = 8;
    options->user_flip = NOT_TURNED;
}

static pp_rare_status take(const libraw_processed_image_t *image, pp_rare_picture *picture) {
    if (image->type != LIBRAW_IMAGE_BITMAP || image->bits != 8 ||
        (image->colors != 1 && image->colors != 3) ||
        image->data_size < (size_t)image->width * image->height * image->colors) {
        return PP_RARE_UNSUPPORTED;
    }
    picture->channels = 3;
    pp_rare_status status =
        pp_rare_allocate(picture, image->width, image->height, 3, PP_RARE_MOST_PIXELS);
    if (status) return status;
    const size_t count = (size_t)image->width * image->height;
    uint8_t *pixels = picture->pixels;
    if (image->colors == 3) {
        memcpy(pixels, image->data, count * 3);
    } else {
        for (size_t i = 0; i < count; i++) memset(pixels + i * 3, image->data[i], 3);
    }
    return PP_RARE_OK;
}

static pp_rare_status develop(libraw_data_t *raw, uint8_t *bytes, size_t count, uint32_t side,
                              pp_rare_picture *picture) {
    // Otherwise it prints a message.
    libraw_set_dataerror_handler(raw, NULL, NULL);
    int error = libraw_open_buffer(raw, bytes, count);
    if (error) return status_of(error);
    if ((uint64_t)raw->sizes.raw_width * raw->sizes.raw_height > MOST_PIXELS) {
        return PP_RARE_TOO_LARGE;
    }
    choose(raw, side);
    error = libraw_unpack(raw);
    if (!error) error = libraw_dcraw_process(raw);
    if (error) return status_of(error);
    libraw_processed_image_t *image = libraw_dcraw_make_mem_image(raw, &error);
    if (!image) return status_of(error);
    pp_rare_status status = take(image, picture);
    libraw_dcraw_clear_mem(image);
    return status;
}

pp_rare_status pp_rare_decode_raw(int fd, uint32_t side, pp_rare_picture *picture) {
    // LibRaw 0.20 leaves the pixels that a truncated CR3 lacks as it finds them: perhaps those of another
    // photo. Applies to all that this process allocates from now on.
    mallopt(M_PERTURB, FILL_WITH_ZEROS);
    uint8_t *bytes = NULL;
    size_t count = 0;
    libraw_data_t *raw = libraw_init(0);
    pp_rare_status status = PP_RARE_TOO_LARGE;
    if (raw && read_file(fd, &bytes, &count)) status = develop(raw, bytes, count, side, picture);
    if (raw) libraw_close(raw);
    free(bytes);
    return status;
}
