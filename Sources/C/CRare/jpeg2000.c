// SPDX-License-Identifier: MIT
// JPEG 2000, by OpenJPEG.

#include "rare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openjpeg-2.5/openjpeg.h>

enum {
    // OpenJPEG keeps four bytes for each sample.
    MOST_SAMPLES = 100000000,
    MOST_COMPONENTS = 4,
    MOST_PROFILE = 8 << 20,
    BUFFER_SIZE = 1 << 16,
    MOST_BOXES = 1000,
    // A picture may have 65,535 tiles, and a tile several parts.
    MOST_SEGMENTS = 1 << 18,
    START_OF_TILE = 0x90,
    END_OF_CODESTREAM = 0xD9,
};

// Whether OpenJPEG reads nothing but the file if it is told to accept a truncated one. Before 2.5.3 it decodes
// what is in its memory behind the file.
static int stands_truncated_files(void) {
    int major = 0, minor = 0, patch = 0;
    if (sscanf(opj_version(), "%d.%d.%d", &major, &minor, &patch) < 2) return 0;
    return major != 2 ? major > 2 : minor != 5 ? minor > 5 : patch >= 3;
}

// MARK: - Source

typedef struct source {
    int fd;
    uint64_t position;
    uint64_t size;
    // Where the stream ends. What a truncated file lacks before is zero, which stands for empty packets, and
    // at last the marker of the end.
    uint64_t end;
} source;

static OPJ_SIZE_T read_bytes(void *bytes, OPJ_SIZE_T count, void *user) {
    source *self = user;
    ssize_t received = 0;
    if (self->position < self->size) {
        received = pp_rare_read_at(self->fd, bytes, count, (off_t)self->position);
    } else if (self->position < self->end) {
        const uint64_t missing = self->end - self->position;
        received = (ssize_t)(count < missing ? count : missing);
        for (ssize_t i = 0; i < received; i++) {
            const uint64_t left = missing - (uint64_t)i;
            ((uint8_t *)bytes)[i] = left > 2 ? 0 : left == 2 ? 0xFF : END_OF_CODESTREAM;
        }
    }
    if (received <= 0) return (OPJ_SIZE_T)-1;
    self->position += (uint64_t)received;
    return (OPJ_SIZE_T)received;
}

static OPJ_OFF_T skip(OPJ_OFF_T count, void *user) {
    source *self = user;
    if (count < 0 || (uint64_t)count > self->end - self->position) {
        self->position = self->end;
        return -1;
    }
    self->position += (uint64_t)count;
    return count;
}

static OPJ_BOOL seek(OPJ_OFF_T position, void *user) {
    source *self = user;
    if (position < 0 || (uint64_t)position > self->end) return OPJ_FALSE;
    self->position = (uint64_t)position;
    return OPJ_TRUE;
}

static opj_stream_t *open_stream(source *source) {
    opj_stream_t *stream = opj_stream_create(BUFFER_SIZE, OPJ_TRUE);
    if (!stream) return NULL;
    opj_stream_set_read_function(stream, read_bytes);
    opj_stream_set_skip_function(stream, skip);
    opj_stream_set_seek_function(stream, seek);
    opj_stream_set_user_data(stream, source, NULL);
    opj_stream_set_user_data_length(stream, source->end);
    return stream;
}

static uint64_t number(const uint8_t *bytes, size_t count) {
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++) value = value << 8 | bytes[i];
    return value;
}

// Where the codestream begins in a container; `size` if there is none.
static uint64_t find_codestream(const source *self) {
    uint64_t position = 0;
    uint8_t head[16] = {0};
    for (unsigned i = 0; i < MOST_BOXES && position < self->size; i++) {
        if (pp_rare_read_at(self->fd, head, sizeof head, (off_t)position) < 8) break;
        uint64_t length = number(head, 4), header = 8;
        if (length == 1) length = number(head + 8, 8), header = 16;
        if (memcmp(head + 4, "jp2c", 4) == 0) return position + header;
        if (length < header || length > self->size - position) break;
        position += length;
    }
    return self->size;
}

