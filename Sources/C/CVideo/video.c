// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include "video.h"

#include <errno.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The containers of the types that we recognize. Others, such as playlists, name further files.
static const char containers[] =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpeg,mpegts,gif,apng";
// The decoders of what cameras, phones and browsers record. The others are old and rarely used,
// and little tested with hostile files.
static const char decoders[] =
    "h264,hevc,vp8,vp9,libvpx,libvpx-vp9,libdav1d,av1,mpeg1video,mpeg2video,mpeg4,msmpeg4v2,"
    "msmpeg4v3,h263,mjpeg,theora,prores,dvvideo,ffv1,wmv1,wmv2,wmv3,vc1,rawvideo,"
    "gif,apng";

enum {
    buffer_size = 64 << 10,
    // 8192 × 5120: larger frames do not fit into a decoder's memory.
    maximum_pixels = 42 << 20,
    // Packets without a frame: enough for streams that begin in the middle.
    maximum_packets = 2000,
    maximum_streams = 64,
    // Fonts that are attached to a video count, too.
    maximum_compared_streams = 1000,
};

// MARK: - Input

static atomic_int read_failure;

int pp_video_take_read_failure(void) { return atomic_exchange(&read_failure, 0); }

// Replaces the parts that are inside some bytes of the file.
static void replace_parts(const pp_video *video, uint8_t *bytes, int64_t start, int64_t end) {
    // The first part that ends behind the start.
    size_t low = 0, high = video->part_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (video->parts[middle].end > start) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    for (; low < video->part_count && video->parts[low].start < end; low++) {
        const pp_video_part *part = &video->parts[low];
        int64_t first = part->start > start ? part->start : start;
        int64_t last = part->end < end ? part->end : end;
        memcpy(bytes + (first - start),
               video->replacements + part->replacement + (first - part->start),
               (size_t)(last - first));
    }
}

static int read_bytes(void *opaque, uint8_t *bytes, int count) {
    pp_video *video = opaque;
    ssize_t received;
    do {
        received = pread(video->fd, bytes, (size_t)count, video->position);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        // A damaged file may name an offset that no file has.
        if (errno != EINVAL && errno != EOVERFLOW) atomic_store(&read_failure, 1);
        return AVERROR(EIO);
    }
    if (received == 0) return AVERROR_EOF;
    replace_parts(video, bytes, video->position, video->position + received);
    video->position += received;
    return (int)received;
}

static int64_t seek(void *opaque, int64_t offset, int whence) {
    pp_video *video = opaque;
    int64_t base = 0;
    switch (whence & ~AVSEEK_FORCE) {
        case AVSEEK_SIZE: return video->size;
        case SEEK_SET: break;
        case SEEK_CUR: base = video->position; break;
        case SEEK_END: base = video->size; break;
        default: return AVERROR(EINVAL);
    }
    int64_t position;
    if (__builtin_add_overflow(base, offset, &position) || position < 0) return AVERROR(EINVAL);
    return video->position = position;
}

pp_video_status pp_video_status_of(int error) {
    switch (error) {
        case AVERROR(ENOMEM): return PP_VIDEO_TOO_LARGE;
        // A container that is not on the list is refused with EINVAL.
        case AVERROR(EINVAL):
        case AVERROR_DECODER_NOT_FOUND:
        case AVERROR_STREAM_NOT_FOUND:
        case AVERROR_PATCHWELCOME: return PP_VIDEO_UNSUPPORTED;
        default: return PP_VIDEO_DAMAGED;
    }
}

// Reads the header of the container.
static int open_container(pp_video *video, int stream_limit, int flags) {
    uint8_t *buffer = av_malloc(buffer_size);
    if (!buffer) return AVERROR(ENOMEM);
    video->io = avio_alloc_context(buffer, buffer_size, 0, video, read_bytes, NULL, seek);
    if (!video->io) {
        av_free(buffer);
        return AVERROR(ENOMEM);
    }
    video->format = avformat_alloc_context();
    if (!video->format) return AVERROR(ENOMEM);
    video->format->pb = video->io;
    video->format->flags |= AVFMT_FLAG_CUSTOM_IO | flags;
    AVDictionary *options = NULL;
    av_dict_set(&options, "format_whitelist", containers, 0);
    av_dict_set(&options, "codec_whitelist", decoders, 0);
    av_dict_set(&options, "protocol_whitelist", "none", 0);
    av_dict_set_int(&options, "max_streams", stream_limit, 0);
    // Frees the context if it fails.
    int error = avformat_open_input(&video->format, NULL, NULL, &options);
    av_dict_free(&options);
    return error < 0 ? error : 0;
}

