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
    // Pixels before they are turned.
    uint8_t *scratch;
    size_t scratch_size;
};

// Whether a part of a frame can be converted by the function below: one with brightness and colour apart, in a
// size not much smaller. It costs a fraction of what GStreamer needs, which takes more care.
int pp_camera_can_reduce(const GstVideoInfo *info, pp_camera_part part, uint32_t width,
                         uint32_t height);
// Converts such a part to RGB rows without padding, with left and right, or top and bottom, exchanged. The
// frame is mapped, and was checked. 0 without memory.
int pp_camera_reduce(const GstVideoFrame *frame, pp_camera_part part, uint32_t width,
                     uint32_t height, int mirrors, int flips, uint8_t *pixels);

#endif
