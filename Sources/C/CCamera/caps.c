// SPDX-License-Identifier: MIT

#include <string.h>

#include "camera.h"

const char pp_camera_formats[] =
    "{ I420, YV12, NV12, NV21, YUY2, UYVY, YVYU, Y42B, NV16, Y444, RGB, BGR, RGBx, BGRx, xRGB, xBGR, RGBA, "
    "BGRA, ARGB, ABGR, GRAY8 }";

// The most values of a list that are looked at.
enum { MOST_VALUES = 64 };

// Sizes to ask for where a camera allows all sizes of a range, besides the largest.
static const int presets[][2] = {
    {320, 240}, {352, 288}, {640, 480}, {960, 540}, {1280, 720}, {1920, 1080}, {3840, 2160},
};

// What a field may be: single values, or a range.
typedef struct choice {
    int values[MOST_VALUES];
    size_t count;
    int low, high, step;  // a range, if there are no values
} choice;

static int allows(const choice *choice, int value) {
    for (size_t i = 0; i < choice->count; i++) {
        if (choice->values[i] == value) return 1;
    }
    return !choice->count && value >= choice->low && value <= choice->high &&
           (value - choice->low) % choice->step == 0;
}

// Reads a side in pixels; 0 if no allowed value is a side of a frame.
static int read_choice(const GValue *value, choice *choice) {
    memset(choice, 0, sizeof *choice);
    if (!value) return 0;
    if (G_VALUE_HOLDS_INT(value)) {
        choice->values[choice->count++] = g_value_get_int(value);
    } else if (GST_VALUE_HOLDS_INT_RANGE(value)) {
        choice->low = MAX(1, gst_value_get_int_range_min(value));
        choice->step = MAX(1, gst_value_get_int_range_step(value));
        choice->high = MIN(PP_CAMERA_MOST_SIDE, gst_value_get_int_range_max(value));
        if (choice->high < choice->low) return 0;
        choice->high -= (choice->high - choice->low) % choice->step;
        return 1;
    } else if (GST_VALUE_HOLDS_LIST(value)) {
        guint count = gst_value_list_get_size(value);
        for (guint i = 0; i < count && choice->count < MOST_VALUES; i++) {
            const GValue *item = gst_value_list_get_value(value, i);
            if (G_VALUE_HOLDS_INT(item)) choice->values[choice->count++] = g_value_get_int(item);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < choice->count; i++) {
        int side = choice->values[i];
        if (side >= 1 && side <= PP_CAMERA_MOST_SIDE) choice->values[kept++] = side;
    }
    choice->count = kept;
    return kept > 0;
}

static void consider_rate(const GValue *value, pp_camera_mode *mode) {
    if (!GST_VALUE_HOLDS_FRACTION(value)) return;
    int frames = gst_value_get_fraction_numerator(value);
    int seconds = gst_value_get_fraction_denominator(value);
    if (frames < 1 || seconds < 1 || frames > 1000000 || seconds > 1000000) return;
    if (!mode->seconds ||
        (uint64_t)frames * mode->seconds > (uint64_t)mode->frames * (uint32_t)seconds) {
        mode->frames = (uint32_t)frames;
        mode->seconds = (uint32_t)seconds;
    }
}

// The highest rate, or none.
static void read_rate(const GValue *value, pp_camera_mode *mode) {
    if (!value) return;
    if (GST_VALUE_HOLDS_FRACTION_RANGE(value)) {
        consider_rate(gst_value_get_fraction_range_max(value), mode);
    } else if (GST_VALUE_HOLDS_LIST(value)) {
        guint count = gst_value_list_get_size(value);
        for (guint i = 0; i < count && i < MOST_VALUES; i++) {
            consider_rate(gst_value_list_get_value(value, i), mode);
        }
    } else {
        consider_rate(value, mode);
    }
}

typedef struct collection {
    pp_camera_mode *modes;
    size_t count, most;
} collection;

static void add(collection *all, pp_camera_mode mode, int width, int height) {
    mode.width = (uint32_t)width;
    mode.height = (uint32_t)height;
    for (size_t i = 0; i < all->count; i++) {
        const pp_camera_mode *known = &all->modes[i];
        if (!memcmp(known, &mode, sizeof mode)) return;
    }
    if (all->count < all->most) all->modes[all->count++] = mode;
}

// Adds the presets that are allowed, all sizes of a list, and the largest of a range.
static void add_sizes(collection *all, pp_camera_mode mode, const choice *widths,
                      const choice *heights) {
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        if (allows(widths, presets[i][0]) && allows(heights, presets[i][1])) {
            add(all, mode, presets[i][0], presets[i][1]);
        }
    }
    size_t columns = widths->count ? widths->count : 1;
    size_t rows = heights->count ? heights->count : 1;
    for (size_t x = 0; x < columns; x++) {
        for (size_t y = 0; y < rows; y++) {
            add(all, mode, widths->count ? widths->values[x] : widths->high,
                heights->count ? heights->values[y] : heights->high);
        }
    }
}

// Whether a structure offers one of the formats of frames that are read.
static int has_known_format(const GstStructure *structure, const GstCaps *known) {
    const GValue *format = gst_structure_get_value(structure, "format");
    const GValue *formats =
        gst_structure_get_value(gst_caps_get_structure(known, 0), "format");
    return !format || (formats && gst_value_intersect(NULL, format, formats));
}

size_t pp_camera_caps_modes(const GstCaps *caps, pp_camera_mode *modes, size_t most) {
    collection all = {.modes = modes, .most = most};
    if (!caps || gst_caps_is_any(caps)) return 0;
    char *text = g_strdup_printf("video/x-raw,format=%s", pp_camera_formats);
    GstCaps *known = gst_caps_from_string(text);
    g_free(text);
    if (!known) return 0;
    guint count = gst_caps_get_size(caps);
    for (guint i = 0; i < count && all.count < most; i++) {
        const GstStructure *structure = gst_caps_get_structure(caps, i);
        const GstCapsFeatures *features = gst_caps_get_features(caps, i);
        if (features && !gst_caps_features_is_equal(features, GST_CAPS_FEATURES_MEMORY_SYSTEM_MEMORY)) {
            continue;
        }
        pp_camera_mode mode;
        memset(&mode, 0, sizeof mode);
        mode.is_jpeg = gst_structure_has_name(structure, "image/jpeg");
        if (!mode.is_jpeg && !gst_structure_has_name(structure, "video/x-raw")) continue;
        if (!mode.is_jpeg && !has_known_format(structure, known)) continue;
        choice widths, heights;
        if (!read_choice(gst_structure_get_value(structure, "width"), &widths) ||
            !read_choice(gst_structure_get_value(structure, "height"), &heights)) {
            continue;
        }
        read_rate(gst_structure_get_value(structure, "framerate"), &mode);
        add_sizes(&all, mode, &widths, &heights);
    }
    gst_caps_unref(known);
    return all.count;
}

size_t pp_camera_modes(const char *capabilities, pp_camera_mode *modes, size_t most) {
    GstCaps *caps = gst_caps_from_string(capabilities);
    if (!caps) return 0;
    size_t count = pp_camera_caps_modes(caps, modes, most);
    gst_caps_unref(caps);
    return count;
}
