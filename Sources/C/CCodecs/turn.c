// SPDX-License-Identifier: MIT
// Turns and crops JPEGs without decoding them. libjpeg reads and writes the blocks of coefficients.

#include "turn-blocks.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

enum {
    BLOCK = DCTSIZE,
    // More scans than any encoder writes, but few enough that a hostile file is rejected soon.
    MAX_SCANS = 200,
    // The first size of the result beyond that of the file.
    EXTRA_BYTES = 65536,
    // How many rows of blocks are turned at a time; their source is read in squares of this side.
    BAND = 8,
};

// A component of the result, whose rows are made when libjpeg asks for them.
typedef struct component {
    // All rows of the file's component.
    JBLOCKROW *source;
    // What of it is kept, in blocks of the turned component.
    pp_turn_area area;
    // The rows that were made last, and how many of them there can be.
    JBLOCKROW rows[BAND];
    JDIMENSION first;
    JDIMENSION count;
    JDIMENSION capacity;
} component;

// All blocks of a component of the file.
typedef struct kept_blocks {
    JBLOCKROW *rows;
    JDIMENSION height;
    JBLOCK *memory;
} kept_blocks;

typedef struct turner {
    struct jpeg_decompress_struct source;
    struct jpeg_compress_struct target;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    struct jpeg_destination_mgr destination;
    jmp_buf escape;
    int has_source;
    int has_target;
    uint8_t *bytes;
    size_t capacity;
    size_t count;
    kept_blocks kept[MAX_COMPONENTS];
    int kept_count;
    component components[MAX_COMPONENTS];
    unsigned orientation;
    pp_turn turn;
    pp_clip clip;
    pp_block_means *means;
} turner;

// MARK: - Errors

_Noreturn static void on_error(j_common_ptr info) {
    longjmp(((turner *)info->client_data)->escape, 1);
}

// A warning means a damaged file. Such a file is decoded as far as possible instead.
static void on_message(j_common_ptr info, int level) {
    if (level < 0) on_error(info);
}

static void on_progress(j_common_ptr info) {
    turner *self = info->client_data;
    if (self->source.input_scan_number > MAX_SCANS) on_error(info);
}

// MARK: - Destination

static void start_output(j_compress_ptr info) {
    turner *self = info->client_data;
    self->destination.next_output_byte = self->bytes;
    self->destination.free_in_buffer = self->capacity;
}

static boolean grow_output(j_compress_ptr info) {
    turner *self = info->client_data;
    const size_t count = self->capacity;
    uint8_t *larger = realloc(self->bytes, count * 2);
    if (!larger) on_error((j_common_ptr)info);
    self->bytes = larger;
    self->capacity = count * 2;
    self->destination.next_output_byte = larger + count;
    self->destination.free_in_buffer = count;
    return TRUE;
}

static void end_output(j_compress_ptr info) {
    turner *self = info->client_data;
    self->count = self->capacity - self->destination.free_in_buffer;
}

// MARK: - Sizes

static JDIMENSION divided_up(JDIMENSION number, JDIMENSION divisor) {
    return (number + divisor - 1) / divisor;
}

// The sides of the smallest unit that can be cut and mirrored, in pixels of the source.
static void measure_units(turner *self, JDIMENSION *width, JDIMENSION *height) {
    int across = 1, down = 1;
    for (int i = 0; i < self->source.num_components && self->source.num_components > 1; i++) {
        const jpeg_component_info *component = &self->source.comp_info[i];
        if (component->h_samp_factor > across) across = component->h_samp_factor;
        if (component->v_samp_factor > down) down = component->v_samp_factor;
    }
    *width = (JDIMENSION)(across * BLOCK);
    *height = (JDIMENSION)(down * BLOCK);
}

