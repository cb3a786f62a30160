// SPDX-License-Identifier: MIT

#include "exr-colour.h"

#include <math.h>
#include <string.h>

#include "../CCodecs/half.h"

typedef struct matrix {
    double at[3][3];
} matrix;

static matrix product(const matrix *left, const matrix *right) {
    matrix result = {{{0}}};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            for (int i = 0; i < 3; i++) {
                result.at[row][column] += left->at[row][i] * right->at[i][column];
            }
        }
    }
    return result;
}

// Returns whether there is an inverse.
static int invert(const matrix *m, matrix *result) {
    double determinant = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        determinant += m->at[0][i] * (m->at[1][j] * m->at[2][k] - m->at[1][k] * m->at[2][j]);
    }
    if (!(fabs(determinant) > 1e-9)) return 0;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            int r1 = (column + 1) % 3, r2 = (column + 2) % 3;
            int c1 = (row + 1) % 3, c2 = (row + 2) % 3;
            result->at[row][column] =
                (m->at[r1][c1] * m->at[r2][c2] - m->at[r1][c2] * m->at[r2][c1]) / determinant;
        }
    }
    return 1;
}

static void apply(const matrix *m, const double from[3], double to[3]) {
    for (int row = 0; row < 3; row++) {
        to[row] = m->at[row][0] * from[0] + m->at[row][1] * from[1] + m->at[row][2] * from[2];
    }
}

// XYZ with Y = 1.
static int white_of(const pp_chromaticities *colours, double white[3]) {
    if (!(fabs(colours->y[3]) > 1e-6)) return 0;
    white[0] = colours->x[3] / colours->y[3];
    white[1] = 1;
    white[2] = (1 - colours->x[3] - colours->y[3]) / colours->y[3];
    return 1;
}

// The matrix from RGB to XYZ.
static int to_xyz(const pp_chromaticities *colours, matrix *result) {
    matrix primaries, inverse;
    double white[3], scale[3];
    for (int i = 0; i < 3; i++) {
        primaries.at[0][i] = colours->x[i];
        primaries.at[1][i] = colours->y[i];
        primaries.at[2][i] = 1 - colours->x[i] - colours->y[i];
    }
    if (!white_of(colours, white) || !invert(&primaries, &inverse)) return 0;
    apply(&inverse, white, scale);
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            result->at[row][column] = primaries.at[row][column] * scale[column];
        }
    }
    return 1;
}

static const pp_chromaticities srgb = {{0.64, 0.30, 0.15, 0.3127}, {0.33, 0.60, 0.06, 0.3290}};

// The matrix from these primaries to those of sRGB. White becomes white.
// Source: Bradford's cone response matrix, as in ICC.1:2022, annex E.
static int to_srgb(const pp_chromaticities *colours, matrix *result) {
    static const matrix cones = {
        {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};
    matrix from, to, to_inverse, cones_inverse, scale = {{{0}}};
    double from_white[3], to_white[3], from_cones[3], to_cones[3];
    if (!to_xyz(colours, &from) || !to_xyz(&srgb, &to) || !invert(&to, &to_inverse) ||
        !invert(&cones, &cones_inverse) || !white_of(colours, from_white) ||
        !white_of(&srgb, to_white)) {
        return 0;
    }
    apply(&cones, from_white, from_cones);
    apply(&cones, to_white, to_cones);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(from_cones[i]) > 1e-6)) return 0;
        scale.at[i][i] = to_cones[i] / from_cones[i];
    }
    matrix adapted = product(&cones, &from);
    adapted = product(&scale, &adapted);
    adapted = product(&cones_inverse, &adapted);
    *result = product(&to_inverse, &adapted);
    return 1;
}

static void load(const uint16_t *pixel, double colour[3]) {
    for (int i = 0; i < 3; i++) {
        float value = pp_float_from_half(pixel[i]);
        colour[i] = isfinite(value) ? value : 0;
    }
}

static void store(const double colour[3], uint16_t *pixel) {
    for (int i = 0; i < 3; i++) pixel[i] = pp_half_from_float((float)fmax(colour[i], 0));
}

void pp_exr_convert_primaries(uint16_t *pixels, size_t count, const pp_chromaticities *colours) {
    matrix matrix;
    double largest = 0;
    for (int i = 0; i < 4; i++) {
        largest = fmax(largest, fabs(colours->x[i] - srgb.x[i]));
        largest = fmax(largest, fabs(colours->y[i] - srgb.y[i]));
    }
    if (!(largest > 0.002) || !to_srgb(colours, &matrix)) return;
    for (size_t index = 0; index < count; index++, pixels += 4) {
        double from[3], to[3];
        load(pixels, from);
        apply(&matrix, from, to);
        store(to, pixels);
    }
}

// Source: OpenEXR, “Technical Introduction to OpenEXR”: Luminance/Chroma Images.
void pp_exr_convert_luminance(uint16_t *pixels, size_t count) {
    for (size_t index = 0; index < count; index++, pixels += 4) {
        double from[3], to[3];
        load(pixels, from);
        to[0] = (from[1] + 1) * from[0];
        to[2] = (from[2] + 1) * from[0];
        to[1] = (from[0] - 0.2126 * to[0] - 0.0722 * to[2]) / 0.7152;
        store(to, pixels);
    }
}
