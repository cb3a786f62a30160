// SPDX-License-Identifier: MIT
// Brotli streams, as in the compressed boxes of JPEG XL.

#include "codec.h"

#include <stdlib.h>

#include <brotli/decode.h>

enum { MOST_TEXT = 1 << 20 };

pp_status pp_brotli_decompress(const uint8_t *stream, size_t count, pp_output *output) {
    uint8_t *text = malloc(MOST_TEXT), *next = text;
    BrotliDecoderState *decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    pp_status status = PP_TOO_LARGE;
    if (text && decoder) {
        size_t room = MOST_TEXT;
        switch (BrotliDecoderDecompressStream(decoder, &count, &stream, &room, &next, NULL)) {
        case BROTLI_DECODER_RESULT_SUCCESS:
        // The rest of the stream is missing.
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT:
            status = PP_OK;
            break;
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT:
            break;
        case BROTLI_DECODER_RESULT_ERROR:
            status = PP_DAMAGED;
        }
    }
    if (decoder) BrotliDecoderDestroyInstance(decoder);
    if (status) {
        free(text);
        return status;
    }
    output->bytes = text;
    output->count = (size_t)(next - text);
    output->release = free;
    return PP_OK;
}
