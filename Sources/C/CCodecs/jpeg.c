// SPDX-License-Identifier: MIT

#include "codec.h"
#include "jpeg-eighth.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

enum {
    BUFFER_SIZE = 65536,
    // More scans than any encoder writes, but few enough that a hostile file is rejected soon.
    MAX_SCANS = 200,
    ICC_MARKER = JPEG_APP0 + 2,
    // The most bytes of metadata and garbage before the picture; real files have less than two
    // megabytes.
    MOST_HEADER_BYTES = 64 << 20,
};

struct pp_jpeg {
    struct jpeg_decompress_struct info; // first: libjpeg hands out pointers to it
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf escape;
    pp_status failure;
    int fd;
    off_t start;
    off_t offset;
    off_t end;
    int has_header;
    int is_at_end;
    uint8_t *eighth; // the whole picture, where it was decoded at once
    uint32_t next_row;
    uint8_t *cmyk_row;
    pp_colour *cmyk_colour;
    JOCTET *profile;
    unsigned profile_size;
    uint8_t buffer[BUFFER_SIZE];
};

static pp_jpeg *self_of(j_common_ptr info) { return (pp_jpeg *)info; }

_Noreturn static void fail(j_common_ptr info, pp_status status) {
    pp_jpeg *self = self_of(info);
    self->failure = status;
    longjmp(self->escape, 1);
}

static void on_error(j_common_ptr info) {
    switch (info->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
        fail(info, PP_TOO_LARGE);
    case JERR_ARITH_NOTIMPL:
    case JERR_BAD_PRECISION:
    case JERR_CCIR601_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_SOF_UNSUPPORTED:
        fail(info, PP_UNSUPPORTED);
    default:
        fail(info, PP_DAMAGED);
    }
}

// Warnings mean a damaged or truncated file. The part that can be decoded is worth showing.
static void on_message(j_common_ptr info, int level) {
    if (level < 0) info->err->num_warnings++;
}

static void on_output(j_common_ptr info) { (void)info; }

static void on_progress(j_common_ptr info) {
    if (self_of(info)->info.input_scan_number > MAX_SCANS) fail(info, PP_DAMAGED);
}

// MARK: - Source

static void begin_source(j_decompress_ptr info) { (void)info; }

static boolean fill_source(j_decompress_ptr info) {
    pp_jpeg *self = (pp_jpeg *)info;
    ssize_t count = 0;
    if (!self->has_header && self->offset - self->start > MOST_HEADER_BYTES) {
        fail((j_common_ptr)info, PP_DAMAGED);
    }
    if (!self->is_at_end && self->offset < self->end) {
        off_t left = self->end - self->offset;
        count = pp_read_at(self->fd, self->buffer,
                           left < BUFFER_SIZE ? (size_t)left : BUFFER_SIZE, self->offset);
    }
    if (count <= 0) {
        // The file ends before the picture does. An end marker makes libjpeg return the part that
        // was read.
        self->is_at_end = 1;
        self->buffer[0] = 0xFF;
        self->buffer[1] = JPEG_EOI;
        count = 2;
        WARNMS(info, JWRN_JPEG_EOF);
    } else {
        self->offset += count;
    }
    self->source.next_input_byte = self->buffer;
    self->source.bytes_in_buffer = (size_t)count;
    return TRUE;
}

static void skip_source(j_decompress_ptr info, long count) {
    pp_jpeg *self = (pp_jpeg *)info;
    if (count <= 0) return;
    size_t skipped = (size_t)count;
    if (skipped <= self->source.bytes_in_buffer) {
        self->source.next_input_byte += skipped;
        self->source.bytes_in_buffer -= skipped;
        return;
    }
    self->offset += (off_t)(skipped - self->source.bytes_in_buffer);
    self->source.bytes_in_buffer = 0;
}

static void end_source(j_decompress_ptr info) { (void)info; }

