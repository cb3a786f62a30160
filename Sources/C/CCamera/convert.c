// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include <libyuv.h>

#include "stream.h"

// Rows without padding, which is not how GStreamer would lay out RGB.
static int describe_output(const GstVideoInfo *input, GstVideoInfo *info, uint32_t width,
                           uint32_t height, pp_camera_layout layout) {
    const GstVideoFormat format =
        layout == PP_CAMERA_BGRA ? GST_VIDEO_FORMAT_BGRA : GST_VIDEO_FORMAT_RGB;
    if (!gst_video_info_set_format(info, format, width, height)) return 0;
    // A conversion changes no rate.
    info->fps_n = input->fps_n;
    info->fps_d = input->fps_d;
    info->stride[0] = (gint)(width * (uint32_t)layout);
    info->size = (gsize)width * (gsize)layout * height;
    return 1;
}

static GstVideoConverter *make_converter(GstVideoInfo *input, GstVideoInfo *output,
                                         pp_camera_part part) {
    GstStructure *options = gst_structure_new(
        "GstVideoConverter", GST_VIDEO_CONVERTER_OPT_SRC_X, G_TYPE_INT, (gint)part.x,
        GST_VIDEO_CONVERTER_OPT_SRC_Y, G_TYPE_INT, (gint)part.y, GST_VIDEO_CONVERTER_OPT_SRC_WIDTH,
        G_TYPE_INT, (gint)part.width, GST_VIDEO_CONVERTER_OPT_SRC_HEIGHT, G_TYPE_INT,
        (gint)part.height, GST_VIDEO_CONVERTER_OPT_RESAMPLER_METHOD,
        GST_TYPE_VIDEO_RESAMPLER_METHOD, GST_VIDEO_RESAMPLER_METHOD_LINEAR,
        GST_VIDEO_CONVERTER_OPT_DITHER_METHOD, GST_TYPE_VIDEO_DITHER_METHOD,
        GST_VIDEO_DITHER_NONE, GST_VIDEO_CONVERTER_OPT_THREADS, G_TYPE_UINT, 1, NULL);
    return gst_video_converter_new(input, output, options);
}

// Whether each row of each plane is inside the memory that is mapped. Mapping compares sizes, but a frame may
// bring a layout of its own.
static int is_inside(const GstVideoFrame *frame) {
    for (guint component = 0; component < GST_VIDEO_FRAME_N_COMPONENTS(frame); component++) {
        gint plane = GST_VIDEO_FRAME_COMP_PLANE(frame, component);
        // Without a layout of its own, a frame is mapped as a whole.
        const GstMapInfo *map = &frame->map[frame->meta ? plane : 0];
        const uint8_t *start = GST_VIDEO_FRAME_PLANE_DATA(frame, plane);
        if (!map->data || !start || start < map->data || start > map->data + map->size) return 0;
        size_t room = map->size - (size_t)(start - map->data);
        gint stride = GST_VIDEO_FRAME_PLANE_STRIDE(frame, plane);
        gint columns = GST_VIDEO_FRAME_COMP_WIDTH(frame, component);
        gint rows = GST_VIDEO_FRAME_COMP_HEIGHT(frame, component);
        gint step = GST_VIDEO_FRAME_COMP_PSTRIDE(frame, component);
        if (stride < 1 || columns < 1 || rows < 1 || step < 1) return 0;
        // Sides are at most 16384 and steps at most 4: nothing overflows 64 bits.
        size_t row = (size_t)columns * (size_t)step;
        if (row > (size_t)stride) return 0;
        if ((size_t)stride * (size_t)(rows - 1) + row > room) return 0;
    }
    return 1;
}

// Turns pixels of four bytes, in rows without padding, as an EXIF orientation says.
static void turn(const uint8_t *from, uint32_t width, uint32_t height, uint32_t orientation,
                 uint8_t *to) {
    // Each of the eight is at most a mirror, and then some quarter turns. libyuv mirrors a picture that has a
    // negative height: it begins with the last row.
    const int mirrors =
        orientation == 2 || orientation == 4 || orientation == 5 || orientation == 7;
    static const enum RotationMode turns[] = {kRotate0,  kRotate180, kRotate180, kRotate0,
                                              kRotate90, kRotate90,  kRotate270, kRotate270};
    const int swaps = orientation >= 5;
    ARGBRotate(from, (int)width * 4, to, (int)(swaps ? height : width) * 4, (int)width,
               mirrors ? -(int)height : (int)height, turns[orientation - 1]);
}

static int is_same_conversion(const pp_camera *camera, pp_camera_part part, uint32_t width,
                              uint32_t height, pp_camera_layout layout) {
    return camera->converter && camera->layout == layout && !memcmp(&camera->part, &part, sizeof part) &&
           (uint32_t)camera->output.width == width && (uint32_t)camera->output.height == height;
}

