// SPDX-License-Identifier: MIT
// Fonts for the texts of drawings, opened before a sandbox forbids it.

#include "rare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fontconfig/fontconfig.h>
#include <librsvg/rsvg.h>

enum {
    // cairo keeps ten files open and closes others, which could not be opened again.
    MOST_FILES = 10,
    MOST_DRAWING = 1024,
};

// A kind of font, and a text that only a font for its language contains.
typedef struct kind {
    const char *family;
    const char *weight;
    const char *style;
    const char *language;
    const char *text;
} kind;

// The more common ones first. An oblique style that is missing is made from the upright one.
static const kind kinds[] = {
    {"sans-serif", "normal", "normal", NULL, "A"},  {"sans-serif", "bold", "normal", NULL, "A"},
    {"serif", "normal", "normal", NULL, "A"},       {"monospace", "normal", "normal", NULL, "A"},
    {"sans-serif", "normal", "italic", NULL, "A"},  {"serif", "bold", "normal", NULL, "A"},
    {"sans-serif", "normal", "normal", "zh-cn", "\u6C49"},
    {"sans-serif", "normal", "normal", "ja", "\u3042"},
    {"sans-serif", "normal", "normal", "ko", "\uD55C"},
    {"sans-serif", "normal", "normal", "ar", "\u0627"},
    {"sans-serif", "normal", "normal", "he", "\u05D0"},
    {"sans-serif", "normal", "normal", "hi", "\u0905"},
    {"sans-serif", "normal", "normal", "th", "\u0E01"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// The file of the font that the desktop uses. The caller frees it.
static FcChar8 *file_of(const kind *kind) {
    FcPattern *pattern = FcPatternCreate();
    if (!pattern) return NULL;
    FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)kind->family);
    FcPatternAddInteger(pattern, FC_WEIGHT,
                        strcmp(kind->weight, "bold") == 0 ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR);
    FcPatternAddInteger(pattern, FC_SLANT,
                        strcmp(kind->style, "italic") == 0 ? FC_SLANT_ITALIC : FC_SLANT_ROMAN);
    if (kind->language) FcPatternAddString(pattern, FC_LANG, (const FcChar8 *)kind->language);
    FcConfigSubstitute(NULL, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult result;
    FcPattern *match = FcFontMatch(NULL, pattern, &result);
    FcChar8 *file = NULL, *copy = NULL;
    if (match && FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch) {
        copy = FcStrCopy(file);
    }
    if (match) FcPatternDestroy(match);
    FcPatternDestroy(pattern);
    return copy;
}

// Only these files are fonts from now on. The rules of the desktop, which say what takes the place of
// a font that is missing, are kept.
static void use_only(FcChar8 *const files[], int count) {
    static const char rules[] =
        "<?xml version='1.0'?><!DOCTYPE fontconfig SYSTEM 'fonts.dtd'><fontconfig>"
        "<include ignore_missing='yes'>/etc/fonts/conf.d</include></fontconfig>";
    FcConfig *config = FcConfigCreate();
    if (!config) return;
    FcConfigParseAndLoadFromMemory(config, (const FcChar8 *)rules, FcFalse);
    for (int i = 0; i < count; i++) FcConfigAppFontAddFile(config, files[i]);
    FcConfigSetCurrent(config);
    FcConfigDestroy(config);
}

// Draws a text, so that everything that belongs to its font is loaded.
static void draw(const kind *kind) {
    char drawing[MOST_DRAWING];
    const int count =
        snprintf(drawing, sizeof drawing,
                 "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><text y='15' "
                 "font-family='%s' font-weight='%s' font-style='%s'>%s</text></svg>",
                 kind->family, kind->weight, kind->style, kind->text);
    RsvgHandle *handle =
        rsvg_handle_new_from_data((const guint8 *)drawing, (gsize)count, NULL);
    if (!handle) return;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 20, 20);
    cairo_t *cairo = cairo_create(surface);
    const RsvgRectangle page = {0, 0, 20, 20};
    rsvg_handle_render_document(handle, cairo, &page, NULL);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    g_object_unref(handle);
}

void pp_rare_choose_fonts(void) {
    FcChar8 *files[MOST_FILES];
    int count = 0;
    for (int i = 0; i < KINDS && count < MOST_FILES; i++) {
        FcChar8 *file = file_of(&kinds[i]);
        int is_new = file != NULL;
        for (int j = 0; is_new && j < count; j++) is_new = !FcStrCmp(file, files[j]) ? 0 : 1;
        if (is_new) {
            files[count++] = file;
        } else if (file) {
            FcStrFree(file);
        }
    }
    use_only(files, count);
    for (int i = 0; i < count; i++) FcStrFree(files[i]);
}

void pp_rare_open_fonts(void) {
    for (int i = 0; i < KINDS; i++) draw(&kinds[i]);
}