// Completes the part that is kept; fails if it or the turned picture does not fit the units.
static int fit(turner *self) {
    JDIMENSION width = self->source.image_width, height = self->source.image_height;
    JDIMENSION unit_width, unit_height;
    measure_units(self, &unit_width, &unit_height);
    if (self->turn.transposes) {
        JDIMENSION side = width;
        width = height;
        height = side;
        side = unit_width;
        unit_width = unit_height;
        unit_height = side;
    }
    pp_clip *clip = &self->clip;
    if (clip->width == 0) *clip = (pp_clip){.width = width, .height = height};
    if (clip->width > width || clip->x > width - clip->width || clip->height == 0 ||
        clip->height > height || clip->y > height - clip->height) {
        return 0;
    }
    return clip->x % unit_width == 0 && clip->y % unit_height == 0 &&
           (!self->turn.mirrors_columns || width % unit_width == 0) &&
           (!self->turn.mirrors_rows || height % unit_height == 0);
}

// The part of a component that is kept, in blocks of the turned component.
static pp_turn_area area_of(const turner *self, const jpeg_component_info *source) {
    JDIMENSION across = (JDIMENSION)source->h_samp_factor, down = (JDIMENSION)source->v_samp_factor;
    JDIMENSION most_across = (JDIMENSION)self->source.max_h_samp_factor;
    JDIMENSION most_down = (JDIMENSION)self->source.max_v_samp_factor;
    pp_turn_area area = {source->width_in_blocks, source->height_in_blocks, 0, 0, 0, 0};
    if (self->source.num_components == 1) across = down = most_across = most_down = 1;
    if (self->turn.transposes) {
        area.whole_width = source->height_in_blocks;
        area.whole_height = source->width_in_blocks;
        JDIMENSION factor = across;
        across = down;
        down = factor;
        factor = most_across;
        most_across = most_down;
        most_down = factor;
    }
    const pp_clip *clip = &self->clip;
    area.left = clip->x / (most_across * BLOCK) * across;
    area.top = clip->y / (most_down * BLOCK) * down;
    area.width = divided_up(clip->width * across, most_across * BLOCK);
    area.height = divided_up(clip->height * down, most_down * BLOCK);
    return area;
}

// MARK: - Files

static void exchange_samples(turner *self) {
    for (int i = 0; i < self->target.num_components; i++) {
        jpeg_component_info *component = &self->target.comp_info[i];
        int factor = component->h_samp_factor;
        component->h_samp_factor = component->v_samp_factor;
        component->v_samp_factor = factor;
    }
    for (int table = 0; table < NUM_QUANT_TBLS; table++) {
        JQUANT_TBL *values = self->target.quant_tbl_ptrs[table];
        if (!values) continue;
        for (int y = 0; y < BLOCK; y++) {
            for (int x = 0; x < y; x++) {
                UINT16 value = values->quantval[y * BLOCK + x];
                values->quantval[y * BLOCK + x] = values->quantval[x * BLOCK + y];
                values->quantval[x * BLOCK + y] = value;
            }
        }
    }
}

static void describe_target(turner *self) {
    jpeg_copy_critical_parameters(&self->source, &self->target);
    self->target.image_width = self->clip.width;
    self->target.image_height = self->clip.height;
#if JPEG_LIB_VERSION >= 70
    self->target.jpeg_width = self->clip.width;
    self->target.jpeg_height = self->clip.height;
#endif
    if (self->turn.transposes) exchange_samples(self);
    if (self->target.num_components == 1) {
        self->target.comp_info[0].h_samp_factor = 1;
        self->target.comp_info[0].v_samp_factor = 1;
    }
    if (self->source.progressive_mode) jpeg_simple_progression(&self->target);
}

// Copies all segments but those that libjpeg writes itself.
static void copy_segments(turner *self) {
    for (jpeg_saved_marker_ptr segment = self->source.marker_list; segment;
         segment = segment->next) {
        int is_jfif = segment->marker == JPEG_APP0 && segment->data_length >= 5 &&
                      memcmp(segment->data, "JFIF", 5) == 0;
        int is_adobe = segment->marker == JPEG_APP0 + 14 && segment->data_length >= 5 &&
                       memcmp(segment->data, "Adobe", 5) == 0;
        if ((is_jfif && self->target.write_JFIF_header) ||
            (is_adobe && self->target.write_Adobe_marker)) {
            continue;
        }
        jpeg_write_marker(&self->target, segment->marker, segment->data, segment->data_length);
    }
}

// MARK: - Blocks

static void *allocated(turner *self, size_t count, size_t size) {
    return self->source.mem->alloc_large((j_common_ptr)&self->source, JPOOL_IMAGE, count * size);
}

