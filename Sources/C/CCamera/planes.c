// SPDX-License-Identifier: MIT

#include <stdlib.h>

#include <libyuv.h>

#include "stream.h"

// The constants of libyuv; those for V in the place of U give red, green and blue in this order.
typedef struct constants {
    const struct YuvConstants *bgr, *rgb;
} constants;

static const constants *constants_of(const GstVideoInfo *info) {
    static const constants all[2][2] = {
        {{&kYuvI601Constants, &kYvuI601Constants}, {&kYuvJPEGConstants, &kYvuJPEGConstants}},
        {{&kYuvH709Constants, &kYvuH709Constants}, {&kYuvF709Constants, &kYvuF709Constants}},
    };
    const int is_full = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
    if (!is_full && info->colorimetry.range != GST_VIDEO_COLOR_RANGE_16_235) return NULL;
    switch (info->colorimetry.matrix) {
        case GST_VIDEO_COLOR_MATRIX_BT601: return &all[0][is_full];
        case GST_VIDEO_COLOR_MATRIX_BT709: return &all[1][is_full];
        default: return NULL;
    }
}

int pp_camera_has_planes(const GstVideoInfo *info) {
    switch (GST_VIDEO_INFO_FORMAT(info)) {
        case GST_VIDEO_FORMAT_I420:
        case GST_VIDEO_FORMAT_YV12:
        case GST_VIDEO_FORMAT_Y42B:
        case GST_VIDEO_FORMAT_Y444:
        case GST_VIDEO_FORMAT_NV12:
        case GST_VIDEO_FORMAT_YUY2:
        case GST_VIDEO_FORMAT_UYVY: return constants_of(info) != NULL;
        default: return 0;
    }
}

// A picture whose rows of colour are half as many and half as wide, rounded up.
typedef struct planes {
    uint8_t *part[3];
    int width, height;
} planes;

static int half(int side) { return (side + 1) / 2; }

static size_t size_of(int width, int height) {
    return (size_t)width * (size_t)height + 2 * (size_t)half(width) * (size_t)half(height);
}

static planes planes_at(uint8_t *memory, int width, int height) {
    const size_t luma = (size_t)width * (size_t)height;
    const size_t chroma = (size_t)half(width) * (size_t)half(height);
    return (planes){{memory, memory + luma, memory + luma + chroma}, width, height};
}

static void colour(planes picture, const constants *constants, pp_camera_layout layout,
                   uint8_t *pixels) {
    const int columns = half(picture.width), stride = picture.width * (int)layout;
    if (layout == PP_CAMERA_BGRA) {
        I420ToARGBMatrix(picture.part[0], picture.width, picture.part[1], columns, picture.part[2],
                         columns, pixels, stride, constants->bgr, picture.width, picture.height);
    } else {
        I420ToRGB24Matrix(picture.part[0], picture.width, picture.part[2], columns,
                          picture.part[1], columns, pixels, stride, constants->rgb, picture.width,
                          picture.height);
    }
}

// A part of one plane of a frame.
typedef struct plane {
    const uint8_t *start;
    int stride, width, height;
} plane;

static plane plane_of(const GstVideoFrame *frame, guint component, pp_camera_part part) {
    const GstVideoFormatInfo *format = frame->info.finfo;
    const guint wide = format->w_sub[component], high = format->h_sub[component];
    const gint stride = GST_VIDEO_FRAME_COMP_STRIDE(frame, component);
    const size_t step = (size_t)GST_VIDEO_FRAME_COMP_PSTRIDE(frame, component);
    const uint32_t x = part.x >> wide, y = part.y >> high;
    const uint8_t *start = GST_VIDEO_FRAME_COMP_DATA(frame, component);
    return (plane){start + (size_t)y * (size_t)stride + (size_t)x * step, stride,
                   (int)(((part.x + part.width - 1) >> wide) - x + 1),
                   (int)(((part.y + part.height - 1) >> high) - y + 1)};
}

static void scale(plane from, uint8_t *to, int width, int height) {
    // Averages of all pixels take much longer, unless each is one of four; beyond that, the neighbours of a place
    // are no picture of what is between them.
    const int is_half = from.width == 2 * width && from.height == 2 * height;
    const int is_small = from.width > 3 * width || from.height > 3 * height;
    ScalePlane(from.start, from.stride, from.width, from.height, to, width, width, height,
               is_half || is_small ? kFilterBox : kFilterBilinear);
}