static int open_input(pp_video *video) {
    int error = open_container(video, maximum_streams, 0);
    if (error < 0) return error;
    video->format->max_analyze_duration = 2 * AV_TIME_BASE;
    error = avformat_find_stream_info(video->format, NULL);
    if (error < 0) return error;
    video->stream =
        av_find_best_stream(video->format, AVMEDIA_TYPE_VIDEO, -1, -1, &video->codec, 0);
    return video->stream < 0 ? video->stream : 0;
}

void pp_video_prepare(void) {
    // The libraries print about every file.
    av_log_set_level(AV_LOG_QUIET);
    // Builds the tables of the list of decoders.
    avcodec_find_decoder(AV_CODEC_ID_H264);
}

pp_video_status pp_video_open(int fd, pp_video **out) {
    pp_video *video = calloc(1, sizeof *video);
    if (!video) return PP_VIDEO_TOO_LARGE;
    video->fd = fd;
    video->size = lseek(fd, 0, SEEK_END);
    int error = video->size < 0 ? AVERROR(EIO) : open_input(video);
    if (error < 0) {
        pp_video_close(video);
        return pp_video_status_of(error);
    }
    *out = video;
    return PP_VIDEO_OK;
}

void pp_video_close(pp_video *video) {
    avformat_close_input(&video->format);
    if (video->io) av_freep(&video->io->buffer);
    avio_context_free(&video->io);
    free(video);
}

// MARK: - Facts

static const uint8_t *display_matrix(const AVStream *stream) {
    size_t size = 0;
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    const AVPacketSideData *data =
        av_packet_side_data_get(stream->codecpar->coded_side_data,
                                stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    const uint8_t *bytes = data ? data->data : NULL;
    if (data) size = data->size;
#else
    const uint8_t *bytes = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
#endif
    return bytes && size >= 9 * sizeof(int32_t) ? bytes : NULL;
}

// A matrix has a, b in its first row and c, d in its second: (x, y) is shown at (ax + cy, bx + dy).
static uint8_t orientation(const AVStream *stream) {
    const uint8_t *bytes = display_matrix(stream);
    if (!bytes) return 1;
    int32_t matrix[9];
    memcpy(matrix, bytes, sizeof matrix);
    int64_t a = matrix[0], b = matrix[1], c = matrix[3], d = matrix[4];
    if (llabs(a) + llabs(d) >= llabs(b) + llabs(c)) {
        if (a >= 0) return d >= 0 ? 1 : 4;
        return d >= 0 ? 2 : 3;
    }
    if (b >= 0) return c >= 0 ? 5 : 6;
    return c >= 0 ? 8 : 7;
}

// The size with square pixels: the wider side is kept, so that nothing is enlarged.
static void shown_size(const AVStream *stream, int width, int height, uint32_t *shown_width,
                       uint32_t *shown_height) {
    AVRational pixel = stream->sample_aspect_ratio;
    if (pixel.num <= 0 || pixel.den <= 0) pixel = stream->codecpar->sample_aspect_ratio;
    double ratio = pixel.num > 0 && pixel.den > 0 ? (double)pixel.num / pixel.den : 1;
    // More is a mistake of the file.
    if (ratio < 0.1 || ratio > 10) ratio = 1;
    *shown_width = (uint32_t)(width * (ratio < 1 ? ratio : 1) + 0.5);
    *shown_height = (uint32_t)(height / (ratio > 1 ? ratio : 1) + 0.5);
    if (*shown_width < 1) *shown_width = 1;
    if (*shown_height < 1) *shown_height = 1;
}

// The value of the first key that there is.
static const char *text(const pp_video *video, const char *first, const char *second,
                        const char *third) {
    const char *keys[] = {first, second, third};
    for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
        const AVDictionaryEntry *entry =
            keys[index] ? av_dict_get(video->format->metadata, keys[index], NULL, 0) : NULL;
        if (entry) return entry->value;
    }
    return NULL;
}