// Where the stream of a file that breaks off in a tile, or behind one, ends; `size` for others.
// Source: ITU-T T.800, A.4.2: Psot is the length of a tile-part from the first byte of its marker.
static uint64_t find_end(const source *self, uint64_t codestream) {
    uint64_t position = codestream + 2;
    int is_tile = 0;
    uint8_t segment[12];
    for (unsigned i = 0; i < MOST_SEGMENTS && position < self->size; i++) {
        const ssize_t count = pp_rare_read_at(self->fd, segment, sizeof segment, (off_t)position);
        if (count < (ssize_t)sizeof segment || segment[0] != 0xFF) break;
        is_tile = segment[1] == START_OF_TILE;
        const uint64_t length = is_tile ? number(segment + 6, 4) : number(segment + 2, 2) + 2;
        if (length < (is_tile ? sizeof segment : 4)) break;
        position += length;
    }
    return is_tile && position + 2 > self->size ? position + 2 : self->size;
}

static void ignore(const char *message, void *user) {
    (void)message;
    (void)user;
}

// MARK: - Samples

// The components of a picture, and how they become colours.
typedef struct colours {
    const opj_image_t *image;
    // The components with the colour; 1 or 3.
    unsigned count;
    // The component with alpha, or -1.
    int alpha;
    int is_ycc;
} colours;

static int is_usable(const opj_image_comp_t *component) {
    return component->data && component->w > 0 && component->h > 0 && component->prec >= 1 &&
           component->prec <= 31;
}

static pp_rare_status understand(const opj_image_t *image, colours *colours) {
    if (image->numcomps < 1) return PP_RARE_DAMAGED;
    unsigned count = image->numcomps < MOST_COMPONENTS ? image->numcomps : MOST_COMPONENTS;
    for (unsigned i = 0; i < count; i++) {
        if (!is_usable(&image->comps[i])) return PP_RARE_DAMAGED;
    }
    *colours = (struct colours){.image = image, .count = count >= 3 ? 3 : 1, .alpha = -1};
    if (image->color_space == OPJ_CLRSPC_CMYK) return PP_RARE_UNSUPPORTED;
    if (count > colours->count && image->comps[colours->count].alpha) {
        colours->alpha = (int)colours->count;
    }
    // Files without a container do not say it; the second and third component are then smaller.
    const int is_subsampled = colours->count == 3 && image->comps[0].dx == 1 &&
                              image->comps[1].dx > 1 && image->comps[2].dx > 1;
    colours->is_ycc = colours->count == 3 && (image->color_space == OPJ_CLRSPC_SYCC ||
                                              (image->color_space != OPJ_CLRSPC_SRGB &&
                                               is_subsampled));
    return PP_RARE_OK;
}

// A sample as 0 to 255; a component may be smaller than the picture.
static int sample(const opj_image_comp_t *component, uint32_t x, uint32_t y, uint32_t width,
                  uint32_t height) {
    if (component->w != width) x = (uint32_t)((uint64_t)x * component->w / width);
    if (component->h != height) y = (uint32_t)((uint64_t)y * component->h / height);
    int64_t value = component->data[(size_t)y * component->w + x];
    if (component->sgnd) value += INT64_C(1) << (component->prec - 1);
    const int64_t most = (INT64_C(1) << component->prec) - 1;
    if (value < 0) value = 0;
    if (value > most) value = most;
    return component->prec == 8 ? (int)value : (int)((value * 255 + most / 2) / most);
}

static uint8_t clamped(double value) {
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5);
}

// ITU-R BT.601 with full range, as JPEG has it.
static void convert_ycc(const int values[3], uint8_t *pixel) {
    const double blue = values[1] - 128, red = values[2] - 128;
    pixel[0] = clamped(values[0] + 1.402 * red);
    pixel[1] = clamped(values[0] - 0.344136 * blue - 0.714136 * red);
    pixel[2] = clamped(values[0] + 1.772 * blue);
}

