// SPDX-License-Identifier: MIT

#include "codecs.h"
#include "heif-colour.h"

#include <stdlib.h>
#include <string.h>

// The largest difference between two aspect ratios that count as the same, because the sides of a
// thumbnail are rounded.
static const double SHAPE_TOLERANCE = 0.02;
enum {
    MOST_METADATA = 8 << 20,
    BOX_TYPE_SIZE = 4,
    // How many times as long as it is a truncated file may have been.
    MOST_LOSS = 8,
};

// MARK: - Source

typedef struct source {
    int fd;
    int64_t position;
    // The offset of the type of a box that libheif should ignore, or 0.
    int64_t hidden;
    // Whether libheif asked for more than there is.
    int is_cut;
    // How long the file seems to be, with zeros behind its end; or 0.
    int64_t padded_size;
} source;

static int64_t get_position(void *user) { return ((source *)user)->position; }

static int read_bytes(void *bytes, size_t count, void *user) {
    source *self = user;
    uint8_t *next = bytes;
    while (count > 0) {
        ssize_t received = pp_read_at(self->fd, next, count, self->position);
        if (received == 0 && self->position + (int64_t)count <= self->padded_size) {
            memset(next, 0, count);
            received = (ssize_t)count;
        }
        if (received <= 0) {
            self->is_cut |= received == 0;
            return 1;
        }
        for (int index = 0; self->hidden && index < BOX_TYPE_SIZE; index++) {
            int64_t place = self->hidden + index - self->position;
            if (place >= 0 && place < received) next[place] = (uint8_t)"free"[index];
        }
        next += received;
        self->position += received;
        count -= (size_t)received;
    }
    return 0;
}

static int seek(int64_t position, void *user) {
    ((source *)user)->position = position;
    return 0;
}

// The sandbox has no fstat(2). Reading the last byte shows whether the file is long enough.
static enum heif_reader_grow_status wait_for_size(int64_t size, void *user) {
    source *self = user;
    uint8_t last;
    int has_it = size <= self->padded_size || size <= 0 ||
                 pp_read_at(self->fd, &last, 1, size - 1) == 1;
    self->is_cut |= !has_it;
    return has_it ? heif_reader_grow_status_size_reached
                  : heif_reader_grow_status_size_beyond_eof;
}

static const struct heif_reader reader = {
    .reader_api_version = 1,
    .get_position = get_position,
    .read = read_bytes,
    .seek = seek,
    .wait_for_file_size = wait_for_size,
};

// The part of a truncated file that is there may be worth showing: continues it with zeros.
static void pad(source *self) {
    int64_t size = 1;
    uint8_t byte;
    while (size < INT64_MAX / (2 * MOST_LOSS) && pp_read_at(self->fd, &byte, 1, size) == 1) size *= 2;
    *self = (source){.fd = self->fd, .hidden = self->hidden, .padded_size = size * MOST_LOSS};
}

// MARK: - Pictures

static pp_status status_of(struct heif_error error) {
    switch (error.code) {
    case heif_error_Ok:
        return PP_OK;
    case heif_error_Memory_allocation_error:
        return PP_TOO_LARGE;
    case heif_error_Unsupported_feature:
    case heif_error_Unsupported_filetype:
    case heif_error_Plugin_loading_error:
        return PP_UNSUPPORTED;
    default:
        return error.subcode == heif_suberror_Security_limit_exceeded ? PP_TOO_LARGE : PP_DAMAGED;
    }
}

// Opens the file's primary picture. The context must outlive the handle.
static pp_status open_primary(source *file, struct heif_context **context,
                              struct heif_image_handle **handle) {
    *context = heif_context_alloc();
    if (!*context) return PP_TOO_LARGE;
    // Decode on this thread.
    heif_context_set_max_decoding_threads(*context, 0);
    pp_status status = status_of(heif_context_read_from_reader(*context, &reader, file, NULL));
    if (!status) status = status_of(heif_context_get_primary_image_handle(*context, handle));
    if (status) {
        heif_context_free(*context);
        *context = NULL;
    }
    return status;
}

static double shape(const struct heif_image_handle *handle) {
    double height = heif_image_handle_get_height(handle);
    return height > 0 ? heif_image_handle_get_width(handle) / height : 0;
}

// Finds a thumbnail that can replace the picture: large enough, the same shape, and with alpha if
// the picture has alpha.
static struct heif_image_handle *thumbnail(const struct heif_image_handle *primary,
                                           uint32_t side) {
    heif_item_id ids[8];
    int count = heif_image_handle_get_list_of_thumbnail_IDs(primary, ids, 8);
    for (int i = 0; i < count; i++) {
        struct heif_image_handle *handle = NULL;
        if (heif_image_handle_get_thumbnail(primary, ids[i], &handle).code) continue;
        int width = heif_image_handle_get_width(handle);
        int height = heif_image_handle_get_height(handle);
        double ratio = shape(handle) / (shape(primary) > 0 ? shape(primary) : 1);
        if ((width > height ? width : height) >= (int64_t)side &&
            ratio > 1 - SHAPE_TOLERANCE && ratio < 1 + SHAPE_TOLERANCE &&
            heif_image_handle_has_alpha_channel(handle) ==
                heif_image_handle_has_alpha_channel(primary)) {
            return handle;
        }
        heif_image_handle_release(handle);
    }
    return NULL;
}

