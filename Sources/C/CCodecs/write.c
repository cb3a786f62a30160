// SPDX-License-Identifier: MIT
// Encoders. They write to memory, because a decoder process cannot open files.

#include "codec.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <webp/encode.h>
#include <webp/mux.h>

void pp_output_free(pp_output *output) {
    if (output->release) output->release(output->bytes);
    memset(output, 0, sizeof *output);
}

// MARK: - JPEG

enum { METADATA_MARKER = JPEG_APP0 + 1 };

typedef struct jpeg_writer {
    struct jpeg_compress_struct info; // first: libjpeg hands out pointers to it
    struct jpeg_error_mgr errors;
    jmp_buf escape;
    unsigned char *bytes;
    unsigned long count;
} jpeg_writer;

static void on_error(j_common_ptr info) { longjmp(((jpeg_writer *)info)->escape, 1); }

static void on_message(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

static pp_status write_jpeg(jpeg_writer *self, const uint8_t *pixels, unsigned quality,
                            int is_small, const uint8_t *exif, size_t exif_size,
                            const uint8_t *xmp, size_t xmp_size) {
    if (setjmp(self->escape)) return PP_TOO_LARGE;
    jpeg_set_defaults(&self->info);
    jpeg_set_quality(&self->info, (int)quality, TRUE);
    // A few percent smaller, but all coefficients are stored and read twice.
    self->info.optimize_coding = is_small ? TRUE : FALSE;
    jpeg_start_compress(&self->info, TRUE);
    if (exif_size > 0) {
        jpeg_write_marker(&self->info, METADATA_MARKER, exif, (unsigned)exif_size);
    }
    if (xmp_size > 0) jpeg_write_marker(&self->info, METADATA_MARKER, xmp, (unsigned)xmp_size);
    size_t stride = (size_t)self->info.image_width * 3;
    while (self->info.next_scanline < self->info.image_height) {
        // libjpeg does not modify its input.
        JSAMPROW row = (JSAMPROW)(pixels + self->info.next_scanline * stride);
        jpeg_write_scanlines(&self->info, &row, 1);
    }
    jpeg_finish_compress(&self->info);
    return PP_OK;
}

pp_status pp_jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, unsigned quality,
                         int is_small, const uint8_t *exif, size_t exif_size,
                         const uint8_t *xmp, size_t xmp_size, pp_output *output) {
    jpeg_writer *self = calloc(1, sizeof *self);
    if (!self) return PP_TOO_LARGE;
    self->info.err = jpeg_std_error(&self->errors);
    self->errors.error_exit = on_error;
    self->errors.emit_message = on_message;
    if (setjmp(self->escape)) {
        free(self);
        return PP_TOO_LARGE;
    }
    jpeg_create_compress(&self->info);
    jpeg_mem_dest(&self->info, &self->bytes, &self->count);
    self->info.image_width = width;
    self->info.image_height = height;
    self->info.input_components = 3;
    self->info.in_color_space = JCS_RGB;
    pp_status status = write_jpeg(self, pixels, quality, is_small, exif, exif_size, xmp, xmp_size);
    jpeg_destroy_compress(&self->info);
    if (status) {
        free(self->bytes);
    } else {
        output->bytes = self->bytes;
        output->count = self->count;
        output->release = free;
    }
    free(self);
    return status;
}

// MARK: - WebP

static void free_assembled(void *bytes) { WebPFree(bytes); }

static int add(WebPMux *mux, const char *name, const uint8_t *bytes, size_t size) {
    WebPData content = {bytes, size};
    return size == 0 || WebPMuxSetChunk(mux, name, &content, 0) == WEBP_MUX_OK;
}

// Adds metadata to an encoded picture.
static pp_status assemble(const WebPMemoryWriter *writer, const uint8_t *exif, size_t exif_size,
                          const uint8_t *xmp, size_t xmp_size, pp_output *output) {
    WebPData picture = {writer->mem, writer->size};
    WebPData file = {NULL, 0};
    WebPMux *mux = WebPMuxNew();
    if (!mux) return PP_TOO_LARGE;
    int is_done = WebPMuxSetImage(mux, &picture, 0) == WEBP_MUX_OK &&
                  add(mux, "EXIF", exif, exif_size) && add(mux, "XMP ", xmp, xmp_size) &&
                  WebPMuxAssemble(mux, &file) == WEBP_MUX_OK;
    WebPMuxDelete(mux);
    if (!is_done) return PP_TOO_LARGE;
    output->bytes = (uint8_t *)file.bytes;
    output->count = file.size;
    output->release = free_assembled;
    return PP_OK;
}

pp_status pp_webp_encode(const uint8_t *pixels, uint32_t width, uint32_t height, unsigned channels,
                         unsigned quality, const uint8_t *exif, size_t exif_size,
                         const uint8_t *xmp, size_t xmp_size, pp_output *output) {
    // Lossy compression halves the resolution of colours, of which a tiny picture has little.
    enum { SHORTEST_LOSSY_SIDE = 16 };
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigPreset(&config, WEBP_PRESET_PHOTO, (float)quality) ||
        !WebPPictureInit(&picture)) {
        return PP_UNSUPPORTED;
    }
    config.lossless = picture.use_argb = width < SHORTEST_LOSSY_SIDE || height < SHORTEST_LOSSY_SIDE;
    picture.width = (int)width;
    picture.height = (int)height;
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    int stride = (int)(width * channels);
    int is_done = (channels == 4 ? WebPPictureImportRGBA(&picture, pixels, stride)
                                 : WebPPictureImportRGB(&picture, pixels, stride)) &&
                  WebPEncode(&config, &picture);
    WebPPictureFree(&picture);
    pp_status status =
        is_done ? assemble(&writer, exif, exif_size, xmp, xmp_size, output) : PP_TOO_LARGE;
    WebPMemoryWriterClear(&writer);
    return status;
}