// MARK: - Calls

pp_jpeg *pp_jpeg_make(int fd, off_t offset, off_t count) {
    // The buffer is filled before it is read. Clearing it would take longer than reading a header.
    pp_jpeg *self = malloc(sizeof *self);
    if (!self) return NULL;
    memset(self, 0, offsetof(pp_jpeg, buffer));
    self->fd = fd;
    self->start = offset;
    self->offset = offset;
    self->end = offset <= INT64_MAX - count ? offset + count : INT64_MAX;
    self->info.err = jpeg_std_error(&self->errors);
    self->errors.error_exit = on_error;
    self->errors.emit_message = on_message;
    self->errors.output_message = on_output;
    if (setjmp(self->escape)) {
        free(self);
        return NULL;
    }
    jpeg_create_decompress(&self->info);
    self->source.init_source = begin_source;
    self->source.fill_input_buffer = fill_source;
    self->source.skip_input_data = skip_source;
    self->source.resync_to_restart = jpeg_resync_to_restart;
    self->source.term_source = end_source;
    self->info.src = &self->source;
    self->progress.progress_monitor = on_progress;
    self->info.progress = &self->progress;
    return self;
}

// Adobe's programs store CMYK inverted, so that 255 is no ink, and all others follow them. Their
// marker may be missing, because programs that remove metadata remove it too: browsers read such
// files in the same way.
static pp_colour_model model_of(const pp_jpeg *self) {
    switch (self->info.jpeg_color_space) {
    case JCS_CMYK:
    case JCS_YCCK:
        return PP_CMYK_INVERTED;
    case JCS_GRAYSCALE:
        return PP_GREY;
    default:
        return PP_RGB;
    }
}

static pp_status read_header(pp_jpeg *self) {
    self->has_header = 0;
    if (jpeg_read_header(&self->info, TRUE) != JPEG_HEADER_OK) return PP_DAMAGED;
    self->has_header = 1;
    return PP_OK;
}

pp_status pp_jpeg_read_header(pp_jpeg *self, pp_jpeg_info *info) {
    if (setjmp(self->escape)) return self->failure;
    jpeg_save_markers(&self->info, ICC_MARKER, 0xFFFF);
    pp_status status = read_header(self);
    if (status) return status;
    if (!jpeg_read_icc_profile(&self->info, &self->profile, &self->profile_size)) {
        self->profile = NULL;
        self->profile_size = 0;
    }
    info->width = self->info.image_width;
    info->height = self->info.image_height;
    info->is_progressive = self->info.progressive_mode;
    info->model = model_of(self);
    info->profile = self->profile;
    info->profile_size = self->profile_size;
    return PP_OK;
}

// Whether the DC coefficient of every block is known, at least approximately.
static int has_first_scan(const pp_jpeg *self) {
    for (int component = 0; component < self->info.num_components; component++) {
        if (self->info.coef_bits[component][0] < 0) return 0;
    }
    return 1;
}

// Reads the scans of a progressive picture that contain its DC coefficients. libjpeg's smoothing of
// blocks whose details are missing would make a picture at 1/8 worse, not better.
static pp_status start_first_scan(pp_jpeg *self) {
    self->info.buffered_image = TRUE;
    self->info.do_block_smoothing = FALSE;
    if (!jpeg_start_decompress(&self->info)) return PP_DAMAGED;
    for (;;) {
        int event = jpeg_consume_input(&self->info);
        if (event == JPEG_SUSPENDED) return PP_DAMAGED;
        if (event == JPEG_REACHED_EOI) break;
        if (event == JPEG_SCAN_COMPLETED && has_first_scan(self)) break;
    }
    return jpeg_start_output(&self->info, self->info.input_scan_number) ? PP_OK : PP_DAMAGED;
}

