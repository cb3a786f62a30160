// SPDX-License-Identifier: MIT

#include "codecs.h"

#include <stdlib.h>
#include <string.h>

#include <jxl/decode.h>
#include <jxl/version.h>

enum {
    MOST_BYTES = 128 << 20,
    // Headers and metadata are at the start of the file.
    HEADER_BYTES = 1 << 20,
    MOST_PROFILE = 8 << 20,
};

// MARK: - Facts

// Allocates memory for the next box, if it contains EXIF data.
static void prepare_box(JxlDecoder *decoder, pp_facts *facts, uint8_t **box) {
    JxlBoxType type;
    uint64_t size;
    if (facts->exif || *box) return;
    if (JxlDecoderGetBoxType(decoder, type, JXL_TRUE) != JXL_DEC_SUCCESS) return;
    if (memcmp(type, "Exif", 4) != 0) return;
    if (JxlDecoderGetBoxSizeRaw(decoder, &size) != JXL_DEC_SUCCESS) return;
    if (size < 16 || size > HEADER_BYTES) return;
    *box = calloc(1, HEADER_BYTES);
    if (*box) JxlDecoderSetBoxBuffer(decoder, *box, HEADER_BYTES);
}

static void take_box(JxlDecoder *decoder, pp_facts *facts, uint8_t **box) {
    if (!*box) return;
    size_t size = HEADER_BYTES - JxlDecoderReleaseBoxBuffer(decoder);
    // The first four bytes are the number of bytes between them and the byte order.
    const uint8_t *head = *box;
    size_t start = ((size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 |
                    (size_t)head[3]) + 4;
    if (size > 4 && start < size && (facts->exif = malloc(size - start))) {
        memcpy(facts->exif, *box + start, size - start);
        facts->exif_size = size - start;
    }
    free(*box);
    *box = NULL;
}

static pp_status take_basic_info(JxlDecoder *decoder, pp_facts *facts) {
    JxlBasicInfo info;
    if (JxlDecoderGetBasicInfo(decoder, &info) != JXL_DEC_SUCCESS) return PP_DAMAGED;
    facts->width = info.xsize;
    facts->height = info.ysize;
    facts->orientation = (unsigned)info.orientation;
    facts->is_animated = info.have_animation;
    return PP_OK;
}

static pp_status read_facts(JxlDecoder *decoder, const pp_bytes *file, pp_facts *facts) {
    if (JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_BOX) ||
        JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) ||
        JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) ||
        JxlDecoderSetInput(decoder, file->bytes, file->count)) {
        return PP_DAMAGED;
    }
    JxlDecoderCloseInput(decoder);
    uint8_t *box = NULL;
    pp_status status = PP_OK;
    for (int is_done = 0; !is_done && !status;) {
        switch (JxlDecoderProcessInput(decoder)) {
        case JXL_DEC_BASIC_INFO:
            status = take_basic_info(decoder, facts);
            break;
        case JXL_DEC_BOX:
            take_box(decoder, facts, &box);
            prepare_box(decoder, facts, &box);
            break;
        default:
            take_box(decoder, facts, &box);
            is_done = 1;
        }
    }
    free(box);
    return facts->width > 0 ? PP_OK : PP_DAMAGED;
}

pp_status pp_libjxl_read_facts(int fd, pp_facts *facts) {
    pp_bytes file;
    pp_status status = pp_read_file(fd, HEADER_BYTES, 1, &file);
    if (status) return status;
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    status = decoder ? read_facts(decoder, &file, facts) : PP_TOO_LARGE;
    JxlDecoderDestroy(decoder);
    free(file.bytes);
    return status;
}

// MARK: - Pixels

// libjxl 0.9 removed the pixel format parameter, which was never used.
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define UNUSED_FORMAT
#else
#define UNUSED_FORMAT NULL,
#endif

static void copy_profile(JxlDecoder *decoder, pp_picture *picture) {
    size_t size;
    if (JxlDecoderGetICCProfileSize(decoder, UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_DATA, &size) ||
        size == 0 || size > MOST_PROFILE || !(picture->profile = malloc(size))) {
        return;
    }
    picture->profile_size = size;
    if (JxlDecoderGetColorAsICCProfile(decoder, UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_DATA,
                                       picture->profile, size)) {
        free(picture->profile);
        picture->profile = NULL;
        picture->profile_size = 0;
    }
}

static pp_status make_room(JxlDecoder *decoder, JxlPixelFormat *format, pp_picture *picture) {
    JxlBasicInfo info;
    if (JxlDecoderGetBasicInfo(decoder, &info)) return PP_DAMAGED;
    format->num_channels = info.alpha_bits > 0 ? 4 : 3;
    pp_status status =
        pp_picture_allocate(picture, info.xsize, info.ysize, format->num_channels);
    if (status) return status;
    if (JxlDecoderSetImageOutBuffer(decoder, format, picture->pixels,
                                    picture->stride * picture->height)) {
        return PP_UNSUPPORTED;
    }
    return PP_OK;
}

static pp_status decode(JxlDecoder *decoder, const pp_bytes *file, pp_picture *picture) {
    JxlPixelFormat format = {
        .num_channels = 4, .data_type = JXL_TYPE_UINT8, .endianness = JXL_NATIVE_ENDIAN};
    const JxlColorEncoding srgb = {
        .color_space = JXL_COLOR_SPACE_RGB,
        .white_point = JXL_WHITE_POINT_D65,
        .primaries = JXL_PRIMARIES_SRGB,
        .transfer_function = JXL_TRANSFER_FUNCTION_SRGB,
        .rendering_intent = JXL_RENDERING_INTENT_PERCEPTUAL,
    };
    if (JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING |
                                               JXL_DEC_FULL_IMAGE) ||
        JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) ||
        JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE) ||
        JxlDecoderSetInput(decoder, file->bytes, file->count)) {
        return PP_DAMAGED;
    }
    JxlDecoderCloseInput(decoder);
    for (;;) {
        pp_status status = PP_OK;
        switch (JxlDecoderProcessInput(decoder)) {
        case JXL_DEC_BASIC_INFO:
            break;
        case JXL_DEC_COLOR_ENCODING:
            // Has an effect on pixels stored in JPEG XL's own colour space; others keep their
            // profile.
            JxlDecoderSetPreferredColorProfile(decoder, &srgb);
            copy_profile(decoder, picture);
            break;
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            status = make_room(decoder, &format, picture);
            break;
        case JXL_DEC_FULL_IMAGE:
        case JXL_DEC_SUCCESS:
            return picture->pixels ? PP_OK : PP_DAMAGED;
        default:
            // The file is truncated. The part that was decoded may be worth showing.
            if (picture->pixels && JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS) return PP_OK;
            return PP_DAMAGED;
        }
        if (status) return status;
    }
}

pp_status pp_libjxl_decode(int fd, pp_picture *picture) {
    pp_bytes file;
    pp_status status = pp_read_file(fd, MOST_BYTES, 0, &file);
    if (status) return status;
    JxlDecoder *decoder = JxlDecoderCreate(NULL);
    status = decoder ? decode(decoder, &file, picture) : PP_TOO_LARGE;
    JxlDecoderDestroy(decoder);
    free(file.bytes);
    return status;
}
