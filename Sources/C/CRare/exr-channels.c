// SPDX-License-Identifier: MIT

#include "exr-channels.h"

#include <string.h>

static int has_channel(const exr_attr_chlist_t *channels, const char *layer, const char *name) {
    const size_t count = strlen(layer);
    for (int i = 0; i < channels->num_channels; i++) {
        const char *found = channels->entries[i].name.str;
        if (strncmp(found, layer, count) == 0 && strcmp(found + count, name) == 0) return 1;
    }
    return 0;
}

// The first layer with colours, if the picture itself has none.
static void choose_layer(pp_exr_channels *chosen, const exr_attr_chlist_t *channels) {
    static const char *const names[] = {"R", "Y", NULL};
    for (int i = 0; names[i]; i++) {
        if (has_channel(channels, "", names[i])) return;
    }
    for (int i = 0; i < channels->num_channels; i++) {
        const char *name = channels->entries[i].name.str, *end = strrchr(name, '.');
        const size_t count = end ? (size_t)(end - name) + 1 : 0;
        if (end && count < sizeof chosen->layer &&
            (strcmp(end + 1, "R") == 0 || strcmp(end + 1, "Y") == 0)) {
            memcpy(chosen->layer, name, count);
            chosen->layer[count] = 0;
            return;
        }
    }
}

int pp_exr_choose_channels(const exr_attr_chlist_t *channels, pp_exr_channels *chosen) {
    if (channels->num_channels < 1) return 0;
    choose_layer(chosen, channels);
    chosen->has_alpha = has_channel(channels, chosen->layer, "A");
    chosen->is_luminance = has_channel(channels, chosen->layer, "Y") &&
                           has_channel(channels, chosen->layer, "RY") &&
                           has_channel(channels, chosen->layer, "BY");
    if (!has_channel(channels, chosen->layer, "R") && !has_channel(channels, chosen->layer, "Y") &&
        !has_channel(channels, chosen->layer, "G") && !has_channel(channels, chosen->layer, "B")) {
        // Any channel is better than none, for example a depth.
        const char *name = channels->entries[0].name.str;
        if (strlen(name) >= sizeof chosen->layer) return 0;
        strcpy(chosen->layer, name);
    }
    return 1;
}

pp_exr_role_kind pp_exr_role(const pp_exr_channels *chosen, const char *name) {
    const size_t count = strlen(chosen->layer);
    if (strncmp(name, chosen->layer, count) != 0) return PP_EXR_UNUSED;
    name += count;
    if (*name == 0 && count > 0) return PP_EXR_ALL_COLOURS;
    if (strcmp(name, "A") == 0) return PP_EXR_ALPHA;
    if (chosen->is_luminance) {
        if (strcmp(name, "Y") == 0) return PP_EXR_FIRST;
        if (strcmp(name, "RY") == 0) return PP_EXR_SECOND;
        return strcmp(name, "BY") == 0 ? PP_EXR_THIRD : PP_EXR_UNUSED;
    }
    if (strcmp(name, "Y") == 0) return PP_EXR_ALL_COLOURS;
    if (strcmp(name, "R") == 0) return PP_EXR_FIRST;
    if (strcmp(name, "G") == 0) return PP_EXR_SECOND;
    return strcmp(name, "B") == 0 ? PP_EXR_THIRD : PP_EXR_UNUSED;
}
