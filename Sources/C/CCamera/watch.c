// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "camera.h"

// The most modes of a camera that are listed.
enum { MOST_MODES = 512 };

struct pp_camera_watch {
    GstDeviceProvider *pipewire;  // NULL if there is no PipeWire
    GstDeviceProvider *v4l2;      // NULL until it is needed
    GList *devices;               // GstDevice, of the last list
};

static GstDeviceProvider *start_provider(const char *name) {
    GstDeviceProvider *provider = gst_device_provider_factory_get_by_name(name);
    if (!provider) return NULL;
    if (gst_device_provider_start(provider)) return provider;
    gst_object_unref(provider);
    return NULL;
}

// Whether PipeWire listens where its clients look for it; the plugin does not say that it does not.
static int has_pipewire(void) {
    const char *name = getenv("PIPEWIRE_REMOTE");
    if (!name || !*name) name = "pipewire-0";
    // A description instead of a name.
    if (*name == '{' || *name == '[') return 1;
    const char *folder = getenv("PIPEWIRE_RUNTIME_DIR");
    if (!folder) folder = getenv("XDG_RUNTIME_DIR");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = *name == '/' ? snprintf(address.sun_path, sizeof address.sun_path, "%s", name)
                              : snprintf(address.sun_path, sizeof address.sun_path, "%s/%s",
                                         folder ? folder : "/run", name);
    if (length < 0 || (size_t)length >= sizeof address.sun_path) return 0;
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (client < 0) return 0;
    int result = connect(client, (const struct sockaddr *)&address, sizeof address);
    close(client);
    return result == 0;
}

static int drain(GstDeviceProvider *provider) {
    if (!provider) return 0;
    int count = 0;
    GstBus *bus = gst_device_provider_get_bus(provider);
    GstMessage *message;
    while ((message = gst_bus_pop(bus))) {
        count++;
        gst_message_unref(message);
    }
    gst_object_unref(bus);
    return count > 0;
}

// A property of a device as text, also if it is a number; NULL if there is none.
static char *property(const GstStructure *properties, const char *name) {
    const GValue *value = properties ? gst_structure_get_value(properties, name) : NULL;
    if (!value) return NULL;
    if (G_VALUE_HOLDS_STRING(value)) return g_strdup(g_value_get_string(value));
    GValue text = G_VALUE_INIT;
    g_value_init(&text, G_TYPE_STRING);
    char *copy = g_value_transform(value, &text) ? g_strdup(g_value_get_string(&text)) : NULL;
    g_value_unset(&text);
    return copy;
}

static int is_property(const GstStructure *properties, const char *name, const char *wanted) {
    char *value = property(properties, name);
    int is_equal = value && !strcmp(value, wanted);
    g_free(value);
    return is_equal;
}

// A stream that shows the screen is a source of videos as well, but has another role.
static int is_camera(GstDevice *device) {
    GstStructure *properties = gst_device_get_properties(device);
    int is_camera = is_property(properties, "media.class", "Video/Source") &&
                    is_property(properties, "media.role", "Camera");
    if (properties) gst_structure_free(properties);
    return is_camera;
}

static char *id_of(GstDevice *device, const GstStructure *properties) {
    char *serial = property(properties, "object.serial");
    if (!serial) serial = property(properties, "api.v4l2.path");
    if (!serial) serial = property(properties, "device.path");
    return serial ? serial : gst_device_get_display_name(device);
}

static void describe(GstDevice *device, pp_camera_info *info) {
    GstStructure *properties = gst_device_get_properties(device);
    info->id = id_of(device, properties);
    info->name = gst_device_get_display_name(device);
    info->location = property(properties, "api.libcamera.location");
    info->rotation = property(properties, "api.libcamera.rotation");
    info->node = property(properties, "api.v4l2.path");
    if (!info->node) info->node = property(properties, "device.path");
    if (properties) gst_structure_free(properties);
    GstCaps *caps = gst_device_get_caps(device);
    info->modes = g_new0(pp_camera_mode, MOST_MODES);
    info->mode_count = pp_camera_caps_modes(caps, info->modes, MOST_MODES);
    if (caps) gst_caps_unref(caps);
}

// Takes the devices of a provider that are cameras.
static GList *cameras(GstDeviceProvider *provider, int is_pipewire) {
    GList *all = provider ? gst_device_provider_get_devices(provider) : NULL;
    GList *kept = NULL;
    for (GList *item = all; item; item = item->next) {
        GstDevice *device = GST_DEVICE(item->data);
        if (is_pipewire ? is_camera(device) : gst_device_has_classes(device, "Video/Source")) {
            kept = g_list_append(kept, gst_object_ref(device));
        }
    }
    g_list_free_full(all, gst_object_unref);
    return kept;
}

