// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "stream.h"

static pp_camera_problem wait_for_frame(pp_camera *camera, int patience);

// The capabilities of a mode, as text that must be freed.
static char *capabilities(const pp_camera_mode *mode) {
    char *rate = mode->seconds
                     ? g_strdup_printf(",framerate=%u/%u", mode->frames, mode->seconds)
                     : g_strdup("");
    char *text =
        mode->is_jpeg
            ? g_strdup_printf("image/jpeg,width=%u,height=%u%s", mode->width, mode->height, rate)
            : g_strdup_printf("video/x-raw,format=%s,width=%u,height=%u%s", pp_camera_formats,
                              mode->width, mode->height, rate);
    g_free(rate);
    return text;
}

static GstElement *make_filter(const pp_camera_mode *mode) {
    GstElement *filter = gst_element_factory_make("capsfilter", NULL);
    char *text = capabilities(mode);
    GstCaps *caps = gst_caps_from_string(text);
    g_free(text);
    if (filter && caps) g_object_set(filter, "caps", caps, NULL);
    if (caps) gst_caps_unref(caps);
    return filter;
}

static GstElement *make_sink(void) {
    GstElement *sink = gst_element_factory_make("appsink", NULL);
    if (!sink) return NULL;
    // Of frames that nobody has asked for, only the newest is kept.
    g_object_set(sink, "max-buffers", 1, "drop", TRUE, "sync", FALSE, "enable-last-sample", FALSE, NULL);
    char *text = g_strdup_printf("video/x-raw,format=%s", pp_camera_formats);
    GstCaps *caps = gst_caps_from_string(text);
    g_free(text);
    gst_app_sink_set_caps(GST_APP_SINK(sink), caps);
    gst_caps_unref(caps);
    return sink;
}

// Builds the pipeline, which takes the source. 0 if an element is missing.
static int build(pp_camera *camera, GstElement *source, const pp_camera_mode *mode) {
    GstElement *filter = make_filter(mode);
    GstElement *decoder = mode->is_jpeg ? gst_element_factory_make("jpegdec", NULL) : NULL;
    GstElement *sink = make_sink();
    camera->pipeline = gst_pipeline_new(NULL);
    GstElement *const chain[] = {source, filter, decoder, sink};
    int is_complete = filter && sink && (decoder || !mode->is_jpeg);
    GstElement *last = NULL;
    for (size_t i = 0; i < sizeof chain / sizeof *chain; i++) {
        if (!chain[i]) continue;
        gst_bin_add(GST_BIN(camera->pipeline), chain[i]);
        if (last && is_complete) is_complete = gst_element_link(last, chain[i]);
        last = chain[i];
    }
    if (sink) camera->sink = gst_object_ref(sink);
    return is_complete;
}

static void play(GstElement *pipeline, gpointer context) {
    (void)context;
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
}

pp_camera_problem pp_camera_open(pp_camera_watch *watch, const char *id, const pp_camera_mode *mode,
                                 int patience, pp_camera **result) {
    *result = NULL;
    GstElement *source = pp_camera_watch_source(watch, id);
    if (!source) return PP_CAMERA_VANISHED;
    pp_camera *camera = calloc(1, sizeof *camera);
    if (!camera) {
        gst_object_unref(gst_object_ref_sink(source));
        return PP_CAMERA_UNAVAILABLE;
    }
    camera->watch = watch;
    camera->id = g_strdup(id);
    pp_camera_problem problem = PP_CAMERA_UNSUPPORTED;
    if (build(camera, source, mode)) {
        camera->bus = gst_element_get_bus(camera->pipeline);
        // If it fails, the reason is on the bus. A source may take half a minute to find that out.
        gst_element_call_async(camera->pipeline, play, NULL, NULL);
        problem = wait_for_frame(camera, patience);
    }
    if (problem) {
        pp_camera_close(camera);
    } else {
        *result = camera;
    }
    return problem;
}

// The end of a pipeline, which two threads wait for.
typedef struct ending {
    GMutex mutex;
    GCond condition;
    int is_done;
    int is_awaited;
} ending;

// How long the end of a pipeline is waited for, in microseconds.
enum { PATIENCE_FOR_END = 1000000 };

static void end_pipeline(GstElement *pipeline, gpointer context) {
    ending *ending = context;
    gst_element_set_state(pipeline, GST_STATE_NULL);
    g_mutex_lock(&ending->mutex);
    ending->is_done = 1;
    int is_awaited = ending->is_awaited;
    g_cond_signal(&ending->condition);
    g_mutex_unlock(&ending->mutex);
    if (!is_awaited) g_free(ending);
}

// Stops a pipeline. A source whose camera says nothing may need half a minute, so another thread waits for it.
static void stop(GstElement *pipeline) {
    ending *ending = g_new0(struct ending, 1);
    g_mutex_init(&ending->mutex);
    g_cond_init(&ending->condition);
    ending->is_awaited = 1;
    gst_element_call_async(pipeline, end_pipeline, ending, NULL);
    const gint64 deadline = g_get_monotonic_time() + PATIENCE_FOR_END;
    g_mutex_lock(&ending->mutex);
    while (!ending->is_done && g_cond_wait_until(&ending->condition, &ending->mutex, deadline)) {
    }
    int is_done = ending->is_done;
    ending->is_awaited = 0;
    g_mutex_unlock(&ending->mutex);
    if (is_done) g_free(ending);
    gst_object_unref(pipeline);
}

