// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "video.h"

#include <libavutil/mem.h>
#include <stdlib.h>

enum {
    // Packets without a frame. A hostile file may have nothing else.
    maximum_packets = 2000,
    // How far ahead the player seeks rather than decode everything on the way, in microseconds.
    seek_distance = 2000000,
    // The same if the file has no index, so that a seek may go back further than it is worth.
    blind_seek_distance = 10000000,
    // A frame whose duration is unknown, and the longest duration that is believed of a last frame.
    usual_duration = 40000,
    longest_last_frame = 10000000,
};

typedef struct shown_frame {
    AVFrame *frame;
    // Whether there is one.
    int is_there;
    // In microseconds from the start of the video.
    int64_t start;
} shown_frame;

struct pp_video_player {
    pp_video *video;
    AVCodecContext *codec;
    AVPacket *packet;
    struct SwsContext *scaler;
    // The frame that was asked for last, and the one behind it, which tells when the first one ends.
    shown_frame current;
    shown_frame next;
    // Whether anything has been read.
    int has_begun;
    // Whether the decoder has given all frames.
    int is_at_end;
};

static const AVStream *stream_of(const pp_video_player *player) {
    return player->video->format->streams[player->video->stream];
}

pp_video_status pp_video_play(pp_video *video, pp_video_player **out) {
    pp_video_player *player = calloc(1, sizeof *player);
    if (!player) return PP_VIDEO_TOO_LARGE;
    player->video = video;
    player->packet = av_packet_alloc();
    player->current.frame = av_frame_alloc();
    player->next.frame = av_frame_alloc();
    int error = player->packet && player->current.frame && player->next.frame
                    ? pp_video_open_codec(video, &player->codec)
                    : AVERROR(ENOMEM);
    // Sound and other pictures are not read.
    for (unsigned i = 0; i < video->format->nb_streams; i++) {
        if ((int)i != video->stream) video->format->streams[i]->discard = AVDISCARD_ALL;
    }
    if (error < 0) {
        pp_video_player_free(player);
        return pp_video_status_of(error);
    }
    *out = player;
    return PP_VIDEO_OK;
}

void pp_video_player_free(pp_video_player *player) {
    avcodec_free_context(&player->codec);
    av_packet_free(&player->packet);
    av_frame_free(&player->current.frame);
    av_frame_free(&player->next.frame);
    sws_freeContext(player->scaler);
    free(player);
}

// MARK: - Times

static int64_t first_timestamp(const AVStream *stream) {
    return stream->start_time == AV_NOPTS_VALUE ? 0 : stream->start_time;
}

static int64_t microseconds(const AVStream *stream, int64_t duration) {
    return av_rescale_q(duration, stream->time_base, AV_TIME_BASE_Q);
}

// How long a frame lasts according to the file.
static int64_t duration(const AVStream *stream, const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    int64_t ticks = frame->duration;
#else
    int64_t ticks = frame->pkt_duration;
#endif
    int64_t length = ticks > 0 ? microseconds(stream, ticks) : 0;
    AVRational rate = stream->avg_frame_rate;
    if (length <= 0 && rate.num > 0 && rate.den > 0) {
        length = av_rescale(AV_TIME_BASE, rate.den, rate.num);
    }
    if (length <= 0) return usual_duration;
    return length < longest_last_frame ? length : longest_last_frame;
}

// The start of a frame. Frames without a time follow the one before, and none begins before it.
static int64_t start(const AVStream *stream, const AVFrame *frame, const shown_frame *before) {
    int64_t timestamp = frame->best_effort_timestamp, time = -1;
    if (timestamp != AV_NOPTS_VALUE &&
        !__builtin_sub_overflow(timestamp, first_timestamp(stream), &timestamp)) {
        time = microseconds(stream, timestamp);
    } else if (before->is_there) {
        time = before->start + duration(stream, before->frame);
    }
    int64_t earliest = before->is_there ? before->start + 1 : 0;
    const int64_t latest = INT64_C(1) << 52;
    return time < earliest ? earliest : time > latest ? latest : time;
}

// MARK: - Decoding

// Whether nobody will see the frame of a packet, which may be left out if no other one refers to it.
static int is_hurried(const pp_video_player *player, int64_t time) {
    const AVStream *stream = stream_of(player);
    int64_t timestamp = player->packet->pts, length = player->packet->duration, end;
    return timestamp != AV_NOPTS_VALUE && length > 0 &&
           !__builtin_sub_overflow(timestamp, first_timestamp(stream), &timestamp) &&
           // Two, because durations are rounded.
           !__builtin_mul_overflow(length, 2, &length) &&
           !__builtin_add_overflow(timestamp, length, &end) &&
           microseconds(stream, end) <= time;
}

