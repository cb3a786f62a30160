// SPDX-License-Identifier: MIT

#include "codec.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

enum {
    BUFFER_SIZE = 16384,
    // The four bytes of a checksum after the name of the last chunk.
    CHECKSUM_SIZE = 4,
    // The size of a `cICP` chunk.
    CODE_POINTS_SIZE = 4,
};

// The gamma value that stands for sRGB's curve, and how far from it others may be: programs write it
// for pictures in sRGB.
static const double SRGB_GAMMA = 0.45455, SRGB_TOLERANCE = 0.005;

static const png_byte CODE_POINTS[] = "cICP";

// Chunks that nothing here looks at, five bytes each.
static const png_byte UNUSED_CHUNKS[] = "bKGD\0" "eXIf\0" "hIST\0" "iTXt\0" "oFFs\0" "pCAL\0" "pHYs\0"
                                        "sCAL\0" "sPLT\0" "tEXt\0" "tIME\0" "zTXt";

struct pp_png {
    png_structp reader;
    png_infop info;
    jmp_buf escape;
    pp_status failure;
    int fd;
    off_t offset;
    uint8_t buffer[BUFFER_SIZE];
    size_t available;
    size_t position;
    int has_rows;
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

// Whether these are the last bytes of a file that does not end with its last chunk.
static int is_cut_off(const pp_png *self) {
    uint8_t next;
    if (pp_read_at(self->fd, &next, 1, self->offset) > 0) return 0;
    const size_t size = 4 + CHECKSUM_SIZE;
    return self->available < size ||
           memcmp(self->buffer + self->available - size, "IEND", 4) != 0;
}

static void fill_buffer(png_structp reader, pp_png *self) {
    ssize_t received = pp_read_at(self->fd, self->buffer, sizeof self->buffer, self->offset);
    if (received <= 0) png_error(reader, "the file ends early");
    self->offset += received;
    self->available = (size_t)received;
    self->position = 0;
    // libpng asks for thousands of bytes at a time, and gives up all of them if some are missing.
    if (is_cut_off(self)) png_set_compression_buffer_size(reader, 1);
}

static void read_bytes(png_structp reader, png_bytep bytes, size_t count) {
    pp_png *self = png_get_io_ptr(reader);
    while (count > 0) {
        if (self->position == self->available) fill_buffer(reader, self);
        size_t part = self->available - self->position;
        if (part > count) part = count;
        memcpy(bytes, self->buffer + self->position, part);
        self->position += part;
        bytes += part;
        count -= part;
    }
}

pp_png *pp_png_make(int fd, off_t offset) {
    pp_png *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->fd = fd;
    self->offset = offset;
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
    // Limits the memory for profiles and unknown chunks.
    png_set_chunk_malloc_max(self->reader, 8 << 20);
    png_set_chunk_cache_max(self->reader, 256);
    png_set_user_limits(self->reader, 0x7FFFFFFF, 0x7FFFFFFF);
    png_set_keep_unknown_chunks(self->reader, PNG_HANDLE_CHUNK_ALWAYS, CODE_POINTS, 1);
    // libpng would fill as much memory as they claim to need before it reads them.
    png_set_keep_unknown_chunks(self->reader, PNG_HANDLE_CHUNK_NEVER, UNUSED_CHUNKS,
                                sizeof UNUSED_CHUNKS / 5);
    return self;
}

// Finds the code points of ITU-T H.273 for primaries and transfer characteristics.
static int read_code_points(const pp_png *self, pp_png_info *info) {
    png_unknown_chunkp chunks;
    int count = png_get_unknown_chunks(self->reader, self->info, &chunks);
    for (int index = 0; index < count; index++) {
        if (memcmp(chunks[index].name, CODE_POINTS, 5) != 0) continue;
        if (chunks[index].size != CODE_POINTS_SIZE) continue;
        const uint8_t *data = chunks[index].data;
        // The third byte is the matrix, which is always RGB's; the fourth whether the numbers use
        // their full range.
        if (data[2] != 0 || data[3] != 1) continue;
        info->primaries = data[0];
        info->transfer = data[1];
        return 1;
    }
    return 0;
}

// Reads white, red, green and blue, and the curve.
static void read_values(const pp_png *self, pp_png_info *info) {
    double gamma;
    double *c = info->chromaticities;
    if (png_get_gAMA(self->reader, self->info, &gamma) && gamma > 0 &&
        fabs(gamma - SRGB_GAMMA) > SRGB_TOLERANCE) {
        info->gamma = 1 / gamma;
    }
    info->has_chromaticities = png_get_cHRM(self->reader, self->info, c, c + 1, c + 2, c + 3, c + 4,
                                            c + 5, c + 6, c + 7) != 0;
}

// The third edition of the standard, 4.3: cICP counts first, then a profile, then sRGB, then gAMA
// and cHRM. A picture that declares sRGB needs no profile, though.
static void read_colour(const pp_png *self, pp_png_info *info) {
    png_charp name;
    int compression;
    png_bytep profile;
    png_uint_32 size;
    if (read_code_points(self, info)) return;
    if (png_get_valid(self->reader, self->info, PNG_INFO_sRGB)) return;
    if (png_get_iCCP(self->reader, self->info, &name, &compression, &profile, &size)) {
        info->profile = profile;
        info->profile_size = size;
        return;
    }
    read_values(self, info);
}

pp_status pp_png_read_header(pp_png *self, pp_png_info *info) {
    if (setjmp(self->escape)) return self->failure;
    png_read_info(self->reader, self->info);
    int color = png_get_color_type(self->reader, self->info);
    info->width = png_get_image_width(self->reader, self->info);
    info->height = png_get_image_height(self->reader, self->info);
    info->is_interlaced =
        png_get_interlace_type(self->reader, self->info) != PNG_INTERLACE_NONE;
    info->model = (color & PNG_COLOR_MASK_COLOR) != 0 ? PP_RGB : PP_GREY;
    read_colour(self, info);
    return PP_OK;
}

pp_status pp_png_start(pp_png *self, int *has_alpha) {
    if (setjmp(self->escape)) return self->failure;
    png_set_expand(self->reader);
    png_set_scale_16(self->reader);
    png_set_gray_to_rgb(self->reader);
    if (png_get_interlace_type(self->reader, self->info) != PNG_INTERLACE_NONE) {
        png_set_interlace_handling(self->reader);
    }
    png_read_update_info(self->reader, self->info);
    // Not what the chunks say: libpng ignores transparency that comes too early.
    int channels = png_get_channels(self->reader, self->info);
    if (channels != 3 && channels != 4) return PP_UNSUPPORTED;
    *has_alpha = channels == 4;
    return PP_OK;
}

pp_status pp_png_read_row(pp_png *self, uint8_t *row) {
    if (setjmp(self->escape)) return self->failure;
    png_read_row(self->reader, row, NULL);
    return PP_OK;
}

pp_status pp_png_read_all(pp_png *self, uint8_t *rows, size_t stride) {
    // What was read of a truncated file is worth showing.
    if (setjmp(self->escape)) return self->has_rows ? PP_OK : self->failure;
    png_uint_32 height = png_get_image_height(self->reader, self->info);
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        for (png_uint_32 y = 0; y < height; y++) {
            // A pixel fills the place of those that later passes bring.
            png_read_row(self->reader, NULL, rows + (size_t)y * stride);
            self->has_rows = 1;
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
