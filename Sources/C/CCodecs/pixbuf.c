// SPDX-License-Identifier: MIT

#include "codec.h"

#include <string.h>

#include <gdk-pixbuf/gdk-pixbuf.h>

static const char *media_type(const char *type) {
    return strcmp(type, "ico") == 0 ? "image/x-icon" : "image/bmp";
}

// From version 2.43 on, gdk-pixbuf may use a process of its own, which a decoder process cannot
// start.
static int works_alone(void) {
    return gdk_pixbuf_major_version == 2 && gdk_pixbuf_minor_version < 43;
}

int pp_pixbuf_decodes(const char *type) {
    if (!works_alone()) return 0;
    // Making a loader loads its module.
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_mime_type(media_type(type), NULL);
    if (!loader) return 0;
    gdk_pixbuf_loader_close(loader, NULL);
    g_object_unref(loader);
    return 1;
}

static void check_size(GdkPixbufLoader *loader, int width, int height, void *is_too_large) {
    if (width > 0 && height > 0 && !pp_is_decodable_size((uint64_t)width, (uint64_t)height)) {
        *(int *)is_too_large = 1;
        // A size of 0 makes the loader stop before it allocates.
        gdk_pixbuf_loader_set_size(loader, 0, 0);
    }
}

static void release_pixbuf(void *pixbuf) { g_object_unref(pixbuf); }

static void take(GdkPixbuf *pixbuf, pp_picture *picture) {
    picture->width = (uint32_t)gdk_pixbuf_get_width(pixbuf);
    picture->height = (uint32_t)gdk_pixbuf_get_height(pixbuf);
    picture->channels = (unsigned)gdk_pixbuf_get_n_channels(pixbuf);
    picture->stride = (size_t)gdk_pixbuf_get_rowstride(pixbuf);
    picture->pixels = gdk_pixbuf_get_pixels(pixbuf);
    picture->owner = g_object_ref(pixbuf);
    picture->release = release_pixbuf;
}

pp_status pp_pixbuf_decode(int fd, const char *type, const uint8_t *head, size_t head_size,
                           off_t offset, pp_picture *picture) {
    if (!works_alone()) return PP_UNSUPPORTED;
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new_with_mime_type(media_type(type), NULL);
    if (!loader) return PP_UNSUPPORTED;
    int is_too_large = 0;
    g_signal_connect(loader, "size-prepared", G_CALLBACK(check_size), &is_too_large);
    uint8_t buffer[65536];
    int is_intact = head_size == 0 || gdk_pixbuf_loader_write(loader, head, head_size, NULL);
    while (is_intact) {
        ssize_t count = pp_read_at(fd, buffer, sizeof buffer, offset);
        if (count <= 0 || !gdk_pixbuf_loader_write(loader, buffer, (gsize)count, NULL)) break;
        offset += count;
    }
    // The part of a truncated or damaged file that was decoded is worth showing.
    gdk_pixbuf_loader_close(loader, NULL);
    GdkPixbuf *pixbuf = is_too_large ? NULL : gdk_pixbuf_loader_get_pixbuf(loader);
    if (pixbuf) take(pixbuf, picture);
    g_object_unref(loader);
    if (pixbuf) return PP_OK;
    return is_too_large ? PP_TOO_LARGE : PP_DAMAGED;
}