// Decodes the frame behind the current one; 1 if there is one, 0 at the end, negative for an error.
static int decode_next(pp_video_player *player, int64_t time) {
    for (int packets = 0; packets < maximum_packets && !player->is_at_end;) {
        int error = avcodec_receive_frame(player->codec, player->next.frame);
        if (error >= 0) {
            player->next.is_there = 1;
            player->next.start =
                start(stream_of(player), player->next.frame, &player->current);
            return 1;
        }
        if (error == AVERROR(ENOMEM)) return error;
        if (error != AVERROR(EAGAIN)) break;
        error = av_read_frame(player->video->format, player->packet);
        if (error < 0) {
            // The end, or damage: the decoder may still have frames.
            if (avcodec_send_packet(player->codec, NULL) < 0) break;
            continue;
        }
        if (player->packet->stream_index == player->video->stream) {
            packets++;
            player->codec->skip_frame =
                is_hurried(player, time) ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
            error = avcodec_send_packet(player->codec, player->packet);
        }
        av_packet_unref(player->packet);
        if (error == AVERROR(ENOMEM)) return error;
    }
    player->is_at_end = 1;
    return 0;
}

static void forget(shown_frame *frame) {
    av_frame_unref(frame->frame);
    frame->is_there = 0;
}

// Goes to the frame behind the current one, and decodes the next one.
static int advance(pp_video_player *player, int64_t time) {
    shown_frame old = player->current;
    player->current = player->next;
    player->next = old;
    forget(&player->next);
    int result = decode_next(player, time);
    return result < 0 ? result : 0;
}

// MARK: - Seeking

static int64_t timestamp_of(const AVStream *stream, int64_t time) {
    int64_t timestamp = av_rescale_q(time, AV_TIME_BASE_Q, stream->time_base);
    return __builtin_add_overflow(timestamp, first_timestamp(stream), &timestamp)
               ? first_timestamp(stream)
               : timestamp;
}

// Whether a seek leads to a time sooner than decoding everything on the way.
static int is_worth_seeking(const pp_video_player *player, int64_t time) {
    if (!player->current.is_there || time < player->current.start) return 1;
    int64_t distance = time - player->current.start;
    if (distance < seek_distance) return 0;
    AVStream *stream = player->video->format->streams[player->video->stream];
    int index = av_index_search_timestamp(stream, timestamp_of(stream, time), AVSEEK_FLAG_BACKWARD);
    const AVIndexEntry *entry = index < 0 ? NULL : avformat_index_get_entry(stream, index);
    if (!entry) return distance >= blind_seek_distance;
    // The next frame has been read already.
    int64_t read = player->next.is_there ? player->next.start : player->current.start;
    return entry->timestamp > timestamp_of(stream, read);
}

// Begins anew at the last key frame before a time.
static int seek_before(pp_video_player *player, int64_t time) {
    int error = 0;
    if (player->has_begun || time > 0) {
        error = av_seek_frame(player->video->format, player->video->stream,
                              timestamp_of(stream_of(player), time), AVSEEK_FLAG_BACKWARD);
    }
    player->has_begun = 1;
    if (error < 0 && player->current.is_there && time < player->current.start) {
        // Without an index, only the start can be found.
        error = avio_seek(player->video->io, 0, SEEK_SET) < 0 ? AVERROR(EIO) : 0;
        if (error >= 0) error = avformat_flush(player->video->format);
    }
    // Where a file cannot be searched, everything on the way is decoded.
    if (error < 0 && player->current.is_there) return 0;
    avcodec_flush_buffers(player->codec);
    forget(&player->current);
    forget(&player->next);
    player->is_at_end = 0;
    error = decode_next(player, time);
    if (error > 0) error = advance(player, time);
    return error;
}

static int go_to(pp_video_player *player, int64_t time) {
    if (is_worth_seeking(player, time)) {
        int error = seek_before(player, time);
        // Behind the last key frame, there may be nothing that can be decoded.
        if (error >= 0 && !player->current.is_there && time > 0) error = seek_before(player, 0);
        if (error < 0) return error;
        if (!player->current.is_there) return AVERROR_INVALIDDATA;
    }
    while (player->next.is_there && player->next.start <= time) {
        int error = advance(player, time);
        if (error < 0) return error;
    }
    return 0;
}

pp_video_status pp_video_show(pp_video_player *player, int64_t time, uint32_t side,
                              pp_video_frame *frame, pp_video_times *times) {
    int error = go_to(player, time);
    if (error < 0) return pp_video_status_of(error);
    const AVStream *stream = stream_of(player);
    const shown_frame *current = &player->current;
    // Whatever the time of the first frame, the video begins with it.
    times->start = current->start <= time ? current->start : time;
    times->end = player->next.is_there ? player->next.start
                                       : current->start + duration(stream, current->frame);
    times->is_last = !player->next.is_there;
    const pp_video_scaling scaling = {.side = side, .method = SWS_BILINEAR, .keeps_alpha = 1};
    error = pp_video_scale(stream, current->frame, scaling, &player->scaler, frame);
    return error < 0 ? pp_video_status_of(error) : PP_VIDEO_OK;
}