void pp_camera_close(pp_camera *camera) {
    if (!camera) return;
    if (camera->pipeline) stop(camera->pipeline);
    if (camera->bus) gst_object_unref(camera->bus);
    if (camera->sink) gst_object_unref(camera->sink);
    if (camera->sample) gst_sample_unref(camera->sample);
    if (camera->converter) gst_video_converter_free(camera->converter);
    g_free(camera->id);
    free(camera->scratch);
    free(camera);
}

// The next thing that the pipeline has reported.
static pp_camera_problem pop(pp_camera *camera) {
    GstMessage *message =
        gst_bus_pop_filtered(camera->bus, GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
    if (!message) return PP_CAMERA_DONE;
    pp_camera_problem problem = PP_CAMERA_VANISHED;
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
        GError *error = NULL;
        gst_message_parse_error(message, &error, NULL);
        if (error) {
            problem = pp_camera_problem_of(error);
            g_error_free(error);
        }
    }
    gst_message_unref(message);
    return problem;
}

// How long PipeWire may need to tell that a camera has gone, in microseconds.
enum { PATIENCE_FOR_NEWS = 1000000 };

// What the pipeline has reported. A stream that has had frames, and whose camera goes, may fail in any way before
// it is known that the camera has gone.
static pp_camera_problem reported(pp_camera *camera) {
    pp_camera_problem problem = pop(camera);
    const gint64 deadline = g_get_monotonic_time() + PATIENCE_FOR_NEWS;
    while (camera->sample && problem && problem != PP_CAMERA_VANISHED &&
           g_get_monotonic_time() < deadline) {
        if (!pp_camera_watch_has(camera->watch, camera->id)) return PP_CAMERA_VANISHED;
        g_usleep(10000);
    }
    return problem;
}

// Reads what a frame is, and whether a frame can be that.
static pp_camera_problem keep(pp_camera *camera, GstSample *sample) {
    GstCaps *caps = gst_sample_get_caps(sample);
    GstVideoInfo info;
    if (!caps || !gst_sample_get_buffer(sample) || !gst_video_info_from_caps(&info, caps) ||
        info.width < 1 || info.height < 1 || info.width > PP_CAMERA_MOST_SIDE ||
        info.height > PP_CAMERA_MOST_SIDE ||
        // Half of the rows are in another buffer.
        GST_VIDEO_INFO_INTERLACE_MODE(&info) == GST_VIDEO_INTERLACE_MODE_ALTERNATE) {
        gst_sample_unref(sample);
        return PP_CAMERA_GARBAGE;
    }
    if (camera->converter && !gst_video_info_is_equal(&info, &camera->info)) {
        gst_video_converter_free(camera->converter);
        camera->converter = NULL;
    }
    if (camera->sample) gst_sample_unref(camera->sample);
    camera->sample = sample;
    camera->info = info;
    return PP_CAMERA_DONE;
}

pp_camera_problem pp_camera_own(pp_camera *camera) {
    GstBuffer *copy = gst_buffer_copy_deep(gst_sample_get_buffer(camera->sample));
    if (!copy) return PP_CAMERA_UNAVAILABLE;
    GstSample *own = gst_sample_new(copy, gst_sample_get_caps(camera->sample), NULL, NULL);
    gst_buffer_unref(copy);
    gst_sample_unref(camera->sample);
    camera->sample = own;
    return PP_CAMERA_DONE;
}

static pp_camera_problem wait_for_frame(pp_camera *camera, int patience) {
    // A sample comes at once; errors are looked for from time to time.
    const gint64 deadline = g_get_monotonic_time() + (gint64)patience * 1000;
    const GstClockTime slice = 50 * GST_MSECOND;
    do {
        GstSample *sample = gst_app_sink_try_pull_sample(GST_APP_SINK(camera->sink), slice);
        if (sample) return keep(camera, sample);
        pp_camera_problem problem = reported(camera);
        if (problem) return problem;
        // Of a stream whose camera has gone, PipeWire says nothing.
        if (!pp_camera_watch_has(camera->watch, camera->id)) return PP_CAMERA_VANISHED;
        // A sink that has not started yet returns at once.
        if (gst_app_sink_is_eos(GST_APP_SINK(camera->sink))) g_usleep(2000);
    } while (g_get_monotonic_time() < deadline);
    return PP_CAMERA_SILENT;
}

pp_camera_problem pp_camera_next(pp_camera *camera, int patience) {
    pp_camera_problem problem = reported(camera);
    return problem ? problem : wait_for_frame(camera, patience);
}

void pp_camera_frame_size(const pp_camera *camera, uint32_t *width, uint32_t *height) {
    *width = (uint32_t)camera->info.width;
    *height = (uint32_t)camera->info.height;
}
