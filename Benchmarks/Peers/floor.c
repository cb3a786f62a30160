// SPDX-License-Identifier: MIT
// The minimum cost of a 256-pixel thumbnail with common libraries: TurboJPEG at an eighth of the size,
// averaged areas, and libpng at level 1:
//   floor FILE…
// Prints the milliseconds that decoding, scaling and encoding take per photograph. Everything runs
// once beforehand, so that the files are in memory. Nothing is written.

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <turbojpeg.h>

enum { SIDE = 256, CHANNELS = 3 };

typedef struct {
    int width, height;
    unsigned char *pixels;
} picture;

static void fail(const char *what) {
    fprintf(stderr, "floor: %s\n", what);
    exit(1);
}

static void *room(size_t count) {
    void *bytes = calloc(1, count);
    if (!bytes) fail("out of memory");
    return bytes;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static picture decode(tjhandle jpeg, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail(path);
    long count = ftell(file);
    rewind(file);
    unsigned char *bytes = room(count > 0 ? (size_t)count : 1);
    if (count <= 0 || fread(bytes, 1, (size_t)count, file) != (size_t)count) fail(path);
    fclose(file);
    int width, height, sampling, colours;
    if (tjDecompressHeader3(jpeg, bytes, (unsigned long)count, &width, &height, &sampling, &colours))
        fail(path);
    const tjscalingfactor eighth = {1, 8};
    picture result = {TJSCALED(width, eighth), TJSCALED(height, eighth), NULL};
    result.pixels = room((size_t)result.width * (size_t)result.height * CHANNELS);
    if (tjDecompress2(jpeg, bytes, (unsigned long)count, result.pixels, result.width, 0, result.height,
                      TJPF_RGB, 0))
        fail(path);
    free(bytes);
    return result;
}

static double overlap(double begin, double end, int cell) {
    double from = begin > cell ? begin : cell, to = end < cell + 1 ? end : cell + 1;
    return to > from ? to - from : 0;
}

// Each new pixel is the average of the area that it covers: rows first, then columns.
static picture scale(picture from) {
    int larger = from.width > from.height ? from.width : from.height;
    picture to = {from.width * SIDE / larger, from.height * SIDE / larger, NULL};
    to.pixels = room((size_t)to.width * (size_t)to.height * CHANNELS);
    size_t stride = (size_t)from.width * CHANNELS;
    float *sums = room(stride * sizeof *sums);
    double across = (double)from.width / to.width, down = (double)from.height / to.height;
    for (int y = 0; y < to.height; y++) {
        memset(sums, 0, stride * sizeof *sums);
        for (int row = (int)(y * down); row < from.height && row < (y + 1) * down; row++) {
            float weight = (float)(overlap(y * down, (y + 1) * down, row) / down);
            const unsigned char *pixels = from.pixels + (size_t)row * stride;
            for (size_t index = 0; index < stride; index++) sums[index] += weight * pixels[index];
        }
        for (int x = 0; x < to.width; x++) {
            float colour[CHANNELS] = {0.5f, 0.5f, 0.5f};
            for (int at = (int)(x * across); at < from.width && at < (x + 1) * across; at++) {
                float weight = (float)(overlap(x * across, (x + 1) * across, at) / across);
                for (int c = 0; c < CHANNELS; c++) colour[c] += weight * sums[at * CHANNELS + c];
            }
            unsigned char *pixel = to.pixels + ((size_t)y * (size_t)to.width + (size_t)x) * CHANNELS;
            for (int c = 0; c < CHANNELS; c++) pixel[c] = (unsigned char)colour[c];
        }
    }
    free(sums);
    return to;
}

static void take(png_structp png, png_bytep bytes, png_size_t count) {
    (void)bytes;
    *(size_t *)png_get_io_ptr(png) += count;
}

static void flush(png_structp png) { (void)png; }

static void encode(picture picture) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) fail("libpng");
    size_t size = 0;
    png_set_write_fn(png, &size, take, flush);
    png_set_compression_level(png, 1);
    png_set_IHDR(png, info, (png_uint_32)picture.width, (png_uint_32)picture.height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < picture.height; y++)
        png_write_row(png, picture.pixels + (size_t)y * (size_t)picture.width * CHANNELS);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

int main(int count, char **paths) {
    tjhandle jpeg = tjInitDecompress();
    if (!jpeg || count < 2) fail("no file is given");
    double decoding = 0, scaling = 0, encoding = 0;
    for (int round = 0; round < 2; round++) {
        decoding = scaling = encoding = 0;
        for (int index = 1; index < count; index++) {
            double start = now();
            picture eighth = decode(jpeg, paths[index]);
            double decoded = now();
            picture small = scale(eighth);
            double scaled = now();
            encode(small);
            encoding += now() - scaled;
            scaling += scaled - decoded;
            decoding += decoded - start;
            free(eighth.pixels);
            free(small.pixels);
        }
    }
    int photos = count - 1;
    printf("%f %f %f\n", decoding / photos, scaling / photos, encoding / photos);
    tjDestroy(jpeg);
    return 0;
}
