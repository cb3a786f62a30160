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

#endif
