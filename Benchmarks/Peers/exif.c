// SPDX-License-Identifier: MIT
// Measures how long libexif takes to read orientation, date and size of photos, in one process:
//   exif FILE…
// The first line of output is the time per file in microseconds; a line with the orientation of each
// file follows, 0 if it has none. All files are read once beforehand, so that they are in memory, and
// then often enough that neither the clock nor a cold cache decides.

#include <libexif/exif-data.h>
#include <stdio.h>
#include <time.h>

// As many as in Metadata.swift.
enum { PASSES = 50 };

static ExifEntry *entry(ExifData *data, ExifIfd directory, ExifTag tag) {
    return exif_content_get_entry(data->ifd[directory], tag);
}

static int orientation(ExifData *data) {
    ExifEntry *found = entry(data, EXIF_IFD_0, EXIF_TAG_ORIENTATION);
    if (!found || found->format != EXIF_FORMAT_SHORT || found->components != 1) return 0;
    return exif_get_short(found->data, exif_data_get_byte_order(data));
}

// The remaining fields, as text.
static size_t rest(ExifData *data) {
    ExifEntry *const entries[] = {
        entry(data, EXIF_IFD_0, EXIF_TAG_DATE_TIME),
        entry(data, EXIF_IFD_EXIF, EXIF_TAG_DATE_TIME_ORIGINAL),
        entry(data, EXIF_IFD_EXIF, EXIF_TAG_PIXEL_X_DIMENSION),
        entry(data, EXIF_IFD_EXIF, EXIF_TAG_PIXEL_Y_DIMENSION),
    };
    size_t count = 0;
    for (size_t index = 0; index < sizeof entries / sizeof *entries; index++) {
        char text[64];
        if (entries[index] && exif_entry_get_value(entries[index], text, sizeof text)) count++;
    }
    return count;
}

static int read_file(const char *path, size_t *found) {
    ExifData *data = exif_data_new_from_file(path);
    if (!data) return 0;
    int result = orientation(data);
    *found += rest(data);
    exif_data_unref(data);
    return result;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

int main(int count, char **paths) {
    size_t found = 0;
    for (int index = 1; index < count; index++) read_file(paths[index], &found);
    double start = now();
    for (int pass = 0; pass < PASSES; pass++) {
        for (int index = 1; index < count; index++) read_file(paths[index], &found);
    }
    printf("%f\n", (now() - start) / PASSES / (count > 1 ? count - 1 : 1));
    for (int index = 1; index < count; index++) printf("%d\n", read_file(paths[index], &found));
    return found > 0 ? 0 : 1;
}