// Makes an array for a component of the file, in place of libjpeg's memory manager, which would write
// zeros over memory that is zero already.
static jvirt_barray_ptr keep_blocks(j_common_ptr info, int pool, boolean is_zeroed,
                                    JDIMENSION width, JDIMENSION height, JDIMENSION most_rows) {
    (void)pool, (void)is_zeroed, (void)most_rows;
    turner *self = info->client_data;
    if (self->kept_count == MAX_COMPONENTS) on_error(info);
    kept_blocks *kept = &self->kept[self->kept_count++];
    kept->rows = calloc(height, sizeof *kept->rows);
    kept->memory = calloc(height, width * sizeof *kept->memory);
    if (!kept->rows || !kept->memory) on_error(info);
    kept->height = height;
    for (JDIMENSION y = 0; y < height; y++) kept->rows[y] = kept->memory + (size_t)y * width;
    return (jvirt_barray_ptr)(void *)kept;
}

static JBLOCKARRAY kept_rows(j_common_ptr info, jvirt_barray_ptr array, JDIMENSION first,
                             JDIMENSION count, boolean are_written) {
    (void)are_written;
    const kept_blocks *kept = (const kept_blocks *)(void *)array;
    if (first > kept->height || count > kept->height - first) on_error(info);
    return kept->rows + first;
}

// The place of a block in the upright component, as steps from a corner of it. Says the same as
// pp_turn_blocks() in another way, which finds mistakes in either.
typedef struct course {
    // Where the first block of the file's component belongs.
    int64_t x, y;
    // How far it is from there to the next block of a row, and to that of the next row.
    int64_t column_x, column_y, row_x, row_y;
} course;

static course upright_course(unsigned orientation, JDIMENSION width, JDIMENSION height) {
    const int64_t right = (int64_t)width - 1, bottom = (int64_t)height - 1;
    const course courses[8] = {
        {0, 0, 1, 0, 0, 1},            {right, 0, -1, 0, 0, 1},
        {right, bottom, -1, 0, 0, -1}, {0, bottom, 1, 0, 0, -1},
        {0, 0, 0, 1, 1, 0},            {bottom, 0, 0, 1, -1, 0},
        {bottom, right, 0, -1, -1, 0}, {0, right, 0, -1, 1, 0},
    };
    return courses[orientation - 1];
}

// Notes the means that a component of the result must have.
static void note_means(turner *self, const jpeg_component_info *from, const component *to,
                       pp_component_means *means) {
    const pp_turn_area *area = &to->area;
    means->values = calloc((size_t)area->width * area->height, sizeof *means->values);
    if (!means->values) on_error((j_common_ptr)&self->source);
    means->width = area->width;
    means->height = area->height;
    const course course =
        upright_course(self->orientation, from->width_in_blocks, from->height_in_blocks);
    for (JDIMENSION row = 0; row < from->height_in_blocks; row++) {
        int64_t x = course.x + row * course.row_x - area->left;
        int64_t y = course.y + row * course.row_y - area->top;
        for (JDIMENSION column = 0; column < from->width_in_blocks; column++) {
            if (x >= 0 && x < area->width && y >= 0 && y < area->height) {
                means->values[y * area->width + x] = to->source[row][column][0];
            }
            x += course.column_x;
            y += course.column_y;
        }
    }
}

// Prepares component `number` of the result, which is written in steps of some rows.
static void prepare(turner *self, const jpeg_component_info *from, jvirt_barray_ptr array,
                    JDIMENSION step, int number) {
    component *to = &self->components[number];
    to->area = area_of(self, from);
    to->source = ((const kept_blocks *)(void *)array)->rows;
    to->capacity = BAND / step * step;
    for (JDIMENSION row = 0; row < to->capacity; row++) {
        to->rows[row] = allocated(self, to->area.width, sizeof(JBLOCK));
    }
    note_means(self, from, to, &self->means->components[number]);
    self->means->component_count = (unsigned)number + 1;
}

