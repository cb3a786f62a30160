// SPDX-License-Identifier: MIT

#include "CReference.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

typedef struct errors {
    struct jpeg_error_mgr manager; // first: libjpeg hands out pointers to it
    jmp_buf escape;
} errors;

static void on_error(j_common_ptr info) { longjmp(((errors *)info->err)->escape, 1); }

static void on_message(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

static struct jpeg_error_mgr *prepare(errors *errors) {
    struct jpeg_error_mgr *manager = jpeg_std_error(&errors->manager);
    manager->error_exit = on_error;
    manager->emit_message = on_message;
    return manager;
}

int reference_decode(const uint8_t *bytes, size_t count, reference_picture *picture) {
    struct jpeg_decompress_struct info;
    errors errors;
    volatile int has_started = 0;
    *picture = (reference_picture){0};
    info.err = prepare(&errors);
    if (setjmp(errors.escape)) {
        jpeg_destroy_decompress(&info);
        return has_started;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_RGB;
    info.scale_num = 1;
    info.scale_denom = 8;
    info.do_fancy_upsampling = FALSE;
    jpeg_start_decompress(&info);
    picture->width = info.output_width;
    picture->height = info.output_height;
    const size_t stride = (size_t)info.output_width * 3;
    picture->pixels = calloc(stride, info.output_height);
    has_started = picture->pixels != NULL;
    while (has_started && picture->rows < info.output_height) {
        uint8_t *row = picture->pixels + stride * picture->rows;
        picture->rows += jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_destroy_decompress(&info);
    return has_started;
}

uint8_t *reference_encode(const uint8_t *pixels, uint32_t width, uint32_t height,
                          reference_options options, size_t *count) {
    struct jpeg_compress_struct info;
    errors errors;
    unsigned char *volatile bytes = NULL;
    unsigned long size = 0;
    info.err = prepare(&errors);
    if (setjmp(errors.escape)) {
        jpeg_destroy_compress(&info);
        free(bytes);
        return NULL;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, (unsigned char **)&bytes, &size);
    info.image_width = width;
    info.image_height = height;
    info.input_components = 3;
    info.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info);
    if (options.is_grey) jpeg_set_colorspace(&info, JCS_GRAYSCALE);
    jpeg_set_quality(&info, options.quality, TRUE);
    info.comp_info[0].h_samp_factor = options.columns;
    info.comp_info[0].v_samp_factor = options.rows;
    info.restart_interval = (unsigned)options.restart_interval;
    info.optimize_coding = options.is_optimized;
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)info.next_scanline * width * 3);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    *count = size;
    return bytes;
}
