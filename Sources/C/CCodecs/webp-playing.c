// SPDX-License-Identifier: MIT

#include "codec.h"

#include <stdlib.h>

#include <webp/demux.h>

enum {
    MOST_BYTES = 128 << 20,
    // The library keeps three pictures of this size; as many as fit into the memory of a decoder.
    MOST_PIXELS = 42 << 20,
};

struct pp_webp_player {
    pp_bytes file;
    WebPAnimDecoder *decoder;
    WebPAnimInfo info;
    // The frame that was decoded last; the library keeps its pixels until the next one.
    uint8_t *pixels;
    // In milliseconds.
    int start;
    int end;
};

static pp_status start_player(pp_webp_player *player) {
    WebPBitstreamFeatures features;
    VP8StatusCode code = WebPGetFeatures(player->file.bytes, player->file.count, &features);
    if (code != VP8_STATUS_OK) return PP_DAMAGED;
    if (!features.has_animation) return PP_UNSUPPORTED;
    if ((int64_t)features.width * features.height > MOST_PIXELS) return PP_TOO_LARGE;
    WebPAnimDecoderOptions options;
    if (!WebPAnimDecoderOptionsInit(&options)) return PP_UNSUPPORTED;
    options.color_mode = MODE_RGBA;
    WebPData data = {player->file.bytes, player->file.count};
    player->decoder = WebPAnimDecoderNew(&data, &options);
    if (!player->decoder || !WebPAnimDecoderGetInfo(player->decoder, &player->info)) {
        return PP_DAMAGED;
    }
    return PP_OK;
}

pp_status pp_webp_play(int fd, pp_webp_player **out) {
    pp_webp_player *player = calloc(1, sizeof *player);
    if (!player) return PP_TOO_LARGE;
    pp_status status = pp_read_file(fd, MOST_BYTES, 0, &player->file);
    if (!status) status = start_player(player);
    if (status) {
        pp_webp_player_free(player);
        return status;
    }
    *out = player;
    return PP_OK;
}

void pp_webp_player_free(pp_webp_player *player) {
    WebPAnimDecoderDelete(player->decoder);
    free(player->file.bytes);
    free(player);
}

uint32_t pp_webp_rounds(const pp_webp_player *player) { return player->info.loop_count; }

static void begin_again(pp_webp_player *player) {
    WebPAnimDecoderReset(player->decoder);
    player->pixels = NULL;
    player->start = player->end = 0;
}

pp_status pp_webp_show(pp_webp_player *player, int64_t milliseconds, pp_moving_frame *frame) {
    if (player->pixels && milliseconds < player->start) begin_again(player);
    while (!player->pixels || milliseconds >= player->end) {
        uint8_t *pixels;
        int end;
        if (!WebPAnimDecoderHasMoreFrames(player->decoder)) break;
        // Damage is the end, unless there is nothing before it.
        if (!WebPAnimDecoderGetNext(player->decoder, &pixels, &end)) break;
        player->start = player->pixels ? player->end : 0;
        player->pixels = pixels;
        // Frames may have no duration, but time goes on.
        player->end = end > player->start ? end : player->start + 1;
    }
    if (!player->pixels) return PP_DAMAGED;
    *frame = (pp_moving_frame){
        .pixels = player->pixels,
        .width = player->info.canvas_width,
        .height = player->info.canvas_height,
        .start = player->start,
        .end = player->end,
        .is_last = milliseconds >= player->end ||
                   !WebPAnimDecoderHasMoreFrames(player->decoder),
    };
    return PP_OK;
}
