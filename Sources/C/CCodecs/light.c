// SPDX-License-Identifier: MIT

#include "light.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The largest half.
static const float BRIGHTEST = 65504;

enum {
    // With 8 bytes each they fit in the memory of a decoder.
    MOST_PIXELS = 50000000,
    TABLE_SIZE = 65536,
    // The histogram of luminances: 16 classes for each doubling, from 2^-24 to 2^17.
    CLASSES_PER_STOP = 16,
    DARKEST_STOP = -24,
    CLASSES = 41 * CLASSES_PER_STOP,
};

// MARK: - Pixels

pp_status pp_light_allocate(pp_light *light, uint32_t width, uint32_t height) {
    if (width == 0 || height == 0) return PP_DAMAGED;
    if (width > MOST_PIXELS || height > MOST_PIXELS / width) return PP_TOO_LARGE;
    light->samples = calloc((size_t)width * height, 4 * sizeof *light->samples);
    if (!light->samples) return PP_TOO_LARGE;
    light->width = width;
    light->height = height;
    return PP_OK;
}

void pp_light_free(pp_light *light) {
    free(light->samples);
    light->samples = NULL;
}

void pp_light_put(pp_light *light, uint32_t x, uint32_t y, const float colour[4]) {
    uint16_t *pixel = light->samples + ((size_t)y * light->width + x) * 4;
    for (int channel = 0; channel < 4; channel++) {
        // Also false for what is not a number.
        pixel[channel] = colour[channel] > 0 ? pp_half_from_float(colour[channel]) : 0;
    }
}

static void load(const pp_light *light, size_t index, float colour[4]) {
    const uint16_t *pixel = light->samples + index * 4;
    for (int channel = 0; channel < 4; channel++) {
        // What is negative, infinite or not a number is brought into the range.
        float value = pp_float_from_half(pixel[channel]);
        colour[channel] = value > 0 ? fminf(value, BRIGHTEST) : 0;
    }
    if (!light->has_alpha) {
        colour[3] = 1;
    } else if (light->is_premultiplied && colour[3] > 0) {
        for (int channel = 0; channel < 3; channel++) {
            colour[channel] = fminf(colour[channel] / colour[3], BRIGHTEST);
        }
    }
}

static float luminance(const float colour[4]) {
    return 0.2126f * colour[0] + 0.7152f * colour[1] + 0.0722f * colour[2];
}

// MARK: - Range

// How light is mapped to the range of a screen.
typedef struct tone {
    int is_compressed;
    float exposure;
    // The luminance after exposure that becomes white.
    float white;
} tone;

static int class_of(float light) {
    int number = (int)((log2f(light) - DARKEST_STOP) * CLASSES_PER_STOP);
    return number < 0 ? 0 : number >= CLASSES ? CLASSES - 1 : number;
}

// A thousandth of the pixels may be brighter than white, so that a few sparks or the sun do not
// darken everything else. A picture whose average is within two stops of a middle grey keeps its
// exposure; others, such as those in physical units, are moved there.
static tone measure(const pp_light *light) {
    size_t *histogram = calloc(CLASSES, sizeof *histogram);
    tone tone = {0, 1, 1};
    if (!histogram) return tone;
    size_t count = 0, all = (size_t)light->width * light->height;
    double logarithms = 0;
    float largest = 0;
    for (size_t index = 0; index < all; index++) {
        float colour[4];
        load(light, index, colour);
        if (colour[3] <= 0) continue;
        for (int channel = 0; channel < 3; channel++) largest = fmaxf(largest, colour[channel]);
        float value = luminance(colour);
        if (!(value > 0x1p-24f)) continue;
        histogram[class_of(value)]++;
        logarithms += log2f(value);
        count++;
    }
    if (largest > 1.001f && count > 0) {
        size_t brighter = 0;
        int class = CLASSES - 1;
        while (class > 0 && (brighter += histogram[class]) * 1000 <= count) class--;
        tone.white = exp2f((float)(class + 1) / CLASSES_PER_STOP + DARKEST_STOP);
        const double middle = log2(0.18);
        double average = logarithms / (double)count;
        if (average > middle + 2) tone.exposure = (float)exp2(middle + 2 - average);
        if (average < middle - 2 && tone.white > 1) {
            tone.exposure = (float)exp2(middle - 2 - average);
        }
        tone.white = fmaxf(tone.white * tone.exposure, 1);
        tone.is_compressed = 1;
    }
    free(histogram);
    return tone;
}

// - Source: Reinhard et al., “Photographic tone reproduction for digital images”, equation 4. If white
// is 1, it changes nothing.
static float factor(const tone *tone, const float colour[4]) {
    if (!tone->is_compressed) return 1;
    float light = luminance(colour) * tone->exposure;
    return tone->exposure * (1 + light / (tone->white * tone->white)) / (1 + light);
}

// MARK: - Showing

// The table from linear light to sRGB (IEC 61966-2-1).
static uint8_t *encoding(void) {
    uint8_t *table = malloc(TABLE_SIZE);
    for (int i = 0; table && i < TABLE_SIZE; i++) {
        double light = (double)i / (TABLE_SIZE - 1);
        double value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
        table[i] = (uint8_t)(value * 255 + 0.5);
    }
    return table;
}

static uint8_t byte_of(float share) {
    return share >= 1 ? 255 : share > 0 ? (uint8_t)(share * 255 + 0.5f) : 0;
}

void pp_light_show(pp_light *light, pp_picture *picture) {
    const tone tone = measure(light);
    uint8_t *table = encoding();
    const unsigned channels = light->has_alpha ? 4 : 3;
    const size_t all = (size_t)light->width * light->height;
    // A shown pixel is shorter than its light, so the buffer can be filled from its start.
    uint8_t *shown = (uint8_t *)light->samples;
    for (size_t index = 0; table && index < all; index++) {
        float colour[4];
        load(light, index, colour);
        const float scale = factor(&tone, colour);
        uint8_t *pixel = shown + index * channels;
        for (int channel = 0; channel < 3; channel++) {
            float value = colour[channel] * scale;
            pixel[channel] =
                table[value >= 1 ? TABLE_SIZE - 1 : (int)(value * (TABLE_SIZE - 1) + 0.5f)];
        }
        if (channels == 4) pixel[3] = byte_of(colour[3]);
    }
    if (!table) memset(shown, 0, all * channels);
    free(table);
    uint8_t *shorter = realloc(shown, all * channels);
    picture->pixels = shorter ? shorter : shown;
    picture->width = light->width;
    picture->height = light->height;
    picture->channels = channels;
    picture->stride = (size_t)light->width * channels;
    light->samples = NULL;
}