// The cameras of PipeWire, or those of V4L2 if it has none.
static GList *current(const pp_camera_watch *watch) {
    GList *devices = cameras(watch->pipewire, 1);
    return devices ? devices : cameras(watch->v4l2, 0);
}

pp_camera_watch *pp_camera_watch_open(void) {
    pp_camera_watch *watch = calloc(1, sizeof *watch);
    if (!watch) return NULL;
    if (has_pipewire()) watch->pipewire = start_provider("pipewiredeviceprovider");
    // Later, nothing could be started any more.
    watch->devices = current(watch);
    if (!watch->devices) watch->v4l2 = start_provider("v4l2deviceprovider");
    return watch;
}

static int is_same(GList *one, GList *other) {
    if (g_list_length(one) != g_list_length(other)) return 0;
    for (GList *item = one; item; item = item->next) {
        if (!g_list_find(other, item->data)) return 0;
    }
    return 1;
}

int pp_camera_watch_has_changed(pp_camera_watch *watch) {
    int in_pipewire = drain(watch->pipewire);
    int in_v4l2 = drain(watch->v4l2);
    // Messages also tell of what no camera is, and of cameras that are listed already.
    if (!in_pipewire && !in_v4l2) return 0;
    GList *devices = current(watch);
    int has_changed = !is_same(devices, watch->devices);
    g_list_free_full(devices, gst_object_unref);
    return has_changed;
}

static void release(pp_camera_info *info) {
    g_free(info->id);
    g_free(info->name);
    g_free(info->location);
    g_free(info->rotation);
    g_free(info->node);
    g_free(info->modes);
    memset(info, 0, sizeof *info);
}

pp_camera_problem pp_camera_watch_list(pp_camera_watch *watch, size_t most, pp_camera_info **list,
                                       size_t *count) {
    *list = NULL;
    *count = 0;
    drain(watch->pipewire);
    drain(watch->v4l2);
    g_list_free_full(watch->devices, gst_object_unref);
    watch->devices = current(watch);
    if (!watch->devices && !watch->pipewire) return PP_CAMERA_UNAVAILABLE;
    pp_camera_info *infos = calloc(most ? most : 1, sizeof *infos);
    if (!infos) return PP_CAMERA_UNAVAILABLE;
    for (GList *item = watch->devices; item && *count < most; item = item->next) {
        pp_camera_info *info = &infos[*count];
        describe(GST_DEVICE(item->data), info);
        // Nodes that deliver nothing we know must not hide cameras that do.
        if (info->mode_count > 0) {
            (*count)++;
        } else {
            release(info);
        }
    }
    *list = infos;
    return PP_CAMERA_DONE;
}

void pp_camera_list_free(pp_camera_info *list, size_t count) {
    for (size_t i = 0; i < count; i++) release(&list[i]);
    free(list);
}

// The device with an id; NULL if a list does not have it.
static GstDevice *find(GList *devices, const char *id) {
    for (GList *item = devices; item; item = item->next) {
        GstDevice *device = GST_DEVICE(item->data);
        GstStructure *properties = gst_device_get_properties(device);
        char *own = id_of(device, properties);
        if (properties) gst_structure_free(properties);
        int is_wanted = !strcmp(own, id);
        g_free(own);
        if (is_wanted) return device;
    }
    return NULL;
}

int pp_camera_watch_has(const pp_camera_watch *watch, const char *id) {
    GList *devices = current(watch);
    int is_there = find(devices, id) != NULL;
    g_list_free_full(devices, gst_object_unref);
    return is_there;
}

GstElement *pp_camera_watch_source(pp_camera_watch *watch, const char *id) {
    GstDevice *device = find(watch->devices, id);
    GstElement *source = device ? gst_device_create_element(device, NULL) : NULL;
    if (!source) return NULL;
    if (g_object_class_find_property(G_OBJECT_GET_CLASS(source), "stream-properties")) {
        // Without a media type, the session manager waits for ever. If the camera goes, no other one may
        // take its place unasked.
        GstStructure *stream = gst_structure_new(
            "props", "media.type", G_TYPE_STRING, "Video", "media.category", G_TYPE_STRING,
            "Capture", "media.role", G_TYPE_STRING, "Camera", "node.dont-reconnect",
            G_TYPE_STRING, "true", NULL);
        g_object_set(source, "stream-properties", stream, NULL);
        gst_structure_free(stream);
    }
    return source;
}
