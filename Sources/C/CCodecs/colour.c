// SPDX-License-Identifier: MIT

#include "codec.h"

#include <math.h>
#include <stdlib.h>

#include <lcms2.h>

enum { LEAST_WHITE = 128 };

struct pp_colour {
    cmsHTRANSFORM transform;
};

static void ignore(cmsContext context, cmsUInt32Number code, const char *text) {
    (void)context;
    (void)code;
    (void)text;
}

static cmsColorSpaceSignature signature_of(pp_colour_model model) {
    switch (model) {
    case PP_GREY:
        return cmsSigGrayData;
    case PP_CMYK:
    case PP_CMYK_INVERTED:
        return cmsSigCmykData;
    default:
        return cmsSigRgbData;
    }
}

// Alpha, and the channel beside a grey value, are extra channels, which lcms leaves unchanged.
static cmsUInt32Number input_format(pp_colour_model model, unsigned channels) {
    switch (model) {
    case PP_GREY:
        return COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(channels - 1) | BYTES_SH(1);
    case PP_CMYK:
        return TYPE_CMYK_8;
    case PP_CMYK_INVERTED:
        return TYPE_CMYK_8_REV;
    default:
        return channels == 4 ? TYPE_RGBA_8 : TYPE_RGB_8;
    }
}

// Whether a transform leaves sRGB colours unchanged, apart from rounding.
static int is_identity(cmsHTRANSFORM transform) {
    static const uint8_t levels[] = {0, 51, 128, 204, 255};
    for (int red = 0; red < 5; red++) {
        for (int green = 0; green < 5; green++) {
            for (int blue = 0; blue < 5; blue++) {
                const uint8_t from[] = {levels[red], levels[green], levels[blue], 255};
                uint8_t to[4] = {0, 0, 0, 255};
                cmsDoTransform(transform, from, to, 1);
                for (int channel = 0; channel < 3; channel++) {
                    if (abs(to[channel] - from[channel]) > 2) return 0;
                }
            }
        }
    }
    return 1;
}

// Whether white is nowhere near white, as with profiles whose colours are nonsense. Applying one would
// show something else.
static int is_bogus(cmsHTRANSFORM transform) {
    const uint8_t from[] = {255, 255, 255, 255};
    uint8_t to[4] = {0};
    cmsDoTransform(transform, from, to, 1);
    return to[0] < LEAST_WHITE || to[1] < LEAST_WHITE || to[2] < LEAST_WHITE;
}

// Takes ownership of the profile.
static pp_colour *make(cmsHPROFILE profile, pp_colour_model model, unsigned channels) {
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    cmsHTRANSFORM transform = NULL;
    if (profile && srgb && cmsGetColorSpace(profile) == signature_of(model)) {
        int is_cmyk = model == PP_CMYK || model == PP_CMYK_INVERTED;
        transform = cmsCreateTransform(
            profile, input_format(model, channels), srgb,
            channels == 4 && !is_cmyk ? TYPE_RGBA_8 : TYPE_RGB_8, INTENT_PERCEPTUAL,
            is_cmyk ? cmsFLAGS_BLACKPOINTCOMPENSATION : 0);
    }
    if (profile) cmsCloseProfile(profile);
    if (srgb) cmsCloseProfile(srgb);
    pp_colour *colour = NULL;
    if (transform && !(model == PP_RGB && (is_identity(transform) || is_bogus(transform)))) {
        colour = malloc(sizeof *colour);
        if (colour) {
            colour->transform = transform;
            return colour;
        }
    }
    if (transform) cmsDeleteTransform(transform);
    return NULL;
}

pp_colour *pp_colour_from_profile(const uint8_t *profile, size_t size, pp_colour_model model,
                                  unsigned channels) {
    cmsSetLogErrorHandler(ignore);
    if (size > UINT32_MAX) return NULL;
    return make(cmsOpenProfileFromMem(profile, (cmsUInt32Number)size), model, channels);
}

static pp_colour *owner_of(cmsHTRANSFORM transform) {
    pp_colour *colour = transform ? malloc(sizeof *colour) : NULL;
    if (colour) {
        colour->transform = transform;
    } else if (transform) {
        cmsDeleteTransform(transform);
    }
    return colour;
}

