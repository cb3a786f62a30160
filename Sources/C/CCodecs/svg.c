// SPDX-License-Identifier: MIT

#include "codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <librsvg/rsvg.h>

enum {
    MOST_BYTES = 16 << 20,
    // The size of a drawing that does not specify one, as in browsers.
    DEFAULT_WIDTH = 300,
    DEFAULT_HEIGHT = 150,
    MOST_SIDE = 32767,
};

void pp_svg_prepare(void) {
    // librsvg's filters divide their work among the threads of a pool, one for each processor. In the
    // sandbox there seem to be none, and a pool without threads never ends.
    setenv("RAYON_NUM_THREADS", "1", 1);
}

// Without a base URL, librsvg resolves no reference to another file.
static pp_status open_svg(int fd, pp_bytes *file, RsvgHandle **handle) {
    pp_status status = pp_read_file(fd, MOST_BYTES, 0, file);
    if (status) return status;
    *handle = rsvg_handle_new_from_data(file->bytes, file->count, NULL);
    if (*handle) return PP_OK;
    free(file->bytes);
    return PP_DAMAGED;
}

static uint32_t side_of(double length) {
    double rounded = ceil(length);
    return rounded >= 1 && rounded <= MOST_SIDE ? (uint32_t)rounded : 0;
}

static void measure(RsvgHandle *handle, uint32_t *width, uint32_t *height) {
    double w = 0, h = 0;
    if (!rsvg_handle_get_intrinsic_size_in_pixels(handle, &w, &h)) {
        gboolean has_width, has_height, has_box;
        RsvgLength width_length, height_length;
        RsvgRectangle box = {0, 0, 0, 0};
        rsvg_handle_get_intrinsic_dimensions(handle, &has_width, &width_length, &has_height,
                                             &height_length, &has_box, &box);
        w = has_box ? box.width : DEFAULT_WIDTH;
        h = has_box ? box.height : DEFAULT_HEIGHT;
    }
    *width = side_of(w);
    *height = side_of(h);
}

pp_status pp_svg_read_facts(int fd, pp_facts *facts) {
    pp_bytes file;
    RsvgHandle *handle;
    pp_status status = open_svg(fd, &file, &handle);
    if (status) return status;
    measure(handle, &facts->width, &facts->height);
    g_object_unref(handle);
    free(file.bytes);
    return PP_OK;
}

// cairo packs a pixel into an integer with alpha in the highest byte, premultiplied.
static void unpack(const uint8_t *rows, size_t stride, pp_picture *picture) {
    for (uint32_t y = 0; y < picture->height; y++) {
        uint8_t *pixel = picture->pixels + y * picture->stride;
        for (uint32_t x = 0; x < picture->width; x++, pixel += 4) {
            uint32_t value;
            memcpy(&value, rows + y * stride + x * 4, 4);
            pixel[0] = (uint8_t)(value >> 16);
            pixel[1] = (uint8_t)(value >> 8);
            pixel[2] = (uint8_t)value;
            pixel[3] = (uint8_t)(value >> 24);
        }
    }
    pp_picture_unpremultiply(picture);
}

static pp_status draw(RsvgHandle *handle, pp_picture *picture) {
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, (int)picture->width, (int)picture->height);
    cairo_t *cairo = cairo_create(surface);
    pp_status status = PP_TOO_LARGE;
    if (cairo_status(cairo) == CAIRO_STATUS_SUCCESS) {
        RsvgRectangle page = {0, 0, picture->width, picture->height};
        status = rsvg_handle_render_document(handle, cairo, &page, NULL) ? PP_OK : PP_DAMAGED;
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

pp_status pp_svg_decode(int fd, uint32_t width, uint32_t height, pp_picture *picture) {
    pp_bytes file;
    RsvgHandle *handle;
    pp_status status = open_svg(fd, &file, &handle);
    if (status) return status;
    if (width == 0 || height == 0) measure(handle, &width, &height);
    status = pp_picture_allocate(picture, width, height, 4);
    if (!status) status = draw(handle, picture);
    g_object_unref(handle);
    free(file.bytes);
    return status;
}
