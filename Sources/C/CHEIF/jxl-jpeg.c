// SPDX-License-Identifier: MIT
// JPEGs that are stored in JPEG XL in such a way that every byte of them can be restored.

#include "codecs.h"

#include <stdlib.h>

#include <jxl/decode.h>

enum {
    MOST_JPEG = 256 << 20,
    MORE = 64 << 10,
};

// Makes room behind the bytes that were written.
static pp_status grow(JxlDecoder *decoder, pp_output *output, size_t *room, size_t more) {
    if (*room > MOST_JPEG - more) return PP_TOO_LARGE;
    uint8_t *bytes = realloc(output->bytes, *room + more);
    if (!bytes) return PP_TOO_LARGE;
    output->bytes = bytes;
    output->release = free;
    *room += more;
    return JxlDecoderSetJPEGBuffer(decoder, bytes + output->count, *room - output->count)
               ? PP_DAMAGED
               : PP_OK;
}

static pp_status restore(JxlDecoder *decoder, const uint8_t *file, size_t size,
                         pp_output *output) {
    size_t room = 0;
    if (JxlDecoderSubscribeEvents(decoder, JXL_DEC_JPEG_RECONSTRUCTION | JXL_DEC_FULL_IMAGE) ||
        JxlDecoderSetInput(decoder, file, size)) {
        return PP_DAMAGED;
    }
    JxlDecoderCloseInput(decoder);
    for (;;) {
        pp_status status = PP_OK;
        switch (JxlDecoderProcessInput(decoder)) {
        case JXL_DEC_JPEG_RECONSTRUCTION:
            // A JPEG is about a quarter larger.
            status = grow(decoder, output, &room, size + size / 2 + MORE);
            break;
        case JXL_DEC_JPEG_NEED_MORE_OUTPUT:
            output->count = room - JxlDecoderReleaseJPEGBuffer(decoder);
            status = grow(decoder, output, &room, room);
            break;
        case JXL_DEC_FULL_IMAGE:
            if (room == 0) return PP_UNSUPPORTED;
            output->count = room - JxlDecoderReleaseJPEGBuffer(decoder);
            return PP_OK;
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            return PP_UNSUPPORTED;
        default:
            return PP_DAMAGED;
        }
        if (status) return status;
    }
}

pp_status pp_libjxl_restore_jpeg(const uint8_t *file, size_t size, pp_output *output) {
    if (size > MOST_JPEG / 4) return PP_TOO_LARGE;
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    if (!decoder) return PP_TOO_LARGE;
    pp_status status = restore(decoder, file, size, output);
    JxlDecoderDestroy(decoder);
    return status;
}