static void copy_colour(const struct heif_image_handle *handle, pp_picture *picture) {
    size_t size = heif_image_handle_get_raw_color_profile_size(handle);
    if (size > 0 && size <= MOST_METADATA && (picture->profile = malloc(size))) {
        picture->profile_size = size;
        if (heif_image_handle_get_raw_color_profile(handle, picture->profile).code == 0) return;
        free(picture->profile);
        picture->profile = NULL;
        picture->profile_size = 0;
    }
    struct heif_color_profile_nclx *coding = NULL;
    if (heif_image_handle_get_nclx_color_profile(handle, &coding).code == 0 && coding) {
        picture->primaries = (uint16_t)coding->color_primaries;
        picture->transfer = (uint16_t)coding->transfer_characteristics;
        heif_nclx_color_profile_free(coding);
    }
}

static void release_image(void *image) { heif_image_release(image); }

// Leaves the conversion to libheif, which needs several times the memory.
static pp_status decode_as_rgb(const struct heif_image_handle *handle, int has_alpha,
                               struct heif_decoding_options *options, pp_picture *picture) {
    options->convert_hdr_to_8bit = 1;
    struct heif_image *image = NULL;
    pp_status status = status_of(heif_decode_image(
        handle, &image, heif_colorspace_RGB,
        has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options));
    if (status) return status;
    int stride = 0;
    uint8_t *pixels = heif_image_get_plane(image, heif_channel_interleaved, &stride);
    const int width = heif_image_get_width(image, heif_channel_interleaved);
    const int height = heif_image_get_height(image, heif_channel_interleaved);
    if (!pixels || width <= 0 || height <= 0 || stride <= 0) {
        heif_image_release(image);
        return PP_DAMAGED;
    }
    picture->width = (uint32_t)width;
    picture->height = (uint32_t)height;
    picture->channels = has_alpha ? 4 : 3;
    picture->stride = (size_t)stride;
    picture->pixels = pixels;
    picture->owner = image;
    picture->release = release_image;
    return PP_OK;
}

// Decodes all rows and columns, with padding.
static pp_status decode_padded(const struct heif_image_handle *handle, int has_alpha, int is_stored,
                               pp_picture *picture) {
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (!options) return PP_TOO_LARGE;
    options->ignore_transformations = (uint8_t)is_stored;
    struct heif_image *image = NULL;
    pp_status status = status_of(heif_decode_image(handle, &image, heif_colorspace_undefined,
                                                   heif_chroma_undefined, options));
    if (!status) {
        status = pp_heif_convert(image, has_alpha, picture);
        heif_image_release(image);
        if (status == PP_UNSUPPORTED) status = decode_as_rgb(handle, has_alpha, options, picture);
    }
    heif_decoding_options_free(options);
    return status;
}

// Decodes a picture, which may have rows and columns of padding that its size does not count.
// Whether there are any is stored in `is_padded`; they are left out of a picture that libheif does not
// turn. With `turns`, the picture is left as it is stored.
static pp_status decode(const struct heif_image_handle *handle, int is_turned, int turns,
                        int *is_padded, pp_picture *picture) {
    const int width = turns ? heif_image_handle_get_ispe_width(handle)
                            : heif_image_handle_get_width(handle);
    const int height = turns ? heif_image_handle_get_ispe_height(handle)
                             : heif_image_handle_get_height(handle);
    if (width <= 0 || height <= 0) return PP_DAMAGED;
    if (!pp_is_decodable_size((uint64_t)width, (uint64_t)height)) return PP_TOO_LARGE;
    const int has_alpha = heif_image_handle_has_alpha_channel(handle);
    pp_status status = decode_padded(handle, has_alpha, turns != 0, picture);
    if (status) return status;
    if (turns) is_turned = 0;
    *is_padded = picture->width > (uint32_t)width || picture->height > (uint32_t)height;
    // Where the padding of a turned picture is, libheif does not say.
    if (!is_turned && (uint32_t)width < picture->width) picture->width = (uint32_t)width;
    if (!is_turned && (uint32_t)height < picture->height) picture->height = (uint32_t)height;
    if (has_alpha && heif_image_handle_is_premultiplied_alpha(handle)) {
        pp_picture_unpremultiply(picture);
    }
    return PP_OK;
}

// MARK: - Calls

