// SPDX-License-Identifier: MIT
// What the files of CCamera share.

#ifndef PP_CAMERA_INTERNAL_H
#define PP_CAMERA_INTERNAL_H

#include "CCamera.h"

#include <gst/gst.h>

// The longest side of a frame, in pixels.
enum { PP_CAMERA_MOST_SIDE = 16384 };

// The formats of raw frames, as a list in capabilities: all are conversions of bytes in planes or in pixels.
extern const char pp_camera_formats[];

// The modes in capabilities, at most so many.
size_t pp_camera_caps_modes(const GstCaps *caps, pp_camera_mode *modes, size_t most);

// A new element that delivers the frames of a camera of the last list; NULL if it is not there.
GstElement *pp_camera_watch_source(pp_camera_watch *watch, const char *id);

// Whether a camera is there now.
int pp_camera_watch_has(const pp_camera_watch *watch, const char *id);

// The result of an error that GStreamer reports.
pp_camera_problem pp_camera_problem_of(const GError *error);

#endif