// Brings colours that are not in planes of their own into such, in memory that is released by the caller.
static uint8_t *split(const GstVideoFrame *frame, pp_camera_part part, plane parts[3]) {
    const GstVideoFormat format = GST_VIDEO_FRAME_FORMAT(frame);
    // Two pixels share their colour, so that a part begins and ends with a pair.
    const uint32_t left = part.x & ~1u;
    const int width = (int)(part.x + part.width - left), height = (int)part.height;
    const int columns = half(width);
    if (format == GST_VIDEO_FORMAT_NV12) {
        const plane both = plane_of(frame, 1, part);
        const size_t count = (size_t)both.width * (size_t)both.height;
        uint8_t *memory = malloc(2 * count);
        if (!memory) return NULL;
        SplitUVPlane(both.start, both.stride, memory, both.width, memory + count, both.width,
                     both.width, both.height);
        parts[1] = (plane){memory, both.width, both.width, both.height};
        parts[2] = (plane){memory + count, both.width, both.width, both.height};
        return memory;
    }
    const size_t luma = (size_t)width * (size_t)height;
    const size_t chroma = (size_t)columns * (size_t)height;
    uint8_t *memory = malloc(luma + 2 * chroma);
    if (!memory) return NULL;
    const uint8_t *start = (const uint8_t *)GST_VIDEO_FRAME_PLANE_DATA(frame, 0) +
                           (size_t)part.y * (size_t)GST_VIDEO_FRAME_PLANE_STRIDE(frame, 0) +
                           (size_t)left * 2;
    const int stride = GST_VIDEO_FRAME_PLANE_STRIDE(frame, 0);
    uint8_t *u = memory + luma, *v = u + chroma;
    if (format == GST_VIDEO_FORMAT_YUY2) {
        YUY2ToI422(start, stride, memory, width, u, columns, v, columns, width, height);
    } else {
        UYVYToI422(start, stride, memory, width, u, columns, v, columns, width, height);
    }
    const int skipped = (int)(part.x - left);
    parts[0] = (plane){memory + skipped, width, width - skipped, height};
    parts[1] = (plane){u, columns, columns, height};
    parts[2] = (plane){v, columns, columns, height};
    return memory;
}

// Scales a part of a frame to planes of their own.
static int reduce(const GstVideoFrame *frame, pp_camera_part part, planes to) {
    plane parts[3];
    uint8_t *memory = NULL;
    const GstVideoFormat format = GST_VIDEO_FRAME_FORMAT(frame);
    const int is_packed = format == GST_VIDEO_FORMAT_YUY2 || format == GST_VIDEO_FORMAT_UYVY;
    if (!is_packed) parts[0] = plane_of(frame, 0, part);
    if (is_packed || format == GST_VIDEO_FORMAT_NV12) {
        memory = split(frame, part, parts);
        if (!memory) return 0;
    } else {
        for (guint i = 1; i < 3; i++) parts[i] = plane_of(frame, i, part);
    }
    scale(parts[0], to.part[0], to.width, to.height);
    for (int i = 1; i < 3; i++) scale(parts[i], to.part[i], half(to.width), half(to.height));
    free(memory);
    return 1;
}

int pp_camera_convert_planes(const GstVideoFrame *frame, pp_camera_part part, uint32_t width,
                             uint32_t height, uint32_t orientation, pp_camera_layout layout,
                             uint8_t *pixels) {
    const constants *constants = constants_of(&frame->info);
    if (!constants) return 0;
    const size_t size = size_of((int)width, (int)height);
    // Before and after each of the two steps.
    uint8_t *memory = malloc(2 * size);
    if (!memory) return 0;
    planes picture = planes_at(memory, (int)width, (int)height);
    int is_done = reduce(frame, part, picture);
    // Each of the eight is at most a mirror, and then some quarter turns.
    const int mirrors =
        orientation == 2 || orientation == 4 || orientation == 5 || orientation == 7;
    static const enum RotationMode turns[] = {kRotate0,   kRotate0,   kRotate180, kRotate180,
                                              kRotate270, kRotate90, kRotate90,  kRotate270};
    const enum RotationMode turn =
        orientation >= 1 && orientation <= 8 ? turns[orientation - 1] : kRotate0;
    uint8_t *other = memory + size;
    if (is_done && mirrors) {
        const planes mirrored = planes_at(other, picture.width, picture.height);
        for (int i = 0; i < 3; i++) {
            const int columns = i ? half(picture.width) : picture.width;
            MirrorPlane(picture.part[i], columns, mirrored.part[i], columns, columns,
                        i ? half(picture.height) : picture.height);
        }
        other = picture.part[0];
        picture = mirrored;
    }
    if (is_done && turn != kRotate0) {
        const int swaps = turn != kRotate180;
        const planes turned = planes_at(other, swaps ? picture.height : picture.width,
                                        swaps ? picture.width : picture.height);
        for (int i = 0; i < 3; i++) {
            const int columns = i ? half(picture.width) : picture.width;
            RotatePlane(picture.part[i], columns, turned.part[i],
                        i ? half(turned.width) : turned.width, columns,
                        i ? half(picture.height) : picture.height, turn);
        }
        picture = turned;
    }
    if (is_done) colour(picture, constants, layout, pixels);
    free(memory);
    return is_done;
}
