// SPDX-License-Identifier: MIT
// The channels of OpenEXR pictures that are shown.

#ifndef PP_EXR_CHANNELS_H
#define PP_EXR_CHANNELS_H

#include <OpenEXR/openexr.h>

// What a channel of a file is for: the place of its samples in a pixel.
typedef enum pp_exr_role_kind {
    PP_EXR_FIRST = 0,
    PP_EXR_SECOND = 1,
    PP_EXR_THIRD = 2,
    PP_EXR_ALPHA = 3,
    PP_EXR_ALL_COLOURS = 4,
    PP_EXR_UNUSED = 5,
} pp_exr_role_kind;

typedef struct pp_exr_channels {
    // “layer.” or empty: the start of the names of the channels that are used.
    char layer[256];
    int is_luminance;
    int has_alpha;
} pp_exr_channels;

// Chooses the channels with colours. Returns 0 if there are none at all. `chosen` must be zeroed.
int pp_exr_choose_channels(const exr_attr_chlist_t *channels, pp_exr_channels *chosen);

// What the channel with a name is for.
pp_exr_role_kind pp_exr_role(const pp_exr_channels *chosen, const char *name);

#endif