// Converts a part of a frame of any format that was checked.
static pp_camera_problem convert_any(pp_camera *camera, GstVideoFrame *input, pp_camera_part part,
                                      uint32_t width, uint32_t height, pp_camera_layout layout,
                                      uint8_t *pixels) {
    if (!is_same_conversion(camera, part, width, height, layout)) {
        if (camera->converter) gst_video_converter_free(camera->converter);
        camera->converter = NULL;
        if (!describe_output(&camera->info, &camera->output, width, height, layout)) {
            return PP_CAMERA_UNSUPPORTED;
        }
        camera->part = part;
        camera->layout = layout;
        camera->converter = make_converter(&camera->info, &camera->output, part);
        if (!camera->converter) return PP_CAMERA_UNSUPPORTED;
    }
    const gsize size = camera->output.size;
    GstBuffer *buffer = gst_buffer_new_wrapped_full(0, pixels, size, 0, size, NULL, NULL);
    GstVideoFrame output;
    int is_mapped = gst_video_frame_map(&output, &camera->output, buffer, GST_MAP_WRITE);
    if (is_mapped) {
        gst_video_converter_frame(camera->converter, input, &output);
        gst_video_frame_unmap(&output);
    }
    gst_buffer_unref(buffer);
    return is_mapped ? PP_CAMERA_DONE : PP_CAMERA_UNAVAILABLE;
}

static pp_camera_problem convert_mapped(pp_camera *camera, GstVideoFrame *input,
                                        pp_camera_part part, uint32_t width, uint32_t height,
                                        uint32_t orientation, pp_camera_layout layout,
                                        uint8_t *pixels) {
    if (pp_camera_has_planes(&camera->info)) {
        return pp_camera_convert_planes(input, part, width, height, orientation, layout, pixels)
                   ? PP_CAMERA_DONE
                   : PP_CAMERA_UNAVAILABLE;
    }
    const int turns = orientation > 1 && orientation <= 8;
    // libyuv does not turn pixels of three bytes, and photos stay as the sensor sees them.
    if (turns && layout != PP_CAMERA_BGRA) return PP_CAMERA_UNSUPPORTED;
    uint8_t *target = pixels;
    if (turns) {
        const size_t size = (size_t)width * height * (size_t)layout;
        if (camera->scratch_size < size) {
            uint8_t *larger = realloc(camera->scratch, size);
            if (!larger) return PP_CAMERA_UNAVAILABLE;
            camera->scratch = larger;
            camera->scratch_size = size;
        }
        target = camera->scratch;
    }
    pp_camera_problem problem = convert_any(camera, input, part, width, height, layout, target);
    if (!problem && turns) turn(target, width, height, orientation, pixels);
    return problem;
}

pp_camera_problem pp_camera_convert(pp_camera *camera, pp_camera_part part, uint32_t width,
                                    uint32_t height, uint32_t orientation,
                                    pp_camera_layout layout, uint8_t *pixels) {
    GstVideoFrame input;
    if (!gst_video_frame_map(&input, &camera->info, gst_sample_get_buffer(camera->sample),
                             GST_MAP_READ)) {
        return PP_CAMERA_GARBAGE;
    }
    // A frame with a layout of its own also has a size of its own.
    const int is_same = GST_VIDEO_FRAME_FORMAT(&input) == GST_VIDEO_INFO_FORMAT(&camera->info) &&
                        GST_VIDEO_FRAME_WIDTH(&input) == camera->info.width &&
                        GST_VIDEO_FRAME_HEIGHT(&input) == camera->info.height;
    pp_camera_problem problem =
        is_same && is_inside(&input)
            ? convert_mapped(camera, &input, part, width, height, orientation, layout, pixels)
            : PP_CAMERA_GARBAGE;
    gst_video_frame_unmap(&input);
    return problem;
}

// Converts a black frame of a format.
static void try_format(GstVideoFormat format, uint32_t width, uint32_t height) {
    GstVideoInfo input, output;
    if (!gst_video_info_set_format(&input, format, 64, 64)) return;
    if (!describe_output(&input, &output, width, height, PP_CAMERA_BGRA)) return;
    GstBuffer *from = gst_buffer_new_allocate(NULL, input.size, NULL);
    GstBuffer *to = gst_buffer_new_allocate(NULL, output.size, NULL);
    GstVideoConverter *converter =
        make_converter(&input, &output, (pp_camera_part){0, 0, 64, 64});
    if (from && to && converter) {
        gst_buffer_memset(from, 0, 0, input.size);
        GstVideoFrame read, written;
        if (gst_video_frame_map(&read, &input, from, GST_MAP_READ)) {
            if (gst_video_frame_map(&written, &output, to, GST_MAP_WRITE)) {
                gst_video_converter_frame(converter, &read, &written);
                gst_video_frame_unmap(&written);
            }
            gst_video_frame_unmap(&read);
        }
    }
    if (converter) gst_video_converter_free(converter);
    if (to) gst_buffer_unref(to);
    if (from) gst_buffer_unref(from);
}

void pp_camera_prepare(void) {
    static const GstVideoFormat usual[] = {
        GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_YUY2,
        GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_BGRx,
    };
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        try_format(usual[i], 64, 64);
        try_format(usual[i], 48, 32);
    }
}
