// SPDX-License-Identifier: MIT
// What the files of this module share.

#ifndef PP_VIDEO_H
#define PP_VIDEO_H

#include "CVideo.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>

struct pp_video {
    int fd;
    int64_t position;
    int64_t size;
    // What is read in place of parts of the file.
    const pp_video_part *parts;
    size_t part_count;
    const uint8_t *replacements;
    AVIOContext *io;
    AVFormatContext *format;
    const AVCodec *codec;
    int stream;
};

// How the pixels of a frame are made.
typedef struct pp_video_scaling {
    // The longest side in pixels.
    uint32_t side;
    // The method, as libswscale numbers it.
    int method;
    // Whether a frame with transparency keeps it.
    int keeps_alpha;
} pp_video_scaling;

// Returns our status for an error of FFmpeg.
pp_video_status pp_video_status_of(int error);

// Opens the decoder of the stream; `context` must be freed.
int pp_video_open_codec(const pp_video *video, AVCodecContext **context);

// Makes the pixels of a frame. `cache` keeps what the next frame of the same size can use.
int pp_video_scale(const AVStream *stream, const AVFrame *frame, pp_video_scaling scaling,
                   struct SwsContext **cache, pp_video_frame *out);

#endif
