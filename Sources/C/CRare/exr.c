// SPDX-License-Identifier: MIT
// OpenEXR, by the core of its library, which is in C; see exr-classes.h for what it does not know.

#include "exr-channels.h"
#include "exr-classes.h"
#include "exr-colour.h"
#include "rare.h"

#include <stdlib.h>
#include <string.h>

#include <OpenEXR/openexr.h>

enum {
    // With 8 bytes each they fit in the decoder's memory.
    MOST_PIXELS = 50000000,
    MOST_CHUNK = 128 << 20,
    MOST_PARTS = 64,
    MOST_SIDE = 65535,
    MOST_SAMPLING = 64,
    // Red, green, blue and alpha.
    MOST_PLANES = 4,
    HALF_SIZE = 2,
    PIXEL_SIZE = 4 * HALF_SIZE,
};

typedef struct picture {
    exr_context_t context;
    int part;
    // The data, and what is shown of it; both include their last row and column.
    exr_attr_box2i_t data;
    exr_attr_box2i_t shown;
    pp_exr_channels channels;
    uint16_t *pixels;
    uint16_t *samples;
    size_t sample_capacity;
    // Whether the library's core does not know how a chunk is compressed.
    int is_unknown;
} picture;

// MARK: - Source

static int64_t read_bytes(exr_const_context_t context, void *user, void *bytes, uint64_t count,
                          uint64_t offset, exr_stream_error_func_ptr_t fail) {
    (void)context;
    (void)fail;
    uint64_t done = 0;
    while (done < count) {
        ssize_t received = pp_rare_read_at(*(int *)user, (uint8_t *)bytes + done,
                                           (size_t)(count - done), (off_t)(offset + done));
        if (received < 0) return -1;
        if (received == 0) break;
        done += (uint64_t)received;
    }
    return (int64_t)done;
}

static int64_t file_size(exr_const_context_t context, void *user) {
    (void)context;
    return (int64_t)pp_rare_file_size(*(int *)user);
}

static void ignore(exr_const_context_t context, exr_result_t code, const char *message) {
    (void)context;
    (void)code;
    (void)message;
}

// MARK: - Chunks

static void put_sample(picture *self, pp_exr_role_kind role, int64_t x, int64_t y, uint16_t value) {
    const int64_t width = (int64_t)self->shown.max.x - self->shown.min.x + 1;
    x -= self->shown.min.x;
    y -= self->shown.min.y;
    if (x < 0 || y < 0 || x >= width || y > (int64_t)self->shown.max.y - self->shown.min.y) return;
    uint16_t *pixel = self->pixels + (y * width + x) * 4;
    if (role == PP_EXR_ALL_COLOURS) {
        pixel[0] = pixel[1] = pixel[2] = value;
    } else {
        pixel[role] = value;
    }
}

// The first multiple of `step` from a coordinate on.
static int64_t aligned(int64_t coordinate, int64_t step) {
    int64_t rest = coordinate % step;
    if (rest < 0) rest += step;
    return rest == 0 ? coordinate : coordinate + step - rest;
}

// A sample of a channel with fewer samples is valid for the pixels after it, too.
static void put_channel(picture *self, const exr_coding_channel_info_t *channel,
                        pp_exr_role_kind role, const uint16_t *samples, int64_t left,
                        int64_t top) {
    const int64_t across = channel->x_samples, down = channel->y_samples;
    left = aligned(left, across);
    top = aligned(top, down);
    for (int64_t row = 0; row < channel->height; row++) {
        for (int64_t column = 0; column < channel->width; column++) {
            const uint16_t value = samples[row * channel->width + column];
            for (int64_t y = 0; y < down; y++) {
                for (int64_t x = 0; x < across; x++) {
                    put_sample(self, role, left + column * across + x, top + row * down + y, value);
                }
            }
        }
    }
}

static int is_usable(const exr_coding_channel_info_t *channel) {
    return channel->width > 0 && channel->height > 0 && channel->x_samples >= 1 &&
           channel->y_samples >= 1 && channel->x_samples <= MOST_SAMPLING &&
           channel->y_samples <= MOST_SAMPLING;
}

static pp_exr_role_kind role_of(const picture *self, const exr_coding_channel_info_t *channel) {
    return is_usable(channel) ? pp_exr_role(&self->channels, channel->channel_name)
                              : PP_EXR_UNUSED;
}

