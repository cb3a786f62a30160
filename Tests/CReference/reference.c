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

static void configure(struct jpeg_compress_struct *info, uint32_t width, uint32_t height,
                      reference_options options) {
    info->image_width = width;
    info->image_height = height;
    info->input_components = 3;
    info->in_color_space = JCS_RGB;
    jpeg_set_defaults(info);
    if (options.is_grey) jpeg_set_colorspace(info, JCS_GRAYSCALE);
    jpeg_set_quality(info, options.quality, TRUE);
    info->comp_info[0].h_samp_factor = options.columns;
    info->comp_info[0].v_samp_factor = options.rows;
    info->restart_interval = (unsigned)options.restart_interval;
    info->optimize_coding = options.is_optimized;
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
    configure(&info, width, height, options);
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

static jvirt_barray_ptr make_blocks(struct jpeg_compress_struct *info, int index) {
    const jpeg_component_info *component = &info->comp_info[index];
    // Whole units of blocks, each of 8 pixels times the most that a component is sampled.
    const JDIMENSION across = 8 * (JDIMENSION)info->comp_info[0].h_samp_factor;
    const JDIMENSION down = 8 * (JDIMENSION)info->comp_info[0].v_samp_factor;
    return info->mem->request_virt_barray(
        (j_common_ptr)info, JPOOL_IMAGE, TRUE,
        (info->image_width + across - 1) / across * (JDIMENSION)component->h_samp_factor,
        (info->image_height + down - 1) / down * (JDIMENSION)component->v_samp_factor,
        (JDIMENSION)component->v_samp_factor);
}

static void fill_blocks(struct jpeg_compress_struct *info, jvirt_barray_ptr blocks, int index,
                        const int16_t *values, size_t value_count, size_t *next) {
    const jpeg_component_info *component = &info->comp_info[index];
    for (JDIMENSION row = 0; row < component->height_in_blocks; row++) {
        JBLOCKARRAY line = info->mem->access_virt_barray((j_common_ptr)info, blocks, row, 1, TRUE);
        for (JDIMENSION column = 0; column < component->width_in_blocks; column++) {
            for (int place = 0; place < DCTSIZE2; place++) {
                line[0][column][place] = values[*next];
                *next = (*next + 1) % value_count;
            }
        }
    }
}

uint8_t *reference_encode_coefficients(const int16_t *values, size_t value_count, uint32_t width,
                                       uint32_t height, reference_options options, size_t *count) {
    struct jpeg_compress_struct info;
    errors errors;
    unsigned char *volatile bytes = NULL;
    unsigned long size = 0;
    size_t next = 0;
    jvirt_barray_ptr blocks[3];
    info.err = prepare(&errors);
    if (setjmp(errors.escape)) {
        jpeg_destroy_compress(&info);
        free(bytes);
        return NULL;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, (unsigned char **)&bytes, &size);
    configure(&info, width, height, options);
    for (int index = 0; index < info.num_components; index++) {
        blocks[index] = make_blocks(&info, index);
    }
    jpeg_write_coefficients(&info, blocks);
    for (int index = 0; index < info.num_components; index++) {
        fill_blocks(&info, blocks[index], index, values, value_count, &next);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    *count = size;
    return bytes;
}
