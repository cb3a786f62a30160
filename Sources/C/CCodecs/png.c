// SPDX-License-Identifier: MIT

#include "codec.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct pp_png {
    png_structp reader;
    png_infop info;
    jmp_buf escape;
    pp_status failure;
    int fd;
    off_t offset;
    uint8_t buffer[16384];
    size_t available;
    size_t position;
};

static void on_error(png_structp reader, png_const_charp message) {
    pp_png *self = png_get_error_ptr(reader);
    int is_memory = strstr(message, "memory") != NULL || strstr(message, "limit") != NULL;
    self->failure = is_memory ? PP_TOO_LARGE : PP_DAMAGED;
    longjmp(self->escape, 1);
}

static void on_warning(png_structp reader, png_const_charp message) {
    (void)reader;
    (void)message;
}

static void read_bytes(png_structp reader, png_bytep bytes, size_t count) {
    pp_png *self = png_get_io_ptr(reader);
    while (count > 0) {
        if (self->position == self->available) {
            ssize_t received =
                pp_read_at(self->fd, self->buffer, sizeof self->buffer, self->offset);
            if (received <= 0) png_error(reader, "the file ends early");
            self->offset += received;
            self->available = (size_t)received;
            self->position = 0;
        }
        size_t part = self->available - self->position;
        if (part > count) part = count;
        memcpy(bytes, self->buffer + self->position, part);
        self->position += part;
        bytes += part;
        count -= part;
    }
}

pp_png *pp_png_make(int fd) {
    pp_png *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->fd = fd;
    if (setjmp(self->escape)) {
        pp_png_free(self);
        return NULL;
    }
    self->reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, self, on_error, on_warning);
    if (self->reader) self->info = png_create_info_struct(self->reader);
    if (!self->info) {
        pp_png_free(self);
        return NULL;
    }
    png_set_read_fn(self->reader, self, read_bytes);
    // Limits the memory for text, profiles and unknown chunks.
    png_set_chunk_malloc_max(self->reader, 8 << 20);
    png_set_chunk_cache_max(self->reader, 256);
    png_set_user_limits(self->reader, 0x7FFFFFFF, 0x7FFFFFFF);
    return self;
}

pp_status pp_png_read_header(pp_png *self, pp_png_info *info) {
    if (setjmp(self->escape)) return self->failure;
    png_read_info(self->reader, self->info);
    int color = png_get_color_type(self->reader, self->info);
    info->width = png_get_image_width(self->reader, self->info);
    info->height = png_get_image_height(self->reader, self->info);
    info->has_alpha = (color & PNG_COLOR_MASK_ALPHA) != 0 ||
                      png_get_valid(self->reader, self->info, PNG_INFO_tRNS) != 0;
    info->is_interlaced =
        png_get_interlace_type(self->reader, self->info) != PNG_INTERLACE_NONE;
    info->model = (color & PNG_COLOR_MASK_COLOR) != 0 ? PP_RGB : PP_GREY;
    png_charp name;
    int compression;
    png_bytep profile;
    png_uint_32 size;
    // A picture that declares sRGB needs no profile.
    if (!png_get_valid(self->reader, self->info, PNG_INFO_sRGB) &&
        png_get_iCCP(self->reader, self->info, &name, &compression, &profile, &size)) {
        info->profile = profile;
        info->profile_size = size;
    }
    return PP_OK;
}

pp_status pp_png_start(pp_png *self) {
    if (setjmp(self->escape)) return self->failure;
    png_set_expand(self->reader);
    png_set_scale_16(self->reader);
    png_set_gray_to_rgb(self->reader);
    if (png_get_interlace_type(self->reader, self->info) != PNG_INTERLACE_NONE) {
        png_set_interlace_handling(self->reader);
    }
    png_read_update_info(self->reader, self->info);
    return PP_OK;
}

pp_status pp_png_read_row(pp_png *self, uint8_t *row) {
    if (setjmp(self->escape)) return self->failure;
    png_read_row(self->reader, row, NULL);
    return PP_OK;
}

pp_status pp_png_read_all(pp_png *self, uint8_t *rows, size_t stride) {
    if (setjmp(self->escape)) return self->failure;
    png_uint_32 height = png_get_image_height(self->reader, self->info);
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        for (png_uint_32 y = 0; y < height; y++) {
            png_read_row(self->reader, rows + (size_t)y * stride, NULL);
        }
    }
    return PP_OK;
}

void pp_png_free(pp_png *self) {
    if (self->reader && !setjmp(self->escape)) {
        png_destroy_read_struct(&self->reader, &self->info, NULL);
    }
    free(self);
}