// Makes room for samples, all zero. Returns 0 if they are none or too many.
static int make_room(picture *self, size_t needed) {
    if (needed == 0 || needed > MOST_CHUNK) return 0;
    if (needed > self->sample_capacity) {
        uint16_t *larger = realloc(self->samples, needed * HALF_SIZE);
        if (!larger) return 0;
        self->samples = larger;
        self->sample_capacity = needed;
    }
    memset(self->samples, 0, needed * HALF_SIZE);
    return 1;
}

// Has the library unpack the channels that are used, one after the other.
static int prepare(picture *self, exr_decode_pipeline_t *decoder) {
    size_t needed = 0;
    for (int i = 0; i < decoder->channel_count; i++) {
        const exr_coding_channel_info_t *channel = &decoder->channels[i];
        if (role_of(self, channel) != PP_EXR_UNUSED) {
            needed += (size_t)channel->width * (size_t)channel->height;
        }
    }
    if (!make_room(self, needed)) return 0;
    size_t place = 0;
    for (int i = 0; i < decoder->channel_count; i++) {
        exr_coding_channel_info_t *channel = &decoder->channels[i];
        channel->decode_to_ptr = NULL;
        if (role_of(self, channel) == PP_EXR_UNUSED) continue;
        channel->decode_to_ptr = (uint8_t *)(self->samples + place);
        channel->user_bytes_per_element = HALF_SIZE;
        channel->user_data_type = EXR_PIXEL_HALF;
        channel->user_pixel_stride = HALF_SIZE;
        channel->user_line_stride = channel->width * HALF_SIZE;
        place += (size_t)channel->width * (size_t)channel->height;
    }
    return exr_decoding_choose_default_routines(self->context, self->part, decoder) ==
           EXR_ERR_SUCCESS;
}