void pp_video_read_facts(const pp_video *video, pp_video_facts *facts) {
    memset(facts, 0, sizeof *facts);
    const AVStream *stream = video->format->streams[video->stream];
    const AVCodecParameters *parameters = stream->codecpar;
    if (parameters->width > 0 && parameters->height > 0) {
        shown_size(stream, parameters->width, parameters->height, &facts->width, &facts->height);
    }
    facts->orientation = orientation(stream);
    int64_t duration = video->format->duration;
    facts->milliseconds = duration > 0 ? duration / (AV_TIME_BASE / 1000) : -1;
    const AVDictionaryEntry *entry =
        av_dict_get(video->format->metadata, "com.apple.quicktime.creationdate", NULL, 0);
    if (!entry) entry = av_dict_get(video->format->metadata, "creation_time", NULL, 0);
    if (entry) strncpy(facts->created, entry->value, sizeof facts->created - 1);
    // What phones write comes first.
    facts->title = text(video, "com.apple.quicktime.title", "title", NULL);
    facts->description =
        text(video, "com.apple.quicktime.description", "description", "comment");
    facts->make = text(video, "com.apple.quicktime.make", "make", NULL);
    facts->model = text(video, "com.apple.quicktime.model", "model", NULL);
    facts->content_identifier =
        text(video, "com.apple.quicktime.content.identifier", NULL, NULL);
    facts->position = text(video, "com.apple.quicktime.location.ISO6709", "location", NULL);
}

// MARK: - Frames

int pp_video_open_codec(const pp_video *video, AVCodecContext **out) {
    AVCodecContext *context = avcodec_alloc_context3(video->codec);
    if (!context) return AVERROR(ENOMEM);
    const AVStream *stream = video->format->streams[video->stream];
    int error = avcodec_parameters_to_context(context, stream->codecpar);
    context->thread_count = 1;
    context->max_pixels = maximum_pixels;
    context->pkt_timebase = stream->time_base;
    AVDictionary *options = NULL;
    av_dict_set(&options, "codec_whitelist", decoders, 0);
    if (error >= 0) error = avcodec_open2(context, video->codec, &options);
    av_dict_free(&options);
    if (error < 0) {
        avcodec_free_context(&context);
        return error;
    }
    *out = context;
    return 0;
}

// Decodes until there is a frame. Packets that are damaged are skipped.
static int next_frame(pp_video *video, AVCodecContext *context, AVPacket *packet, AVFrame *frame) {
    for (int packets = 0; packets < maximum_packets;) {
        int error = avcodec_receive_frame(context, frame);
        if (error >= 0) return 0;
        if (error != AVERROR(EAGAIN)) return error;
        error = av_read_frame(video->format, packet);
        if (error < 0) {
            // The end: the decoder may still have a frame.
            error = avcodec_send_packet(context, NULL);
            if (error < 0) return error;
            continue;
        }
        if (packet->stream_index == video->stream) {
            packets++;
            error = avcodec_send_packet(context, packet);
            if (error == AVERROR(ENOMEM)) {
                av_packet_unref(packet);
                return error;
            }
        }
        av_packet_unref(packet);
    }
    return AVERROR_INVALIDDATA;
}

// A frame from the first tenth of the video, where titles and fades are usually over; the first
// frame if there is none.
static int find_frame(pp_video *video, AVCodecContext *context, AVPacket *packet, AVFrame *frame) {
    int64_t duration = video->format->duration;
    int64_t start = video->format->start_time == AV_NOPTS_VALUE ? 0 : video->format->start_time;
    if (duration > 0 &&
        av_seek_frame(video->format, -1, start + duration / 10, AVSEEK_FLAG_BACKWARD) >= 0 &&
        next_frame(video, context, packet, frame) >= 0) {
        return 0;
    }
    avcodec_flush_buffers(context);
    // Fails for files that cannot be searched; they are still where they were.
    av_seek_frame(video->format, -1, start, AVSEEK_FLAG_BACKWARD);
    return next_frame(video, context, packet, frame);
}

static int has_alpha(int format) {
    const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(format);
    return descriptor && descriptor->flags & AV_PIX_FMT_FLAG_ALPHA;
}

