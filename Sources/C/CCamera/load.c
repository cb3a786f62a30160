// SPDX-License-Identifier: MIT

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "camera.h"

// The folder of the library itself, where every distribution has the plugins of GStreamer and PipeWire as well.
static char *library_folder(void) {
    Dl_info info;
    if (!dladdr((void *)gst_init_check, &info) || !info.dli_fname) return NULL;
    char *path = realpath(info.dli_fname, NULL);
    if (!path) return NULL;
    char *folder = g_path_get_dirname(path);
    free(path);
    return folder;
}

// Loads what PipeWire 1.2 and later load for a stream of video, when no code can be loaded any more. Earlier
// versions do not have it.
static void load_converter(const char *libraries) {
    char *path = g_build_filename(libraries, "spa-0.2", "videoconvert",
                                  "libspa-videoconvert.so", NULL);
    // It stays: PipeWire finds it by its name.
    dlopen(path, RTLD_NOW | RTLD_NODELETE);
    g_free(path);
}

static int load_plugin(const char *folder, const char *name) {
    char *path = g_build_filename(folder, name, NULL);
    GstPlugin *plugin = gst_plugin_load_file(path, NULL);
    g_free(path);
    if (!plugin) return 0;
    gst_object_unref(plugin);
    return 1;
}

const char *pp_camera_load(void) {
    // A registry is a cache of what all plugins can do. Making one starts a program that loads each of them.
    setenv("GST_REGISTRY_DISABLE", "yes", 1);
    setenv("GST_REGISTRY_UPDATE", "no", 1);
    setenv("GST_REGISTRY_FORK", "no", 1);
    setenv("GST_PLUGIN_SYSTEM_PATH_1_0", "", 1);
    setenv("GST_PLUGIN_PATH_1_0", "", 1);
    gst_registry_fork_set_enabled(FALSE);
    if (!gst_init_check(NULL, NULL, NULL)) return "libgstreamer-1.0.so.0";
    static const char *const needed[] = {
        "libgstcoreelements.so", "libgstapp.so", "libgstpipewire.so", "libgstjpeg.so",
    };
    char *libraries = library_folder();
    if (!libraries) return "gstreamer-1.0";
    char *folder = g_build_filename(libraries, "gstreamer-1.0", NULL);
    const char *missing = NULL;
    for (size_t i = 0; !missing && i < sizeof needed / sizeof *needed; i++) {
        if (!load_plugin(folder, needed[i])) missing = needed[i];
    }
    // Without it, there are only the cameras of PipeWire.
    if (!missing) load_plugin(folder, "libgstvideo4linux2.so");
    load_converter(libraries);
    g_free(folder);
    g_free(libraries);
    return missing;
}

pp_camera_problem pp_camera_problem_of(const GError *error) {
    if (error->domain == GST_RESOURCE_ERROR) {
        switch (error->code) {
            case GST_RESOURCE_ERROR_BUSY: return PP_CAMERA_BUSY;
            case GST_RESOURCE_ERROR_NOT_AUTHORIZED: return PP_CAMERA_DENIED;
            case GST_RESOURCE_ERROR_SETTINGS: return PP_CAMERA_UNSUPPORTED;
            default: return PP_CAMERA_VANISHED;
        }
    }
    if (error->domain == GST_STREAM_ERROR) {
        return error->code == GST_STREAM_ERROR_DECODE ? PP_CAMERA_GARBAGE : PP_CAMERA_UNSUPPORTED;
    }
    return PP_CAMERA_UNAVAILABLE;
}