static void copy_exif(const struct heif_image_handle *handle, pp_facts *facts) {
    heif_item_id id;
    if (heif_image_handle_get_list_of_metadata_block_IDs(handle, "Exif", &id, 1) < 1) return;
    size_t size = heif_image_handle_get_metadata_size(handle, id);
    if (size < 4 || size > MOST_METADATA) return;
    uint8_t *bytes = malloc(size);
    if (!bytes) return;
    if (heif_image_handle_get_metadata(handle, id, bytes).code == 0) {
        // The first four bytes are the number of bytes between them and the byte order.
        size_t start = ((size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 |
                        (size_t)bytes[3]) + 4;
        if (start < size) {
            memmove(bytes, bytes + start, size - start);
            facts->exif = bytes;
            facts->exif_size = size - start;
            return;
        }
    }
    free(bytes);
}

// ISO/IEC 23008-12, annex A.3.
static void copy_xmp(const struct heif_image_handle *handle, pp_facts *facts) {
    heif_item_id ids[8];
    int count = heif_image_handle_get_list_of_metadata_block_IDs(handle, "mime", ids, 8);
    for (int i = 0; i < count; i++) {
        const char *type = heif_image_handle_get_metadata_content_type(handle, ids[i]);
        if (!type || strcmp(type, "application/rdf+xml") != 0) continue;
        size_t size = heif_image_handle_get_metadata_size(handle, ids[i]);
        if (size == 0 || size > MOST_METADATA || !(facts->xmp = malloc(size))) return;
        if (heif_image_handle_get_metadata(handle, ids[i], facts->xmp).code == 0) {
            facts->xmp_size = size;
            return;
        }
        free(facts->xmp);
        facts->xmp = NULL;
    }
}

static pp_status read_facts(source *file, int turns, pp_facts *facts) {
    struct heif_context *context = NULL;
    struct heif_image_handle *handle = NULL;
    pp_status status = open_primary(file, &context, &handle);
    if (status) return status;
    int width = heif_image_handle_get_width(handle);
    int height = heif_image_handle_get_height(handle);
    if (turns & 1) {
        // libheif forgets a turn that the file lists before the size.
        width = heif_image_handle_get_ispe_height(handle);
        height = heif_image_handle_get_ispe_width(handle);
    }
    facts->width = width > 0 ? (uint32_t)width : 0;
    facts->height = height > 0 ? (uint32_t)height : 0;
    copy_exif(handle, facts);
    copy_xmp(handle, facts);
    heif_image_handle_release(handle);
    heif_context_free(context);
    return PP_OK;
}

pp_status pp_libheif_read_facts(int fd, int64_t hidden, int turns, pp_facts *facts) {
    source file = {.fd = fd, .hidden = hidden};
    pp_status status = read_facts(&file, turns, facts);
    if (status && file.is_cut) {
        pad(&file);
        status = read_facts(&file, turns, facts);
    }
    return status;
}

static pp_status decode_primary(source *file, uint32_t side, int is_turned, int *turns,
                                pp_picture *picture) {
    struct heif_context *context = NULL;
    struct heif_image_handle *primary = NULL;
    pp_status status = open_primary(file, &context, &primary);
    if (status) return status;
    struct heif_image_handle *small = thumbnail(primary, side);
    int is_padded = 0;
    // The alpha of a picture may be turned by itself.
    if (heif_image_handle_has_alpha_channel(primary)) *turns = 0;
    int is_done = small && decode(small, is_turned, 0, &is_padded, picture) == PP_OK;
    if (is_done && is_turned && is_padded) {
        pp_picture_free(picture);
        is_done = 0;
    }
    if (is_done) *turns = 0;
    if (!is_done) status = decode(primary, is_turned, *turns, &is_padded, picture);
    // A small picture of a truncated file may be whole.
    if (status && file->padded_size && !small && side < UINT32_MAX) {
        small = thumbnail(primary, side / 2);
        *turns = 0;
        if (small) status = decode(small, is_turned, 0, &is_padded, picture);
    }
    if (!status) copy_colour(primary, picture);
    if (small) heif_image_handle_release(small);
    heif_image_handle_release(primary);
    heif_context_free(context);
    return status;
}

pp_status pp_libheif_decode(int fd, uint32_t side, int64_t hidden, int is_turned, int *turns,
                         pp_picture *picture) {
    source file = {.fd = fd, .hidden = hidden};
    const int wanted_turns = *turns;
    pp_status status = decode_primary(&file, side, is_turned, turns, picture);
    if (status && file.is_cut) {
        pad(&file);
        *turns = wanted_turns;
        pp_status padded = decode_primary(&file, side, is_turned, turns, picture);
        // Nothing of it can be shown, but it is no unknown kind of picture.
        status = padded && status == PP_UNSUPPORTED ? PP_DAMAGED : padded;
    }
    return status;
}

uint32_t pp_libheif_version(void) { return heif_get_version_number(); }

int pp_libheif_decodes_hevc(void) {
    return heif_have_decoder_for_format(heif_compression_HEVC);
}

int pp_libheif_decodes_av1(void) { return heif_have_decoder_for_format(heif_compression_AV1); }