static pp_rare_status convert(const opj_image_t *image, pp_rare_picture *picture) {
    colours colours;
    pp_rare_status status = understand(image, &colours);
    if (status) return status;
    const uint32_t width = image->comps[0].w, height = image->comps[0].h;
    picture->channels = colours.alpha >= 0 ? 4 : 3;
    status = pp_rare_allocate(picture, width, height, picture->channels, PP_RARE_MOST_PIXELS);
    if (status) return status;
    picture->has_alpha = colours.alpha >= 0;
    picture->is_premultiplied = picture->has_alpha && image->comps[colours.alpha].alpha == 2;
    uint8_t *pixel = picture->pixels;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++, pixel += picture->channels) {
            int values[3];
            for (unsigned i = 0; i < colours.count; i++) {
                values[i] = sample(&image->comps[i], x, y, width, height);
            }
            if (colours.count == 1) {
                memset(pixel, values[0], 3);
            } else if (colours.is_ycc) {
                convert_ycc(values, pixel);
            } else {
                for (int i = 0; i < 3; i++) pixel[i] = (uint8_t)values[i];
            }
            if (colours.alpha >= 0) {
                pixel[3] = (uint8_t)sample(&image->comps[colours.alpha], x, y, width, height);
            }
        }
    }
    // A length of 0 means that the bytes are something else.
    if (image->icc_profile_buf && image->icc_profile_len > 0 &&
        image->icc_profile_len <= MOST_PROFILE &&
        (picture->profile = malloc(image->icc_profile_len))) {
        memcpy(picture->profile, image->icc_profile_buf, image->icc_profile_len);
        picture->profile_size = image->icc_profile_len;
    }
    return PP_RARE_OK;
}

// MARK: - Decoding

// How often the size can be halved.
static uint32_t reduction(opj_codec_t *codec, const opj_image_t *image, uint32_t side) {
    opj_codestream_info_v2_t *info = opj_get_cstr_info(codec);
    if (!info) return 0;
    uint32_t levels = info->m_default_tile_info.tccp_info
                          ? info->m_default_tile_info.tccp_info[0].numresolutions
                          : 0;
    opj_destroy_cstr_info(&info);
    const uint32_t width = image->x1 - image->x0, height = image->y1 - image->y0;
    uint64_t longer = width > height ? width : height;
    uint32_t halvings = 0;
    while (halvings + 1 < levels && longer / 2 >= side) {
        longer /= 2;
        halvings++;
    }
    return halvings;
}

static pp_rare_status decode(opj_codec_t *codec, opj_stream_t *stream, uint32_t side,
                             opj_image_t **image, pp_rare_picture *picture) {
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    opj_set_info_handler(codec, ignore, NULL);
    opj_set_warning_handler(codec, ignore, NULL);
    opj_set_error_handler(codec, ignore, NULL);
    if (!opj_setup_decoder(codec, &parameters)) return PP_RARE_DAMAGED;
    // The part of a truncated file that was decoded is worth showing.
    opj_decoder_set_strict_mode(codec, !stands_truncated_files());
    if (!opj_read_header(stream, codec, image) || !*image) return PP_RARE_DAMAGED;
    if ((*image)->x1 <= (*image)->x0 || (*image)->y1 <= (*image)->y0 || (*image)->numcomps < 1) {
        return PP_RARE_DAMAGED;
    }
    const uint32_t halvings = reduction(codec, *image, side);
    const uint64_t width = (uint64_t)((*image)->x1 - (*image)->x0) >> halvings;
    const uint64_t height = (uint64_t)((*image)->y1 - (*image)->y0) >> halvings;
    if (width + 1 > MOST_SAMPLES / (height + 1) / (*image)->numcomps) return PP_RARE_TOO_LARGE;
    if (halvings > 0 && !opj_set_decoded_resolution_factor(codec, halvings)) return PP_RARE_DAMAGED;
    // Fails for truncated files, of which a part may have been decoded.
    opj_decode(codec, stream, *image);
    return convert(*image, picture);
}

pp_rare_status pp_rare_decode_jpeg2000(int fd, uint32_t side, pp_rare_picture *picture) {
    static const uint8_t codestream[] = {0xFF, 0x4F, 0xFF, 0x51};
    uint8_t head[4] = {0};
    pp_rare_read_at(fd, head, sizeof head, 0);
    const int is_bare = memcmp(head, codestream, sizeof head) == 0;
    source source = {.fd = fd, .size = pp_rare_file_size(fd)};
    source.end = stands_truncated_files()
                     ? source.size
                     : find_end(&source, is_bare ? 0 : find_codestream(&source));
    opj_stream_t *stream = open_stream(&source);
    opj_codec_t *codec = opj_create_decompress(is_bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
    opj_image_t *image = NULL;
    pp_rare_status status =
        stream && codec ? decode(codec, stream, side, &image, picture) : PP_RARE_TOO_LARGE;
    if (image) opj_image_destroy(image);
    if (codec) opj_destroy_codec(codec);
    if (stream) opj_stream_destroy(stream);
    return status;
}