// Makes the rows that libjpeg writes next: takes the place of its memory manager's function, and of
// a second copy of all coefficients.
static JBLOCKARRAY rows_of(j_common_ptr info, jvirt_barray_ptr array, JDIMENSION first,
                           JDIMENSION count, boolean are_written) {
    (void)are_written;
    turner *self = info->client_data;
    component *from = (component *)(void *)array;
    if (first < from->first || first + count > from->first + from->count) {
        pp_turn_area area = from->area;
        if (first >= area.height || count > from->capacity) on_error(info);
        from->first = first;
        from->count = from->capacity;
        area.top += first;
        area.height -= first;
        if (area.height > from->count) area.height = from->count;
        pp_turn_blocks(&self->turn, from->source, from->rows, &area);
    }
    return from->rows + (first - from->first);
}

static pp_status turn_file(turner *self, const uint8_t *file, size_t count) {
    jvirt_barray_ptr arrays[MAX_COMPONENTS];
    if (setjmp(self->escape)) return PP_UNSUPPORTED;
    jpeg_create_decompress(&self->source);
    self->has_source = 1;
    self->source.mem->request_virt_barray = keep_blocks;
    self->source.mem->access_virt_barray = kept_rows;
    jpeg_create_compress(&self->target);
    self->has_target = 1;
    jpeg_mem_src(&self->source, file, count);
    self->source.progress = &self->progress;
    for (int marker = 0; marker < 16; marker++) {
        jpeg_save_markers(&self->source, JPEG_APP0 + marker, 0xFFFF);
    }
    jpeg_save_markers(&self->source, JPEG_COM, 0xFFFF);
    if (jpeg_read_header(&self->source, TRUE) != JPEG_HEADER_OK) return PP_UNSUPPORTED;
    if (self->source.data_precision != 8 || self->source.num_components > PP_MOST_COMPONENTS ||
        !fit(self)) {
        return PP_UNSUPPORTED;
    }
    jvirt_barray_ptr *blocks = jpeg_read_coefficients(&self->source);
    for (int i = 0; i < self->source.num_components; i++) {
        const jpeg_component_info *from = &self->source.comp_info[i];
        int step = self->turn.transposes ? from->h_samp_factor : from->v_samp_factor;
        if (self->source.num_components == 1) step = 1;
        prepare(self, from, blocks[i], (JDIMENSION)step, i);
        arrays[i] = (jvirt_barray_ptr)(void *)&self->components[i];
    }
    self->target.mem->access_virt_barray = rows_of;
    describe_target(self);
    self->target.dest = &self->destination;
    jpeg_write_coefficients(&self->target, arrays);
    copy_segments(self);
    jpeg_finish_compress(&self->target);
    jpeg_finish_decompress(&self->source);
    return PP_OK;
}

static void release(turner *self) {
    if (!setjmp(self->escape)) {
        if (self->has_target) jpeg_destroy_compress(&self->target);
        if (self->has_source) jpeg_destroy_decompress(&self->source);
    }
    for (int i = 0; i < self->kept_count; i++) {
        free(self->kept[i].rows);
        free(self->kept[i].memory);
    }
    free(self);
}

pp_status pp_jpeg_turn(const uint8_t *file, size_t count, unsigned orientation,
                       const pp_clip *clip, pp_output *output, pp_block_means *means) {
    turner *self = calloc(1, sizeof *self);
    if (!self) return PP_TOO_LARGE;
    self->source.err = self->target.err = jpeg_std_error(&self->errors);
    self->source.client_data = self->target.client_data = self;
    self->errors.error_exit = on_error;
    self->errors.emit_message = on_message;
    self->progress.progress_monitor = on_progress;
    self->destination.init_destination = start_output;
    self->destination.empty_output_buffer = grow_output;
    self->destination.term_destination = end_output;
    self->orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    self->turn = pp_turn_for(self->orientation);
    self->clip = *clip;
    self->means = means;
    self->capacity = count + EXTRA_BYTES;
    self->bytes = malloc(self->capacity);
    pp_status status = self->bytes ? turn_file(self, file, count) : PP_TOO_LARGE;
    if (status) {
        free(self->bytes);
        pp_block_means_free(means);
    } else {
        output->bytes = self->bytes;
        output->count = self->count;
        output->release = free;
    }
    release(self);
    return status;
}
