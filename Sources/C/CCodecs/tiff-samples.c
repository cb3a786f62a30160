// SPDX-License-Identifier: MIT

#include "tiff-samples.h"

#include <string.h>

// MARK: - Samples

// The sample with a number in a row. libtiff has swapped the bytes of samples of 16, 24, 32 and 64
// bits where necessary; others are packed, the highest bit first.
static uint64_t integer_at(const uint8_t *row, size_t number, unsigned bits) {
    uint16_t half;
    uint32_t word;
    uint64_t value = 0;
    switch (bits) {
    case 8:
        return row[number];
    case 16:
        memcpy(&half, row + number * 2, 2);
        return half;
    case 24:
        row += number * 3;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        return row[0] | (uint32_t)row[1] << 8 | (uint32_t)row[2] << 16;
#else
        return row[2] | (uint32_t)row[1] << 8 | (uint32_t)row[0] << 16;
#endif
    case 32:
        memcpy(&word, row + number * 4, 4);
        return word;
    case 64:
        memcpy(&value, row + number * 8, 8);
        return value;
    default:
        break;
    }
    size_t position = number * bits;
    for (unsigned left = bits; left > 0;) {
        unsigned in_byte = 8 - (unsigned)(position % 8);
        unsigned take = left < in_byte ? left : in_byte;
        unsigned part = row[position / 8] >> (in_byte - take) & ((1u << take) - 1);
        value = value << take | part;
        position += take;
        left -= take;
    }
    return value;
}

static float float_at(const uint8_t *row, size_t number, unsigned bits) {
    uint64_t value = integer_at(row, number, bits);
    double wide;
    uint32_t word;
    float single;
    switch (bits) {
    case 16:
        return pp_float_from_half((uint16_t)value);
    case 24:
        // A sign, 7 bits of exponent and 16 of mantissa.
        if ((value & 0x7FFFFF) == 0) return 0;
        word = (uint32_t)((value & 0x800000) << 8 | ((value >> 16 & 0x7F) + 64) << 23 |
                          (value & 0xFFFF) << 7);
        memcpy(&single, &word, sizeof single);
        return single;
    case 32:
        word = (uint32_t)value;
        memcpy(&single, &word, sizeof single);
        return single;
    default:
        memcpy(&wide, &value, sizeof wide);
        return wide > 1e30 ? 1e30f : wide < -1e30 ? -1e30f : (float)wide;
    }
}

// Whether numbers below 0 are in two's complement. Of Lab colours only a and b can be, whatever the
// format says.
static int is_signed(const pp_tiff_layout *layout, unsigned sample) {
    if (!layout->is_lab) return layout->format == SAMPLEFORMAT_INT;
    return layout->photometric == PHOTOMETRIC_CIELAB && sample > 0;
}

static uint8_t byte_at(const uint8_t *row, size_t number, unsigned sample,
                       const pp_tiff_layout *layout) {
    uint64_t value = integer_at(row, number, layout->bits);
    unsigned bits = layout->bits;
    if (is_signed(layout, sample)) value ^= UINT64_C(1) << (bits - 1);
    if (bits > 32) {
        value >>= bits - 32;
        bits = 32;
    }
    uint64_t most = (UINT64_C(1) << bits) - 1;
    uint8_t byte = (uint8_t)((value * 255 + most / 2) / most);
    int is_colour = (int)sample != layout->alpha;
    return layout->photometric == PHOTOMETRIC_MINISWHITE && is_colour ? 255 - byte : byte;
}

// MARK: - Canvas

static void put_light(pp_tiff_canvas *canvas, uint32_t x, uint32_t y, unsigned sample,
                      float value) {
    const pp_tiff_layout *layout = &canvas->layout;
    uint16_t *pixel = canvas->light.samples + ((size_t)y * canvas->width + x) * 4;
    int is_alpha = (int)sample == layout->alpha;
    if (layout->photometric == PHOTOMETRIC_MINISWHITE && !is_alpha) value = 1 - value;
    uint16_t half = value > 0 ? pp_half_from_float(value) : 0;
    if (is_alpha) {
        pixel[3] = half;
    } else if (layout->colours == 1 && sample == 0) {
        pixel[0] = pixel[1] = pixel[2] = half;
    } else if (sample < layout->colours) {
        pixel[sample] = half;
    }
}

static void put_byte(pp_tiff_canvas *canvas, uint32_t x, uint32_t y, unsigned sample,
                     uint8_t value) {
    const pp_tiff_layout *layout = &canvas->layout;
    uint8_t *pixel = canvas->pixels + ((size_t)y * canvas->width + x) * canvas->channels;
    if ((int)sample == layout->alpha && layout->colours < 4) {
        pixel[3] = value;
    } else if (layout->colours == 1 && sample == 0) {
        pixel[0] = pixel[1] = pixel[2] = value;
    } else if (sample < layout->colours) {
        pixel[sample] = value;
    }
}

// Stores the colour of an index; the colours have 16 bits.
static void put_index(pp_tiff_canvas *canvas, uint32_t x, uint32_t y, uint64_t index) {
    uint8_t *pixel = canvas->pixels + ((size_t)y * canvas->width + x) * canvas->channels;
    for (int channel = 0; channel < 3; channel++) {
        pixel[channel] = (uint8_t)(canvas->layout.palette[channel][index] >> 8);
    }
}

void pp_tiff_put_row(pp_tiff_canvas *canvas, const uint8_t *row, uint32_t x, uint32_t y,
                     uint32_t count, int plane) {
    const pp_tiff_layout *layout = &canvas->layout;
    const unsigned samples = plane < 0 ? layout->samples : 1;
    const unsigned used = plane < 0 ? layout->colours + (layout->alpha >= 0) : 1;
    const int is_float = layout->format == SAMPLEFORMAT_IEEEFP;
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned s = 0; s < used; s++) {
            const size_t number = (size_t)i * samples + s;
            const unsigned sample = plane < 0 ? s : (unsigned)plane;
            if (layout->palette[0] && sample == 0) {
                put_index(canvas, x + i, y, integer_at(row, number, layout->bits));
            } else if (canvas->light.samples) {
                put_light(canvas, x + i, y, sample, float_at(row, number, layout->bits));
            } else if (is_float) {
                float share = float_at(row, number, layout->bits);
                put_byte(canvas, x + i, y, sample,
                         share >= 1 ? 255 : share > 0 ? (uint8_t)(share * 255 + 0.5f) : 0);
            } else {
                put_byte(canvas, x + i, y, sample, byte_at(row, number, sample, layout));
            }
        }
    }
}