// Returns whether the chunk was there.
static int decode_chunk(picture *self, const exr_chunk_info_t *chunk, int64_t left, int64_t top,
                        exr_decode_pipeline_t *decoder, int *is_started) {
    if (chunk->unpacked_size > MOST_CHUNK || chunk->packed_size > MOST_CHUNK) return 0;
    if (*is_started ? exr_decoding_update(self->context, self->part, chunk, decoder)
                    : exr_decoding_initialize(self->context, self->part, chunk, decoder)) {
        return 0;
    }
    *is_started = 1;
    if (!prepare(self, decoder)) return 0;
    const exr_result_t error = exr_decoding_run(self->context, self->part, decoder);
    if (error == EXR_ERR_FEATURE_NOT_IMPLEMENTED) self->is_unknown = 1;
    if (error) return 0;
    for (int i = 0; i < decoder->channel_count; i++) {
        const exr_coding_channel_info_t *channel = &decoder->channels[i];
        if (!channel->decode_to_ptr) continue;
        put_channel(self, channel, role_of(self, channel),
                    (const uint16_t *)(const void *)channel->decode_to_ptr, left, top);
    }
    return 1;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static uint32_t decode_rows(picture *self, exr_decode_pipeline_t *decoder, int *is_started) {
    int32_t lines = 0;
    uint32_t count = 0;
    if (exr_get_scanlines_per_chunk(self->context, self->part, &lines) || lines < 1) return 0;
    const int64_t first = larger(self->data.min.y, self->shown.min.y) - self->data.min.y;
    const int64_t last = smaller(self->data.max.y, self->shown.max.y) - self->data.min.y;
    for (int64_t row = first - first % lines; row <= last; row += lines) {
        exr_chunk_info_t chunk;
        const int64_t y = self->data.min.y + row;
        if (exr_read_scanline_chunk_info(self->context, self->part, (int)y, &chunk)) continue;
        count += (uint32_t)decode_chunk(self, &chunk, self->data.min.x, y, decoder, is_started);
    }
    return count;
}

static uint32_t decode_tiles(picture *self, exr_decode_pipeline_t *decoder, int *is_started) {
    uint32_t width = 0, height = 0, count = 0;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounding;
    if (exr_get_tile_descriptor(self->context, self->part, &width, &height, &levels, &rounding) ||
        width == 0 || height == 0) {
        return 0;
    }
    const int64_t left = larger(self->data.min.x, self->shown.min.x) - self->data.min.x;
    const int64_t right = smaller(self->data.max.x, self->shown.max.x) - self->data.min.x;
    const int64_t top = larger(self->data.min.y, self->shown.min.y) - self->data.min.y;
    const int64_t bottom = smaller(self->data.max.y, self->shown.max.y) - self->data.min.y;
    if (left > right || top > bottom) return 0;
    for (int64_t row = top / height; row <= bottom / height; row++) {
        for (int64_t column = left / width; column <= right / width; column++) {
            exr_chunk_info_t chunk;
            if (exr_read_tile_chunk_info(self->context, self->part, (int)column, (int)row, 0, 0,
                                         &chunk)) {
                continue;
            }
            count += (uint32_t)decode_chunk(self, &chunk, self->data.min.x + column * width,
                                            self->data.min.y + row * height, decoder, is_started);
        }
    }
    return count;
}

// MARK: - Compression that the core does not know

// The samples of a channel in the rows from `first` to `last`; none if there are none.
static pp_exr_plane plane_of(const picture *self, const exr_attr_chlist_entry_t *channel,
                             int64_t first, int64_t last) {
    pp_exr_plane plane = {channel->name.str, NULL, 0, 0, 0, 0, channel->x_sampling,
                          channel->y_sampling};
    if (plane.x_step < 1 || plane.y_step < 1 || plane.x_step > MOST_SAMPLING ||
        plane.y_step > MOST_SAMPLING) {
        return plane;
    }
    const int64_t left = aligned(self->data.min.x, plane.x_step);
    const int64_t top = aligned(first, plane.y_step);
    if (left > self->data.max.x || top > last) return plane;
    plane.left = (int)left;
    plane.top = (int)top;
    plane.width = (self->data.max.x - left) / plane.x_step + 1;
    plane.height = (last - top) / plane.y_step + 1;
    return plane;
}

static int read_rows(picture *self, pp_exr_reader *reader, const exr_attr_chlist_t *channels,
                     int64_t first, int64_t last) {
    pp_exr_plane planes[MOST_PLANES];
    pp_exr_role_kind roles[MOST_PLANES];
    size_t count = 0, needed = 0;
    for (int i = 0; i < channels->num_channels && count < MOST_PLANES; i++) {
        roles[count] = pp_exr_role(&self->channels, channels->entries[i].name.str);
        if (roles[count] == PP_EXR_UNUSED) continue;
        planes[count] = plane_of(self, &channels->entries[i], first, last);
        if (planes[count].height < 1) continue;
        needed += (size_t)planes[count].width * (size_t)planes[count].height;
        count++;
    }
    if (!make_room(self, needed)) return 0;
    uint16_t *samples = self->samples;
    for (size_t i = 0; i < count; i++) {
        planes[i].samples = samples;
        samples += planes[i].width * planes[i].height;
    }
    if (!pp_exr_read_rows(reader, planes, count, (int)first, (int)last)) return 0;
    for (size_t i = 0; i < count; i++) {
        const exr_coding_channel_info_t channel = {.width = (int32_t)planes[i].width,
                                                   .height = (int32_t)planes[i].height,
                                                   .x_samples = planes[i].x_step,
                                                   .y_samples = planes[i].y_step};
        put_channel(self, &channel, roles[i], planes[i].samples, planes[i].left, planes[i].top);
    }
    return 1;
}

// Returns how many chunks were there.
static uint32_t decode_by_classes(picture *self, int fd) {
    const exr_attr_chlist_t *channels = NULL;
    int32_t lines = 0;
    uint32_t width = 0, height = 0, count = 0;
    exr_tile_level_mode_t levels;
    exr_tile_round_mode_t rounding;
    if (exr_get_channels(self->context, self->part, &channels) || !channels) return 0;
    if (exr_get_tile_descriptor(self->context, self->part, &width, &height, &levels, &rounding) ==
        EXR_ERR_SUCCESS) {
        lines = (int32_t)smaller(height, MOST_SIDE);
    } else if (exr_get_scanlines_per_chunk(self->context, self->part, &lines)) {
        return 0;
    }
    if (lines < 1) return 0;
    pp_exr_reader *reader = pp_exr_open(fd, self->part);
    if (!reader) return 0;
    const int64_t first = larger(self->data.min.y, self->shown.min.y) - self->data.min.y;
    const int64_t last = smaller(self->data.max.y, self->shown.max.y);
    for (int64_t y = self->data.min.y + first - first % lines; y <= last; y += lines) {
        count += (uint32_t)read_rows(self, reader, channels, y,
                                     smaller(y + lines - 1, self->data.max.y));
    }
    pp_exr_close(reader);
    return count;
}

// MARK: - Picture

// The first part with plain pixels; one with several samples for each pixel has no pixels as such.
static int choose_part(picture *self, exr_storage_t *storage) {
    int count = 0;
    if (exr_get_count(self->context, &count)) return 0;
    for (int part = 0; part < count && part < MOST_PARTS; part++) {
        if (exr_get_storage(self->context, part, storage) == EXR_ERR_SUCCESS &&
            (*storage == EXR_STORAGE_SCANLINE || *storage == EXR_STORAGE_TILED)) {
            self->part = part;
            return 1;
        }
    }
    return 0;
}

static int choose_channels(picture *self) {
    const exr_attr_chlist_t *channels = NULL;
    return !exr_get_channels(self->context, self->part, &channels) && channels &&
           pp_exr_choose_channels(channels, &self->channels);
}

static pp_rare_status decode(picture *self, int fd, pp_rare_picture *result) {
    exr_storage_t storage;
    if (!choose_part(self, &storage)) return PP_RARE_UNSUPPORTED;
    if (exr_get_data_window(self->context, self->part, &self->data) ||
        exr_get_display_window(self->context, self->part, &self->shown) ||
        !choose_channels(self)) {
        return PP_RARE_DAMAGED;
    }
    const int64_t width = (int64_t)self->shown.max.x - self->shown.min.x + 1;
    const int64_t height = (int64_t)self->shown.max.y - self->shown.min.y + 1;
    if (width <= 0 || height <= 0) return PP_RARE_DAMAGED;
    pp_rare_status status = pp_rare_allocate(result, (uint64_t)width, (uint64_t)height, PIXEL_SIZE,
                                             MOST_PIXELS);
    if (status) return status;
    self->pixels = result->pixels;
    exr_decode_pipeline_t decoder = EXR_DECODE_PIPELINE_INITIALIZER;
    int is_started = 0;
    uint32_t count = storage == EXR_STORAGE_TILED ? decode_tiles(self, &decoder, &is_started)
                                                  : decode_rows(self, &decoder, &is_started);
    if (is_started) exr_decoding_destroy(self->context, &decoder);
    if (self->is_unknown) count += decode_by_classes(self, fd);
    if (count == 0) return PP_RARE_DAMAGED;
    const size_t pixels = (size_t)width * (size_t)height;
    if (self->channels.is_luminance) pp_exr_convert_luminance(self->pixels, pixels);
    exr_attr_chromaticities_t found;
    if (exr_attr_get_chromaticities(self->context, self->part, "chromaticities", &found) ==
        EXR_ERR_SUCCESS) {
        const pp_chromaticities colours = {
            {found.red_x, found.green_x, found.blue_x, found.white_x},
            {found.red_y, found.green_y, found.blue_y, found.white_y}};
        pp_exr_convert_primaries(self->pixels, pixels, &colours);
    }
    result->channels = 4;
    result->is_light = 1;
    result->has_alpha = self->channels.has_alpha;
    result->is_premultiplied = self->channels.has_alpha;
    return PP_RARE_OK;
}

pp_rare_status pp_rare_decode_exr(int fd, pp_rare_picture *result) {
    exr_context_initializer_t options = EXR_DEFAULT_CONTEXT_INITIALIZER;
    options.error_handler_fn = ignore;
    options.user_data = &fd;
    options.read_fn = read_bytes;
    options.size_fn = file_size;
    options.max_image_width = MOST_SIDE;
    options.max_image_height = MOST_SIDE;
    options.flags = EXR_CONTEXT_FLAG_SILENT_HEADER_PARSE;
    picture self = {0};
    exr_result_t error = exr_start_read(&self.context, "file", &options);
    if (error) {
        return error == EXR_ERR_OUT_OF_MEMORY ? PP_RARE_TOO_LARGE : PP_RARE_DAMAGED;
    }
    pp_rare_status status = decode(&self, fd, result);
    free(self.samples);
    exr_finish(&self.context);
    return status;
}
