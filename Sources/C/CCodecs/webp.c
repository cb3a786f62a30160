// SPDX-License-Identifier: MIT

#include "codec.h"

#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

enum { MOST_BYTES = 128 << 20 };

static pp_status status_of(VP8StatusCode code) {
    switch (code) {
    case VP8_STATUS_OK:
        return PP_OK;
    case VP8_STATUS_OUT_OF_MEMORY:
        return PP_TOO_LARGE;
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        return PP_UNSUPPORTED;
    default:
        return PP_DAMAGED;
    }
}

static void copy_profile(const pp_bytes *file, pp_picture *picture) {
    WebPData data = {file->bytes, file->count};
    WebPDemuxState state;
    WebPDemuxer *demuxer = WebPDemuxPartial(&data, &state);
    WebPChunkIterator chunk;
    if (demuxer && WebPDemuxGetChunk(demuxer, "ICCP", 1, &chunk)) {
        picture->profile = malloc(chunk.chunk.size);
        if (picture->profile) {
            memcpy(picture->profile, chunk.chunk.bytes, chunk.chunk.size);
            picture->profile_size = chunk.chunk.size;
        }
        WebPDemuxReleaseChunkIterator(&chunk);
    }
    WebPDemuxDelete(demuxer);
}

// Rows that are missing from a truncated file stay transparent.
static pp_status decode_still(const pp_bytes *file, pp_picture *picture) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return PP_UNSUPPORTED;
    config.options.use_scaling = 1;
    config.options.scaled_width = (int)picture->width;
    config.options.scaled_height = (int)picture->height;
    config.output.colorspace = picture->channels == 4 ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = picture->pixels;
    config.output.u.RGBA.stride = (int)picture->stride;
    config.output.u.RGBA.size = picture->stride * picture->height;
    WebPIDecoder *decoder = WebPIDecode(NULL, 0, &config);
    if (!decoder) return PP_TOO_LARGE;
    VP8StatusCode code = WebPIUpdate(decoder, file->bytes, file->count);
    int last_row = 0;
    WebPIDecGetRGB(decoder, &last_row, NULL, NULL, NULL);
    WebPIDelete(decoder);
    WebPFreeDecBuffer(&config.output);
    return last_row > 0 ? PP_OK : status_of(code);
}

static pp_status decode_moving(const pp_bytes *file, pp_picture *picture) {
    WebPAnimDecoderOptions options;
    if (!WebPAnimDecoderOptionsInit(&options)) return PP_UNSUPPORTED;
    options.color_mode = MODE_RGBA;
    WebPData data = {file->bytes, file->count};
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, &options);
    if (!decoder) return PP_DAMAGED;
    uint8_t *frame;
    int time;
    pp_status status = PP_DAMAGED;
    if (WebPAnimDecoderGetNext(decoder, &frame, &time)) {
        memcpy(picture->pixels, frame, picture->stride * picture->height);
        status = PP_OK;
    }
    WebPAnimDecoderDelete(decoder);
    return status;
}

pp_status pp_webp_decode(int fd, uint32_t width, uint32_t height, pp_picture *picture) {
    pp_bytes file;
    pp_status status = pp_read_file(fd, MOST_BYTES, 0, &file);
    if (status) return status;
    WebPBitstreamFeatures features;
    status = status_of(WebPGetFeatures(file.bytes, file.count, &features));
    if (!status && features.has_animation) {
        status = pp_picture_allocate(picture, (uint32_t)features.width,
                                     (uint32_t)features.height, 4);
        if (!status) status = decode_moving(&file, picture);
    } else if (!status) {
        if (width > (uint32_t)features.width) width = (uint32_t)features.width;
        if (height > (uint32_t)features.height) height = (uint32_t)features.height;
        status = pp_picture_allocate(picture, width, height, features.has_alpha ? 4 : 3);
        if (!status) status = decode_still(&file, picture);
    }
    if (!status) copy_profile(&file, picture);
    free(file.bytes);
    return status;
}