int pp_video_scale(const AVStream *stream, const AVFrame *frame, pp_video_scaling scaling,
                   struct SwsContext **cache, pp_video_frame *out) {
    if (frame->width <= 0 || frame->height <= 0) return AVERROR_INVALIDDATA;
    uint32_t width, height;
    shown_size(stream, frame->width, frame->height, &width, &height);
    uint32_t longer = width > height ? width : height;
    if (longer > scaling.side) {
        width = (uint32_t)((uint64_t)width * scaling.side / longer);
        height = (uint32_t)((uint64_t)height * scaling.side / longer);
        if (width < 1) width = 1;
        if (height < 1) height = 1;
    }
    uint32_t channels = scaling.keeps_alpha && has_alpha(frame->format) ? 4 : 3;
    struct SwsContext *context = *cache = sws_getCachedContext(
        *cache, frame->width, frame->height, frame->format, (int)width, (int)height,
        channels == 4 ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24, scaling.method, NULL, NULL, NULL);
    if (!context) return AVERROR_PATCHWELCOME;
    // Files often leave the colours open; large ones then mean those of high definition.
    int space = frame->colorspace;
    if (space == AVCOL_SPC_UNSPECIFIED) {
        space = frame->height >= 720 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M;
    }
    const int *coefficients = sws_getCoefficients(space);
    int is_full = frame->color_range == AVCOL_RANGE_JPEG;
    // Fails for formats without such coefficients, such as RGB.
    sws_setColorspaceDetails(context, coefficients, is_full, coefficients, 1, 0, 1 << 16, 1 << 16);
    // Some versions write whole vectors beyond the last row.
    uint8_t *pixels = calloc((size_t)width * height * channels + 64, 1);
    int error = pixels ? 0 : AVERROR(ENOMEM);
    if (pixels) {
        uint8_t *const planes[4] = {pixels};
        const int strides[4] = {(int)(width * channels)};
        error = sws_scale(context, (const uint8_t *const *)frame->data, frame->linesize, 0,
                          frame->height, planes, strides);
    }
    if (error < 0) {
        free(pixels);
        return error;
    }
    *out = (pp_video_frame){
        .width = width, .height = height, .channels = channels, .pixels = pixels};
    return 0;
}

pp_video_status pp_video_decode(pp_video *video, uint32_t side, pp_video_frame *out) {
    AVCodecContext *context = NULL;
    int error = pp_video_open_codec(video, &context);
    if (error < 0) return pp_video_status_of(error);
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    error = packet && frame ? find_frame(video, context, packet, frame) : AVERROR(ENOMEM);
    if (error >= 0) {
        struct SwsContext *scaler = NULL;
        const pp_video_scaling scaling = {
            .side = side, .method = SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT};
        error = pp_video_scale(video->format->streams[video->stream], frame, scaling, &scaler, out);
        sws_freeContext(scaler);
    }
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&context);
    return error < 0 ? pp_video_status_of(error) : PP_VIDEO_OK;
}

void pp_video_release(pp_video_frame *frame) {
    free(frame->pixels);
    frame->pixels = NULL;
}

// MARK: - Packets

// Whether a stream is what people see and hear. Subtitles, data and attachments are changed on
// purpose.
static int is_compared(const AVStream *stream) {
    enum AVMediaType type = stream->codecpar->codec_type;
    return (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO) &&
           !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
}

// The number of compared streams before one. A removed stream gives the others new numbers.
static unsigned compared_before(const AVFormatContext *format, unsigned stream) {
    unsigned count = 0;
    for (unsigned i = 0; i < stream && i < format->nb_streams; i++) {
        count += (unsigned)is_compared(format->streams[i]);
    }
    return count;
}

static unsigned next_compared(const AVFormatContext *format, unsigned stream) {
    while (stream < format->nb_streams && !is_compared(format->streams[stream])) stream++;
    return stream;
}

static int are_equal(const void *first, size_t first_size, const void *second,
                     size_t second_size) {
    return first_size == second_size &&
           (first_size == 0 || memcmp(first, second, first_size) == 0);
}

static int are_equal_ratios(AVRational first, AVRational second) {
    return first.num == second.num && first.den == second.den;
}

static int are_equal_streams(const AVStream *first, const AVStream *second) {
    const AVCodecParameters *old = first->codecpar, *new = second->codecpar;
    const uint8_t *old_matrix = display_matrix(first), *new_matrix = display_matrix(second);
    const size_t matrix_size = 9 * sizeof(int32_t);
    return old->codec_type == new->codec_type && old->codec_id == new->codec_id &&
           old->codec_tag == new->codec_tag && old->format == new->format &&
           old->width == new->width && old->height == new->height &&
           old->sample_rate == new->sample_rate &&
           old->ch_layout.nb_channels == new->ch_layout.nb_channels &&
           old->bits_per_coded_sample == new->bits_per_coded_sample &&
           old->block_align == new->block_align &&
           are_equal(old->extradata, (size_t)old->extradata_size, new->extradata,
                     (size_t)new->extradata_size) &&
           are_equal(old_matrix, old_matrix ? matrix_size : 0, new_matrix,
                     new_matrix ? matrix_size : 0) &&
           are_equal_ratios(old->sample_aspect_ratio, new->sample_aspect_ratio) &&
           are_equal_ratios(first->sample_aspect_ratio, second->sample_aspect_ratio) &&
           are_equal_ratios(first->time_base, second->time_base) &&
           are_equal_ratios(first->avg_frame_rate, second->avg_frame_rate);
}

