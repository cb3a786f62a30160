// SPDX-License-Identifier: MIT
// Floating-point numbers of 16 bits (IEEE 754 binary16).

#ifndef PP_HALF_H
#define PP_HALF_H

#include <stdint.h>
#include <string.h>

static inline uint16_t pp_half_from_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000;
    bits &= 0x7FFFFFFF;
    if (bits > 0x7F800000) return 0x7E00;                         // not a number
    if (bits >= 0x477FF000) return (uint16_t)(sign | 0x7BFF);     // beyond the largest half
    if (bits < 0x33000001) return (uint16_t)sign;                 // rounds to zero
    if (bits < 0x38800000) {
        // Subnormal: the hidden bit becomes visible.
        uint32_t shift = 126 - (bits >> 23);
        uint32_t mantissa = (bits & 0x7FFFFF) | 0x800000;
        uint32_t half = mantissa >> shift;
        if (mantissa >> (shift - 1) & 1) half++;
        return (uint16_t)(sign | half);
    }
    return (uint16_t)(sign | ((bits - 0x38000000 + 0x1000) >> 13));
}

static inline float pp_float_from_half(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t exponent = half >> 10 & 31;
    uint32_t mantissa = half & 0x3FF;
    if (exponent == 0) {
        float value = (float)mantissa * 0x1p-24f;
        return sign ? -value : value;
    }
    uint32_t bits = exponent == 31 ? sign | 0x7F800000 | mantissa << 13
                                   : sign | (exponent + 112) << 23 | mantissa << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
