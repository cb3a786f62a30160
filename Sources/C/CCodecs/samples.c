// SPDX-License-Identifier: MIT

#include "codec.h"

void pp_samples_to_rgb(const uint8_t *samples, size_t count, unsigned channels, unsigned bytes,
                       uint32_t maximum, uint8_t *rgb) {
    for (size_t index = 0; index < count * channels; index++) {
        uint32_t value = samples[index * bytes];
        if (bytes == 2) value = value << 8 | samples[index * bytes + 1];
        if (value > maximum) value = maximum;
        uint8_t scaled = (uint8_t)((value * 255 + maximum / 2) / maximum);
        if (channels == 3) {
            rgb[index] = scaled;
        } else {
            rgb[index * 3] = rgb[index * 3 + 1] = rgb[index * 3 + 2] = scaled;
        }
    }
}
