// SPDX-License-Identifier: MIT
// Reading videos with FFmpeg's libraries, from an open file only. Only Videos imports this module.

#ifndef PP_CVIDEO_H
#define PP_CVIDEO_H

#include <stddef.h>
#include <stdint.h>

typedef enum pp_video_status {
    PP_VIDEO_OK = 0,
    PP_VIDEO_DAMAGED = 1,
    PP_VIDEO_UNSUPPORTED = 2,  // no decoder, or one that is not trusted with files of strangers
    PP_VIDEO_TOO_LARGE = 3,
} pp_video_status;

// A video whose header was read.
typedef struct pp_video pp_video;

typedef struct pp_video_facts {
    // The size before the rotation, with square pixels; 0 if the header does not have it.
    uint32_t width;
    uint32_t height;
    // What makes a frame upright, as EXIF numbers it: 1 to 8.
    uint8_t orientation;
    // -1 if it is unknown.
    int64_t milliseconds;
    // When it was recorded, in ISO 8601; empty if it is unknown.
    char created[40];
    // What the file says about itself, perhaps in UTF-8; valid until the video is closed.
    const char *_Nullable title;
    const char *_Nullable description;
    const char *_Nullable make;
    const char *_Nullable model;
    // What pairs it with the picture of a Live Photo.
    const char *_Nullable content_identifier;
    // Where it was recorded, as ISO 6709 writes it; null if it does not say.
    const char *_Nullable position;
} pp_video_facts;

// A frame: RGB or RGBA, rows from top to bottom without padding.
typedef struct pp_video_frame {
    uint32_t width;
    uint32_t height;
    // 3, or 4 if it may be transparent; alpha is not premultiplied.
    uint32_t channels;
    uint8_t *_Nullable pixels;  // width * height * channels bytes; free it with pp_video_release
} pp_video_frame;

// Loads what is loaded at first use, before the sandbox forbids it.
void pp_video_prepare(void);

// Reads the header of an open file; its position may change. On success, `video` must be closed.
pp_video_status pp_video_open(int fd, pp_video *_Nullable *_Nonnull video);
void pp_video_close(pp_video *_Nonnull video);

// Whether the disk of a file has failed since the last call. What was read since then may lack a part.
int pp_video_take_read_failure(void);

void pp_video_read_facts(const pp_video *_Nonnull video, pp_video_facts *_Nonnull facts);

// Decodes a frame from the first tenth, scaled to fit a square of `side` pixels and not rotated.
// The side is 1 to 16384. A frame is never enlarged.
pp_video_status pp_video_decode(pp_video *_Nonnull video, uint32_t side,
                                pp_video_frame *_Nonnull frame);
void pp_video_release(pp_video_frame *_Nonnull frame);

// Frames of a video one after another.
typedef struct pp_video_player pp_video_player;

// When a frame is shown, in microseconds from the first frame.
typedef struct pp_video_times {
    int64_t start;
    // Later than the start.
    int64_t end;
    // Whether it is the last frame.
    int is_last;
} pp_video_times;

// Begins to play a video, which must stay open until the player is freed.
pp_video_status pp_video_play(pp_video *_Nonnull video,
                              pp_video_player *_Nullable *_Nonnull player);
void pp_video_player_free(pp_video_player *_Nonnull player);

// Decodes the frame that is shown at a time, or the last one if the video ends before, scaled to fit a
// square of `side` pixels and not rotated; the side is 1 to 16384. It is quick if the time is a little later than
// that of the frame before. Damage in the middle of a video is its end, or skipped. A frame may be
// transparent.
pp_video_status pp_video_show(pp_video_player *_Nonnull player, int64_t time, uint32_t side,
                              pp_video_frame *_Nonnull frame, pp_video_times *_Nonnull times);

// A part of a file, from `start` up to `end`, that other bytes of the same number replace.
typedef struct pp_video_part {
    int64_t start;
    int64_t end;
    // Where its bytes are among the replacements of all parts.
    size_t replacement;
} pp_video_part;

// Whether a file with replaced parts contains the same pictures and the same sound, without decoding
// them: the same streams, and packets of equal bytes at equal times, until both files end. Attached
// pictures, subtitles, data and attachments do not count. A file that cannot be read, or that has no
// packet, has nothing to lose. The parts are in order and inside the file, whose position may change.
pp_video_status pp_video_compare(int fd, const pp_video_part *_Nonnull parts, size_t part_count,
                                 const uint8_t *_Nonnull replacements, int *_Nonnull is_equal);

#endif