// Decodes the whole picture at 1/8. On failure everything is as it was after the header.
static pp_status try_eighth(pp_jpeg *self) {
    if (!pp_jpeg_has_eighth(&self->info)) return PP_OK;
    self->eighth = pp_jpeg_decode_eighth(&self->info);
    if (self->eighth) return PP_OK;
    jpeg_abort_decompress(&self->info);
    self->source.bytes_in_buffer = 0;
    self->offset = self->start;
    self->is_at_end = 0;
    return read_header(self);
}

pp_status pp_jpeg_start(pp_jpeg *self, unsigned eighths, int is_fast, uint32_t *width,
                        uint32_t *height) {
    if (setjmp(self->escape)) return self->failure;
    if (eighths == 1) {
        pp_status status = try_eighth(self);
        if (status) return status;
    }
    if (self->eighth) {
        *width = (self->info.image_width + 7) / 8;
        *height = (self->info.image_height + 7) / 8;
        return PP_OK;
    }
    pp_colour_model model = model_of(self);
    int is_cmyk = model == PP_CMYK_INVERTED;
    self->info.out_color_space = is_cmyk ? JCS_CMYK : JCS_RGB;
    if (is_cmyk && self->profile) {
        self->cmyk_colour =
            pp_colour_from_profile(self->profile, self->profile_size, model, 4);
    }
    self->info.scale_num = eighths;
    self->info.scale_denom = 8;
    // At small scales the quality that these two add is invisible. At full size they would take
    // time.
    self->info.do_fancy_upsampling = eighths > 2;
    self->info.dct_method = JDCT_ISLOW;
    if (is_fast && eighths == 1 && self->info.progressive_mode) {
        pp_status status = start_first_scan(self);
        if (status) return status;
    } else if (!jpeg_start_decompress(&self->info)) {
        return PP_DAMAGED;
    }
    if (is_cmyk) {
        self->cmyk_row = malloc((size_t)self->info.output_width * 4);
        if (!self->cmyk_row) return PP_TOO_LARGE;
    }
    *width = self->info.output_width;
    *height = self->info.output_height;
    return PP_OK;
}

// Without a profile: multiplies the light that each ink leaves.
static void convert_cmyk(const pp_jpeg *self, uint8_t *row) {
    if (self->cmyk_colour) {
        pp_colour_convert(self->cmyk_colour, self->cmyk_row, row, self->info.output_width);
        return;
    }
    const uint8_t *from = self->cmyk_row;
    for (uint32_t x = 0; x < self->info.output_width; x++, from += 4, row += 3) {
        for (int channel = 0; channel < 3; channel++) {
            row[channel] = (uint8_t)((from[channel] * from[3] + 127) / 255);
        }
    }
}

static pp_status read_eighth(pp_jpeg *self, uint8_t *row) {
    if (self->next_row >= (self->info.image_height + 7) / 8) return PP_END;
    const size_t count = (size_t)(self->info.image_width + 7) / 8 * 3;
    memcpy(row, self->eighth + count * self->next_row++, count);
    return PP_OK;
}

pp_status pp_jpeg_read_row(pp_jpeg *self, uint8_t *row) {
    if (self->eighth) return read_eighth(self, row);
    if (setjmp(self->escape)) return self->failure;
    if (self->info.output_scanline >= self->info.output_height) return PP_END;
    uint8_t *rows[1] = {self->cmyk_row ? self->cmyk_row : row};
    if (jpeg_read_scanlines(&self->info, rows, 1) != 1) return PP_DAMAGED;
    if (self->cmyk_row) convert_cmyk(self, row);
    return PP_OK;
}

int pp_jpeg_is_short(const pp_jpeg *self) { return self->eighth != NULL; }

void pp_jpeg_free(pp_jpeg *self) {
    if (!setjmp(self->escape)) jpeg_destroy_decompress(&self->info);
    pp_colour_free(self->cmyk_colour);
    free(self->eighth);
    free(self->cmyk_row);
    free(self->profile);
    free(self);
}