pp_colour *pp_colour_to_light(const uint8_t *bytes, size_t size) {
    cmsSetLogErrorHandler(ignore);
    if (size > UINT32_MAX) return NULL;
    cmsHPROFILE profile = cmsOpenProfileFromMem(bytes, (cmsUInt32Number)size);
    const cmsCIExyY d65 = {0.3127, 0.3290, 1};
    const cmsCIExyYTRIPLE srgb = {{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
    cmsToneCurve *curve = cmsBuildGamma(NULL, 1);
    cmsToneCurve *curves[] = {curve, curve, curve};
    cmsHPROFILE light = curve ? cmsCreateRGBProfile(&d65, &srgb, curves) : NULL;
    cmsHTRANSFORM transform = NULL;
    if (profile && light && cmsGetColorSpace(profile) == cmsSigRgbData) {
        const cmsUInt32Number format = TYPE_RGB_FLT | EXTRA_SH(1);
        transform = cmsCreateTransform(profile, format, light, format,
                                       INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_COPY_ALPHA);
    }
    if (curve) cmsFreeToneCurve(curve);
    if (profile) cmsCloseProfile(profile);
    if (light) cmsCloseProfile(light);
    return owner_of(transform);
}

pp_colour *pp_colour_from_lab(void) {
    cmsSetLogErrorHandler(ignore);
    cmsHPROFILE lab = cmsCreateLab4Profile(NULL), srgb = cmsCreate_sRGBProfile();
    cmsHTRANSFORM transform = NULL;
    if (lab && srgb) {
        transform = cmsCreateTransform(lab, TYPE_Lab_8, srgb, TYPE_RGB_8,
                                       INTENT_RELATIVE_COLORIMETRIC, 0);
    }
    if (lab) cmsCloseProfile(lab);
    if (srgb) cmsCloseProfile(srgb);
    return owner_of(transform);
}

// MARK: - Colours from H.273 numbers

typedef struct primaries {
    uint16_t number;
    cmsCIExyYTRIPLE colours;
} primaries;

// ITU-T H.273, table 2. All primaries but these two are sRGB's, or close enough.
static const primaries known_primaries[] = {
    {9, {{0.708, 0.292, 1}, {0.170, 0.797, 1}, {0.131, 0.046, 1}}},
    {12, {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}}},
};

enum { CURVE_POINTS = 1024 };

// The luminance at which white is drawn, in nits (ITU-R BT.2408).
static const double REFERENCE_WHITE = 203;

// Converts an SMPTE ST 2084 (PQ) signal to linear light, where 1 is white.
static double perceptual_quantizer(double signal) {
    const double m1 = 0.1593017578125, m2 = 78.84375;
    const double c1 = 0.8359375, c2 = 18.8515625, c3 = 18.6875;
    double power = pow(signal, 1 / m2);
    double light = pow(fmax(power - c1, 0) / (c2 - c3 * power), 1 / m1);
    return light * 10000 / REFERENCE_WHITE;
}

// Converts an ARIB STD-B67 (HLG) signal for a screen of 1000 nits; white is at 75% of the signal.
static double hybrid_log_gamma(double signal) {
    const double a = 0.17883277, b = 0.28466892, c = 0.55991073;
    double scene = signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12;
    return pow(scene, 1.2) * 1000 / REFERENCE_WHITE;
}

static cmsToneCurve *srgb_curve(void) {
    const double srgb[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    return cmsBuildParametricToneCurve(NULL, 4, srgb);
}

static cmsToneCurve *curve_of(uint16_t transfer) {
    if (transfer == 8) return cmsBuildGamma(NULL, 1);
    if (transfer != 16 && transfer != 18) return srgb_curve();
    // Everything brighter than white is clipped to white.
    float points[CURVE_POINTS];
    for (int i = 0; i < CURVE_POINTS; i++) {
        double signal = (double)i / (CURVE_POINTS - 1);
        double light = transfer == 16 ? perceptual_quantizer(signal) : hybrid_log_gamma(signal);
        points[i] = (float)fmin(light, 1);
    }
    return cmsBuildTabulatedToneCurveFloat(NULL, CURVE_POINTS, points);
}

static const cmsCIExyY D65 = {0.3127, 0.3290, 1};
static const cmsCIExyYTRIPLE SRGB_PRIMARIES = {
    {0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};

// Takes ownership of the curve.
static pp_colour *make_rgb(const cmsCIExyY *white, const cmsCIExyYTRIPLE *primaries,
                           cmsToneCurve *curve, unsigned channels) {
    if (!curve) return NULL;
    cmsToneCurve *curves[] = {curve, curve, curve};
    cmsHPROFILE profile = cmsCreateRGBProfile(white, primaries, curves);
    cmsFreeToneCurve(curve);
    return make(profile, PP_RGB, channels);
}

pp_colour *pp_colour_from_values(double gamma, const double *chromaticities, unsigned channels) {
    cmsSetLogErrorHandler(ignore);
    cmsCIExyY white = D65;
    cmsCIExyYTRIPLE colours = SRGB_PRIMARIES;
    if (chromaticities) {
        const double *c = chromaticities;
        white = (cmsCIExyY){c[0], c[1], 1};
        colours = (cmsCIExyYTRIPLE){{c[2], c[3], 1}, {c[4], c[5], 1}, {c[6], c[7], 1}};
    }
    return make_rgb(&white, &colours, gamma > 0 ? cmsBuildGamma(NULL, gamma) : srgb_curve(),
                    channels);
}

pp_colour *pp_colour_from_numbers(uint16_t primaries_number, uint16_t transfer,
                                  unsigned channels) {
    cmsSetLogErrorHandler(ignore);
    cmsCIExyYTRIPLE colours = SRGB_PRIMARIES;
    for (size_t i = 0; i < sizeof known_primaries / sizeof *known_primaries; i++) {
        if (known_primaries[i].number == primaries_number) colours = known_primaries[i].colours;
    }
    return make_rgb(&D65, &colours, curve_of(transfer), channels);
}

void pp_colour_convert(const pp_colour *colour, const uint8_t *from, uint8_t *to,
                       uint32_t pixels) {
    cmsDoTransform(colour->transform, from, to, pixels);
}

void pp_colour_free(pp_colour *colour) {
    if (!colour) return;
    cmsDeleteTransform(colour->transform);
    free(colour);
}
