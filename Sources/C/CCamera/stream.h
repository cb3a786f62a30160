// SPDX-License-Identifier: MIT
// A running camera, and how its frames are converted.

#ifndef PP_CAMERA_STREAM_H
#define PP_CAMERA_STREAM_H

#include "camera.h"

#include <gst/app/gstappsink.h>
#include <gst/video/video.h>

struct pp_camera {
    const pp_camera_watch *watch;
    char *id;
    GstElement *pipeline;
    GstElement *sink;
    GstBus *bus;
    GstSample *sample;  // the frame that is kept
    GstVideoInfo info;  // what that frame is

    // The last conversion, which is usually the next one as well.
    GstVideoConverter *converter;
    GstVideoInfo output;
    pp_camera_part part;
    pp_camera_layout layout;
    // Pixels before they are turned.
    uint8_t *scratch;
    size_t scratch_size;
};

// Whether libyuv converts such frames, which costs a fraction of what GStreamer needs.
int pp_camera_has_planes(const GstVideoInfo *info);
// Converts a part of such a frame to rows without padding. The frame is mapped, and was checked. 0 without
// memory.
//
//   width, height   the size before it is turned
//   orientation     as in EXIF, 1 to 8
int pp_camera_convert_planes(const GstVideoFrame *frame, pp_camera_part part, uint32_t width,
                             uint32_t height, uint32_t orientation, pp_camera_layout layout,
                             uint8_t *pixels);

#endif
