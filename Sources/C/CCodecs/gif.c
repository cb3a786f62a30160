// SPDX-License-Identifier: MIT

#include "codec.h"

#include <stdlib.h>

#include <gif_lib.h>

typedef struct source {
    int fd;
    off_t offset;
    size_t available;
    size_t position;
    uint8_t buffer[16384];
} source;

static int read_bytes(GifFileType *gif, GifByteType *bytes, int count) {
    source *self = gif->UserData;
    int done = 0;
    while (done < count) {
        if (self->position == self->available) {
            ssize_t received =
                pp_read_at(self->fd, self->buffer, sizeof self->buffer, self->offset);
            if (received <= 0) break;
            self->offset += received;
            self->available = (size_t)received;
            self->position = 0;
        }
        bytes[done++] = self->buffer[self->position++];
    }
    return done;
}

// Reads the blocks before the first frame. Returns whether a frame follows.
static int find_frame(GifFileType *gif, GraphicsControlBlock *control) {
    GifRecordType record;
    while (DGifGetRecordType(gif, &record) == GIF_OK) {
        if (record == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(gif) == GIF_OK;
        if (record != EXTENSION_RECORD_TYPE) return 0;
        int code;
        GifByteType *block;
        if (DGifGetExtension(gif, &code, &block) != GIF_OK) return 0;
        while (block) {
            if (code == GRAPHICS_EXT_FUNC_CODE && block[0] >= 4) {
                DGifExtensionToGCB(block[0], block + 1, control);
            }
            if (DGifGetExtensionNext(gif, &block) != GIF_OK) return 0;
        }
    }
    return 0;
}

static void put_row(const GifFileType *gif, const GraphicsControlBlock *control,
                    const ColorMapObject *map, const GifPixelType *row, int y,
                    pp_picture *picture) {
    int64_t top = (int64_t)gif->Image.Top + y;
    if (top < 0 || top >= picture->height) return;
    uint8_t *line = picture->pixels + (size_t)top * picture->stride;
    for (int x = 0; x < gif->Image.Width; x++) {
        int64_t left = (int64_t)gif->Image.Left + x;
        if (left < 0 || left >= picture->width) break;
        if (row[x] >= map->ColorCount || row[x] == control->TransparentColor) continue;
        const GifColorType colour = map->Colors[row[x]];
        uint8_t *pixel = line + left * 4;
        pixel[0] = colour.Red;
        pixel[1] = colour.Green;
        pixel[2] = colour.Blue;
        pixel[3] = 255;
    }
}

// Rows that are missing from a truncated file stay transparent.
static pp_status decode_frame(GifFileType *gif, const GraphicsControlBlock *control,
                              pp_picture *picture) {
    const ColorMapObject *map = gif->Image.ColorMap ? gif->Image.ColorMap : gif->SColorMap;
    if (!map || gif->Image.Width <= 0) return PP_DAMAGED;
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    GifPixelType *row = malloc((size_t)gif->Image.Width);
    if (!row) return PP_TOO_LARGE;
    int rows = 0;
    for (int pass = 0; pass < 4; pass++) {
        int start = gif->Image.Interlace ? starts[pass] : 0;
        int step = gif->Image.Interlace ? steps[pass] : 1;
        if (!gif->Image.Interlace && pass > 0) break;
        for (int y = start; y < gif->Image.Height; y += step) {
            if (DGifGetLine(gif, row, gif->Image.Width) != GIF_OK) {
                free(row);
                return rows > 0 ? PP_OK : PP_DAMAGED;
            }
            put_row(gif, control, map, row, y, picture);
            rows++;
        }
    }
    free(row);
    return rows > 0 ? PP_OK : PP_DAMAGED;
}

pp_status pp_gif_decode(int fd, pp_picture *picture) {
    source *file = calloc(1, sizeof *file);
    if (!file) return PP_TOO_LARGE;
    file->fd = fd;
    int error;
    GifFileType *gif = DGifOpen(file, read_bytes, &error);
    pp_status status = PP_DAMAGED;
    GraphicsControlBlock control = {.TransparentColor = NO_TRANSPARENT_COLOR};
    if (gif && find_frame(gif, &control)) {
        // A canvas that is missing or smaller than the frame grows to the size of the frame, as in
        // browsers.
        int64_t right = (int64_t)gif->Image.Left + gif->Image.Width;
        int64_t bottom = (int64_t)gif->Image.Top + gif->Image.Height;
        uint32_t width = gif->SWidth > 0 ? (uint32_t)gif->SWidth : (uint32_t)right;
        uint32_t height = gif->SHeight > 0 ? (uint32_t)gif->SHeight : (uint32_t)bottom;
        status = pp_picture_allocate(picture, width, height, 4);
        if (!status) status = decode_frame(gif, &control, picture);
    }
    if (gif) DGifCloseFile(gif, &error);
    free(file);
    return status;
}
