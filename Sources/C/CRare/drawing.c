// SPDX-License-Identifier: MIT

#include "rare.h"

#include <stdlib.h>
#include <string.h>

#include <librsvg/rsvg.h>

enum {
    MOST_BYTES = 16 << 20,
    // The pixels of an inch, as in CSS.
    RESOLUTION = 96,
};

void pp_rare_prepare_drawings(void) {
    // librsvg's filters divide their work among the threads of a pool, one for each processor. In the
    // sandbox there seem to be none, and a pool without threads never ends.
    setenv("RAYON_NUM_THREADS", "1", 1);
}

static uint8_t *read_file(int fd, size_t *count) {
    uint8_t *bytes = malloc(MOST_BYTES);
    if (!bytes) return NULL;
    *count = 0;
    while (*count < MOST_BYTES) {
        ssize_t received = pp_rare_read_at(fd, bytes + *count, MOST_BYTES - *count, (off_t)*count);
        if (received <= 0) break;
        *count += (size_t)received;
    }
    return bytes;
}

// cairo packs a pixel into an integer with alpha in the highest byte, premultiplied.
static void unpack(const uint8_t *rows, size_t stride, pp_rare_picture *picture) {
    uint8_t *pixel = picture->pixels;
    for (uint32_t y = 0; y < picture->height; y++) {
        for (uint32_t x = 0; x < picture->width; x++, pixel += 4) {
            uint32_t value;
            memcpy(&value, rows + y * stride + x * 4, 4);
            pixel[0] = (uint8_t)(value >> 16);
            pixel[1] = (uint8_t)(value >> 8);
            pixel[2] = (uint8_t)value;
            pixel[3] = (uint8_t)(value >> 24);
        }
    }
}

static pp_rare_status draw(RsvgHandle *handle, pp_rare_picture *picture) {
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, (int)picture->width, (int)picture->height);
    cairo_t *cairo = cairo_create(surface);
    pp_rare_status status = PP_RARE_TOO_LARGE;
    if (cairo_status(cairo) == CAIRO_STATUS_SUCCESS) {
        RsvgRectangle page = {0, 0, picture->width, picture->height};
        const int is_drawn = rsvg_handle_render_document(handle, cairo, &page, NULL);
        status = is_drawn ? PP_RARE_OK : PP_RARE_DAMAGED;
    }
    cairo_surface_flush(surface);
    if (!status) {
        unpack(cairo_image_surface_get_data(surface),
               (size_t)cairo_image_surface_get_stride(surface), picture);
    }
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return status;
}

pp_rare_status pp_rare_decode_drawing(int fd, uint32_t width, uint32_t height,
                                      pp_rare_picture *picture) {
    size_t count = 0;
    uint8_t *bytes = read_file(fd, &count);
    if (!bytes) return PP_RARE_TOO_LARGE;
    // Without a base URL, librsvg resolves no reference to another file.
    RsvgHandle *handle = rsvg_handle_new_from_data(bytes, count, NULL);
    free(bytes);
    if (!handle) return PP_RARE_DAMAGED;
    rsvg_handle_set_dpi(handle, RESOLUTION);
    pp_rare_status status =
        pp_rare_allocate(picture, width, height, 4, PP_RARE_MOST_PIXELS);
    picture->channels = 4;
    picture->has_alpha = 1;
    picture->is_premultiplied = 1;
    if (!status) status = draw(handle, picture);
    g_object_unref(handle);
    return status;
}
