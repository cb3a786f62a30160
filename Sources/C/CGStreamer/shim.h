// SPDX-License-Identifier: MIT
// GStreamer. Only CCamera includes it.

#ifndef PP_CGSTREAMER_SHIM_H
#define PP_CGSTREAMER_SHIM_H

#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#endif
