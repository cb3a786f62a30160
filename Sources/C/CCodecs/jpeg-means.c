// SPDX-License-Identifier: MIT
// Compares the blocks of a JPEG with what they must be.

#include "jpeg-eighth.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    jmp_buf escape;
} reader;

_Noreturn static void on_error(j_common_ptr info) {
    longjmp(((reader *)info->client_data)->escape, 1);
}

// We write no file about which there is a warning.
static void on_message(j_common_ptr info, int level) {
    if (level < 0) info->err->num_warnings++;
}

static int has_sizes(const reader *self, const pp_block_means *means) {
    if ((unsigned)self->info.num_components != means->component_count) return 0;
    for (unsigned i = 0; i < means->component_count; i++) {
        const jpeg_component_info *component = &self->info.comp_info[i];
        if (component->width_in_blocks != means->components[i].width ||
            component->height_in_blocks != means->components[i].height) {
            return 0;
        }
    }
    return 1;
}

// The blocks of pictures of rarer kinds, all of which libjpeg keeps in memory.
static int has_means(reader *self, const pp_block_means *means) {
    jvirt_barray_ptr *arrays = jpeg_read_coefficients(&self->info);
    for (unsigned i = 0; i < means->component_count; i++) {
        const int16_t *mean = means->components[i].values;
        for (JDIMENSION y = 0; y < means->components[i].height; y++) {
            JBLOCKARRAY row = self->info.mem->access_virt_barray((j_common_ptr)&self->info,
                                                                 arrays[i], y, 1, FALSE);
            for (JDIMENSION x = 0; x < means->components[i].width; x++) {
                if (row[0][x][0] != *mean++) return 0;
            }
        }
    }
    return 1;
}

static void open_file(reader *self, const uint8_t *file, size_t count) {
    jpeg_create_decompress(&self->info);
    jpeg_mem_src(&self->info, file, count);
    jpeg_read_header(&self->info, TRUE);
}

static pp_status check(reader *self, const uint8_t *file, size_t count,
                       const pp_block_means *means) {
    if (setjmp(self->escape)) return PP_DAMAGED;
    open_file(self, file, count);
    if (!has_sizes(self, means)) return PP_DAMAGED;
    if (pp_jpeg_has_eighth(&self->info)) {
        const pp_status status = pp_jpeg_compare_means(&self->info, means);
        if (status != PP_UNSUPPORTED) return status;
        jpeg_destroy_decompress(&self->info);
        open_file(self, file, count);
    }
    return has_means(self, means) && !self->errors.num_warnings ? PP_OK : PP_DAMAGED;
}

pp_status pp_jpeg_check_means(const uint8_t *file, size_t count, const pp_block_means *means) {
    reader *self = calloc(1, sizeof *self);
    if (!self) return PP_TOO_LARGE;
    self->info.err = jpeg_std_error(&self->errors);
    self->info.client_data = self;
    self->errors.error_exit = on_error;
    self->errors.emit_message = on_message;
    const pp_status status = check(self, file, count, means);
    jpeg_destroy_decompress(&self->info);
    free(self);
    return status;
}

void pp_block_means_free(pp_block_means *means) {
    for (unsigned i = 0; i < means->component_count; i++) free(means->components[i].values);
    *means = (pp_block_means){0};
}
