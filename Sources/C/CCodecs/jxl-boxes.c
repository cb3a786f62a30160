// SPDX-License-Identifier: MIT
// Compressed boxes of JPEG XL, by libjxl, which has no call for a box without its file.

#include "codec.h"

#include <stdlib.h>
#include <string.h>

#include <jxl/decode.h>

enum {
    MOST_BOX = 1 << 20,
    BOX_HEADER = 8,
};

// The start of a file, and an empty box, whose arrival tells that the box before it was read.
static const uint8_t start[] = {0,   0,   0,   12,  'J', 'X', 'L', ' ', 0x0D, 0x0A, 0x87,
                                0x0A, 0,  0,   0,   20,  'f', 't', 'y', 'p', 'j',  'x',
                                'l', ' ', 0,   0,   0,   0,   'j', 'x', 'l', ' '};
static const uint8_t end[] = {0, 0, 0, 8, 'f', 'r', 'e', 'e'};

// A file with one box. The caller frees it.
static uint8_t *file_with(const uint8_t *content, size_t count, size_t *size) {
    *size = sizeof start + BOX_HEADER + count + sizeof end;
    uint8_t *file = malloc(*size);
    if (!file) return NULL;
    const size_t box = BOX_HEADER + count;
    const uint8_t header[BOX_HEADER] = {(uint8_t)(box >> 24), (uint8_t)(box >> 16),
                                        (uint8_t)(box >> 8),  (uint8_t)box,
                                        'b', 'r', 'o', 'b'};
    memcpy(file, start, sizeof start);
    memcpy(file + sizeof start, header, BOX_HEADER);
    memcpy(file + sizeof start + BOX_HEADER, content, count);
    memcpy(file + sizeof start + box, end, sizeof end);
    return file;
}

static pp_status read_box(JxlDecoder *decoder, const uint8_t *file, size_t size, uint8_t *text,
                          size_t *count) {
    JxlBoxType type;
    int is_started = 0;
    if (JxlDecoderSubscribeEvents(decoder, JXL_DEC_BOX) ||
        JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) ||
        JxlDecoderSetInput(decoder, file, size)) {
        return PP_DAMAGED;
    }
    JxlDecoderCloseInput(decoder);
    for (;;) {
        switch (JxlDecoderProcessInput(decoder)) {
        case JXL_DEC_BOX:
            if (is_started) {
                *count = MOST_BOX - JxlDecoderReleaseBoxBuffer(decoder);
                return PP_OK;
            }
            if (JxlDecoderGetBoxType(decoder, type, JXL_FALSE)) return PP_DAMAGED;
            is_started = memcmp(type, "brob", sizeof type) == 0;
            if (is_started && JxlDecoderSetBoxBuffer(decoder, text, MOST_BOX)) return PP_DAMAGED;
            break;
        case JXL_DEC_BOX_NEED_MORE_OUTPUT:
            return PP_TOO_LARGE;
        default:
            return PP_DAMAGED;
        }
    }
}

pp_status pp_jxl_decompress(const uint8_t *content, size_t count, pp_output *output) {
    if (count > MOST_BOX) return PP_TOO_LARGE;
    size_t size = 0;
    uint8_t *file = file_with(content, count, &size), *text = malloc(MOST_BOX);
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    pp_status status = file && text && decoder
                           ? read_box(decoder, file, size, text, &output->count)
                           : PP_TOO_LARGE;
    JxlDecoderDestroy(decoder);
    free(file);
    if (status) {
        free(text);
        return status;
    }
    output->bytes = text;
    output->release = free;
    return PP_OK;
}