static int have_equal_streams(const AVFormatContext *old, const AVFormatContext *new) {
    unsigned i = next_compared(old, 0), j = next_compared(new, 0);
    while (i < old->nb_streams && j < new->nb_streams) {
        if (!are_equal_streams(old->streams[i], new->streams[j])) return 0;
        i = next_compared(old, i + 1);
        j = next_compared(new, j + 1);
    }
    return i == old->nb_streams && j == new->nb_streams;
}

// The next packet of a compared stream; 1 if there is one, 0 at the end or where damage is the end.
static int next_packet(pp_video *video, AVPacket *packet) {
    int failures = 0;
    for (;;) {
        int error = av_read_frame(video->format, packet);
        if (error >= 0) {
            if (is_compared(video->format->streams[packet->stream_index])) return 1;
            av_packet_unref(packet);
            failures = 0;
        } else if (error != AVERROR(EAGAIN) || ++failures > maximum_packets) {
            return error == AVERROR(ENOMEM) ? error : 0;
        }
    }
}

static int are_equal_packets(const pp_video *old, const AVPacket *first, const pp_video *new,
                             const AVPacket *second) {
    // Transparency is a block beside that of the picture.
    size_t first_size = 0, second_size = 0;
    const void *first_addition =
        av_packet_get_side_data(first, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &first_size);
    const void *second_addition =
        av_packet_get_side_data(second, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &second_size);
    return compared_before(old->format, (unsigned)first->stream_index) ==
               compared_before(new->format, (unsigned)second->stream_index) &&
           first->pts == second->pts && first->dts == second->dts &&
           first->flags == second->flags &&
           are_equal(first->data, (size_t)first->size, second->data, (size_t)second->size) &&
           are_equal(first_addition, first_size, second_addition, second_size);
}

// Whether all packets are equal, from the first one of the old file on; negative for an error.
static int have_equal_packets(pp_video *old, AVPacket *first, pp_video *new, AVPacket *second) {
    for (;;) {
        int is_there = next_packet(new, second);
        if (is_there <= 0 || !are_equal_packets(old, first, new, second)) {
            return is_there < 0 ? is_there : 0;
        }
        av_packet_unref(first);
        av_packet_unref(second);
        is_there = next_packet(old, first);
        if (is_there < 0) return is_there;
        if (is_there == 0) {
            is_there = next_packet(new, second);
            return is_there < 0 ? is_there : !is_there;
        }
    }
}

static int compare(pp_video *old, AVPacket *first, pp_video *new, AVPacket *second) {
    // Packets as they are stored: nothing is put together or completed.
    const int flags = AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN;
    int error = open_container(old, maximum_compared_streams, flags);
    if (error >= 0) error = next_packet(old, first);
    // Without a packet, there is nothing that could have been lost.
    if (error <= 0) return error == AVERROR(ENOMEM) ? error : 1;
    error = open_container(new, maximum_compared_streams, flags);
    if (error < 0) return error == AVERROR(ENOMEM) ? error : 0;
    if (!have_equal_streams(old->format, new->format)) return 0;
    return have_equal_packets(old, first, new, second);
}

pp_video_status pp_video_compare(int fd, const pp_video_part *parts, size_t part_count,
                                 const uint8_t *replacements, int *is_equal) {
    pp_video *old = calloc(1, sizeof *old);
    pp_video *new = calloc(1, sizeof *new);
    AVPacket *first = av_packet_alloc();
    AVPacket *second = av_packet_alloc();
    int result = AVERROR(ENOMEM);
    if (old && new && first && second) {
        old->fd = new->fd = fd;
        old->size = new->size = lseek(fd, 0, SEEK_END);
        new->parts = parts;
        new->part_count = part_count;
        new->replacements = replacements;
        result = old->size < 0 ? AVERROR(EIO) : compare(old, first, new, second);
    }
    av_packet_free(&first);
    av_packet_free(&second);
    if (old) pp_video_close(old);
    if (new) pp_video_close(new);
    if (result < 0) return pp_video_status_of(result);
    *is_equal = result;
    return PP_VIDEO_OK;
}
