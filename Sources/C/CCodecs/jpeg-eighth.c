// SPDX-License-Identifier: MIT

#include "jpeg-eighth.h"

#include <endian.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// At 1/8 each pixel is the mean of a block of 8 x 8 pixels, which is the first coefficient of the
// block (DC). Of the other 63 coefficients (AC) only the length matters, to find the next block. A
// JPEG decoder spends most of its time there, so a table skips several codes at a time.
//
// Colour at half resolution has four result pixels in each block, so some AC coefficients are
// needed.
//
// Anything unusual makes this code give up. libjpeg then decodes the picture or reports its error,
// so that every kind of damage is handled in one place.

// What takes the time is inlined into one function, so that the window stays in registers.
#define INLINE static inline __attribute__((always_inline))

enum {
    // The number of bits to look up in one step. The tables of a picture should fit in the cache.
    LOOK = 12,
    BLOCK = 64,
    LONGEST_CODE = 16,
    // More bytes than the codes of one unit need: 6 blocks of 64 coefficients of 31 bits.
    MARGIN = 2048,
    BUFFER_SIZE = 32768,

    // A step is 256 times the number of coefficients, plus the number of bits. END is added to the
    // coefficients at the end of a block. UNKNOWN means that the first code is longer than LOOK
    // bits.
    END = 128,
    UNKNOWN = 255 << 8,
};

typedef struct codes {
    // 256 times the length, plus the symbol; 0 for codes longer than LOOK bits.
    uint16_t symbol[1 << LOOK];
    uint16_t step[1 << LOOK];
    // For each length: the first value beyond its codes, left-aligned in 16 bits, and the base that
    // turns a code into the index of its symbol.
    uint32_t beyond[LONGEST_CODE + 1];
    int base[LONGEST_CODE + 1];
    const uint8_t *symbols;
} codes;

// Bits that were read but not yet used: `count` bits, the next one at the top.
typedef struct window {
    uint64_t bits;
    unsigned count;
    const uint8_t *next;
} window;

typedef struct component {
    const codes *dc;
    const codes *ac;
    int16_t quantizers[BLOCK]; // row by row
    int last_dc;
    unsigned columns; // of blocks in one unit
    unsigned rows;
    int is_doubled;   // whether a block is 2 x 2 pixels
    // Of one row of units: its pixels, or else the means of its blocks.
    uint8_t *pixels;
    int16_t *means;
    size_t stride;
} component;

typedef struct decoder {
    struct jpeg_decompress_struct *info;
    component components[3];
    int reads_means; // instead of pixels
    unsigned units_per_row;
    unsigned units_to_restart;
    unsigned next_restart;
    window window;
    const uint8_t *end; // of the bytes that were read; zeros follow
    int marker;         // the marker at which reading stopped, or 0
    codes tables[4];    // DC and AC alternate
    uint8_t bytes[BUFFER_SIZE + MARGIN + 8];
} decoder;

static const uint8_t natural_order[BLOCK] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

// MARK: - Tables

// Fills in the symbols of a table. Returns 0 if the table is invalid. (T.81, C.2)
static int make_symbols(codes *codes, const JHUFF_TBL *table) {
    unsigned code = 0;
    int first = 0;
    codes->symbols = table->huffval;
    for (int length = 1; length <= LONGEST_CODE; length++, code <<= 1) {
        codes->base[length] = first - (int)code;
        for (int index = 0; index < table->bits[length]; index++, code++, first++) {
            // No code consists only of ones.
            if (first > 255 || code + 1 >= 1u << length) return 0;
            if (length > LOOK) continue;
            unsigned entry = (unsigned)length << 8 | table->huffval[first];
            unsigned from = code << (LOOK - length);
            for (unsigned at = 0; at < 1u << (LOOK - length); at++) {
                codes->symbol[from + at] = (uint16_t)entry;
            }
        }
        codes->beyond[length] = code << (LONGEST_CODE - length);
    }
    return 1;
}

// Decodes as many codes as fit in a look-up. The extra bits of the last one may lie beyond it.
static uint16_t step_of(const codes *codes, unsigned look) {
    unsigned bits = 0, count = 0;
    while (bits < LOOK) {
        unsigned entry = codes->symbol[look << bits & ((1 << LOOK) - 1)];
        unsigned length = entry >> 8, run = entry >> 4 & 15, size = entry & 15;
        if (!length || length > LOOK - bits) break;
        if (!size && run != 15) {
            bits += length;
            count += END;
            break;
        }
        if (count + run + 1 >= BLOCK) break;
        bits += length + size;
        count += run + 1;
    }
    return bits ? (uint16_t)(count << 8 | bits) : UNKNOWN;
}

static int make_codes(codes *codes, const JHUFF_TBL *table, int is_ac) {
    if (!table || !make_symbols(codes, table)) return 0;
    if (!is_ac) {
        for (int index = 0; index < 256; index++) {
            if (table->huffval[index] > 15) return 0;
        }
        return 1;
    }
    for (unsigned look = 0; look < 1 << LOOK; look++) codes->step[look] = step_of(codes, look);
    return 1;
}

// MARK: - Bytes

static int next_byte(struct jpeg_source_mgr *source, struct jpeg_decompress_struct *info) {
    if (!source->bytes_in_buffer) source->fill_input_buffer(info);
    source->bytes_in_buffer--;
    return *source->next_input_byte++;
}

// Reads up to a marker and removes the zero byte after each 0xFF. (T.81, B.1.1.5)
static void fill(decoder *self) {
    struct jpeg_source_mgr *source = self->info->src;
    uint8_t *to = self->bytes, *limit = self->bytes + BUFFER_SIZE;
    if (self->window.next < self->end) {
        size_t left = (size_t)(self->end - self->window.next);
        memmove(to, self->window.next, left);
        to += left;
    }
    while (to < limit && !self->marker) {
        if (!source->bytes_in_buffer) source->fill_input_buffer(self->info);
        size_t count = (size_t)(limit - to);
        if (count > source->bytes_in_buffer) count = source->bytes_in_buffer;
        const uint8_t *stop = memchr(source->next_input_byte, 0xFF, count);
        if (stop) count = (size_t)(stop - source->next_input_byte);
        memcpy(to, source->next_input_byte, count);
        to += count;
        source->next_input_byte += count;
        source->bytes_in_buffer -= count;
        if (!stop) continue;
        int byte;
        do byte = next_byte(source, self->info);
        while (byte == 0xFF);
        if (byte) self->marker = byte;
        else *to++ = 0xFF;
    }
    memset(to, 0, MARGIN + 8);
    self->end = to;
    self->window.next = self->bytes;
}

INLINE void refill(window *window) {
    uint64_t ahead;
    memcpy(&ahead, window->next, sizeof ahead);
    window->bits |= be64toh(ahead) >> window->count;
    window->next += (63 - window->count) >> 3;
    window->count |= 56;
}

INLINE void drop(window *window, unsigned count) {
    window->bits <<= count;
    window->count -= count;
}

// The number of bytes read but not used; negative if more were used than exist.
static inline ptrdiff_t unused_count(const decoder *self, const window *window) {
    return self->end - window->next + (ptrdiff_t)(window->count >> 3);
}

static void start_segment(decoder *self) {
    self->marker = 0;
    self->end = self->bytes;
    self->window = (window){.next = self->bytes};
    for (int index = 0; index < 3; index++) self->components[index].last_dc = 0;
    fill(self);
}

// Continues after the next restart marker, which must have the expected number. (T.81, F.2.1.3.1)
static int restart(decoder *self) {
    if (!self->marker) fill(self);
    if (unused_count(self, &self->window) != 0) return 0;
    if (self->marker != JPEG_RST0 + (int)self->next_restart) return 0;
    self->next_restart = (self->next_restart + 1) & 7;
    start_segment(self);
    return 1;
}

// MARK: - Coefficients

// The entry of a code that is longer than LOOK bits, 0 if it is invalid.
static __attribute__((noinline, cold)) unsigned long_entry(const codes *codes, uint64_t bits) {
    uint32_t code = (uint32_t)(bits >> (64 - LONGEST_CODE));
    for (int length = LOOK + 1; length <= LONGEST_CODE; length++) {
        if (code >= codes->beyond[length]) continue;
        int index = codes->base[length] + (int)(code >> (LONGEST_CODE - length));
        return (unsigned)length << 8 | codes->symbols[index];
    }
    return 0;
}

// The next symbol, or -1 if the code is invalid. Uses up to 16 bits.
INLINE int next_symbol(window *window, const codes *codes) {
    unsigned entry = codes->symbol[window->bits >> (64 - LOOK)];
    if (__builtin_expect(!entry, 0)) entry = long_entry(codes, window->bits);
    drop(window, entry >> 8);
    return entry ? (int)(entry & 0xFF) : -1;
}

// The value that follows a symbol. (T.81, F.2.2.1)
INLINE int next_value(window *window, unsigned size) {
    // Without a branch: those with a size of 0 are too many to be foreseen, and too few to be rare.
    int value = (int)(window->bits >> 1 >> (63 - size));
    // All ones if the first bit is 0: then the value is negative.
    int sign = (int)(window->bits >> 63) - 1;
    drop(window, size);
    return value + (sign & (1 - (1 << size)));
}

INLINE int read_dc(window *window, component *component) {
    refill(window);
    int size = next_symbol(window, component->dc);
    if (size < 0) return 0;
    component->last_dc += next_value(window, (unsigned)size);
    return component->last_dc == (int16_t)component->last_dc;
}

// Skips one code. Returns the index of the next coefficient, 0 on error.
INLINE unsigned skip_one(window *window, const codes *ac, unsigned coefficient) {
    refill(window);
    int symbol = next_symbol(window, ac);
    if (symbol < 0) return 0;
    unsigned run = (unsigned)symbol >> 4, size = symbol & 15;
    if (!size && run != 15) return BLOCK;
    drop(window, size);
    coefficient += run + 1;
    return coefficient <= BLOCK ? coefficient : 0;
}

INLINE int skip_ac(window *window, const codes *ac) {
    unsigned coefficient = 1;
    for (;;) {
        refill(window);
        // Two turns, because a step uses at most 28 of the 56 bits.
        for (int turn = 0; turn < 2; turn++) {
            unsigned step = ac->step[window->bits >> (64 - LOOK)];
            unsigned then = coefficient + (step >> 8);
            if (__builtin_expect(then < BLOCK, 1)) {
                drop(window, step & 0xFF);
                coefficient = then;
            } else if (then == BLOCK || then - END < BLOCK) {
                drop(window, step & 0xFF);
                return 1;
            } else {
                // A long code, or a block that ends within the look-up.
                coefficient = skip_one(window, ac, coefficient);
                if (coefficient == BLOCK) return 1;
                if (!coefficient) return 0;
                break;
            }
        }
    }
}

// MARK: - Pixels

static inline uint8_t clamped(int value) {
    return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

// The mean of a block. Values out of range wrap around as they do in libjpeg.
static inline uint8_t pixel_of(int dc, int quantizer) {
    int value = ((dc * quantizer + 4) >> 3) & 1023;
    return clamped((value < 512 ? value : value - 1024) + 128);
}

static inline int saturated(int value) {
    return value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value;
}

// The odd part of an inverse transform of 8 values to 2, with 13 fractional bits.
static inline int odd_part(int first, int third, int fifth, int seventh) {
    return first * 29692 - third * 10426 + fifth * 6967 - seventh * 5906;
}

// The sum, rounded, with some of the fractional bits removed. Values out of range wrap around.
static inline int descaled(int even, int odd, int bits) {
    return (int)((unsigned)even + (unsigned)odd + (1u << (bits - 1))) >> bits;
}

// A block on the way to 2 x 2 pixels: of each column, the first coefficient and the odd part of the others, which is
// the same for both rows of pixels but for its sign. All even coefficients but the first cancel out.
typedef struct doubled {
    int sums[2][8];
} doubled;

// By the row of a coefficient: its weight in its sum, with 13 fractional bits for the odd part.
static const int weights[8] = {1, 29692, 0, -10426, 0, 6967, 0, -5906};

INLINE void add_coefficient(doubled *block, unsigned place, int value) {
    const unsigned column = place & 7, row = place >> 3;
    block->sums[row != 0][column] += value * weights[row];
}

// (jpeg_idct_2x2 of libjpeg, after C. Loeffler, A. Ligtenberg and G. Moschytz, 1989)
static inline void transform_doubled(const doubled *block, uint8_t *pixels, size_t stride) {
    int upper[8], lower[8];
    for (int column = 0; column < 8; column++) {
        int even = block->sums[0][column] * (1 << 15);
        upper[column] = descaled(even, block->sums[1][column], 13);
        lower[column] = descaled(even, -block->sums[1][column], 13);
    }
    for (int row = 0; row < 2; row++, pixels += stride) {
        const int *value = row ? lower : upper;
        int even = (int)((unsigned)value[0] << 15);
        int odd = odd_part(saturated(value[1]), saturated(value[3]), saturated(value[5]),
                           saturated(value[7]));
        pixels[0] = clamped(descaled(even, odd, 20) + 128);
        pixels[1] = clamped(descaled(even, -odd, 20) + 128);
    }
}

// Reads the other coefficients of a block. Returns their number, -1 for damage.
INLINE int read_ac(window *window, const component *component, doubled *block) {
    int count = 0;
    for (unsigned coefficient = 1; coefficient < BLOCK; coefficient++) {
        refill(window);
        int symbol = next_symbol(window, component->ac);
        if (symbol < 0) return -1;
        unsigned run = (unsigned)symbol >> 4, size = symbol & 15;
        if (!size && run != 15) break;
        coefficient += run;
        if (coefficient >= BLOCK) return -1;
        if (!size) continue;
        count++;
        const unsigned place = natural_order[coefficient];
        const int value = (int16_t)next_value(window, size);
        add_coefficient(block, place, (int16_t)(value * component->quantizers[place]));
    }
    return count;
}

INLINE int decode_block(window *window, component *component, uint8_t *pixels) {
    if (!read_dc(window, component)) return 0;
    if (!component->is_doubled) {
        *pixels = pixel_of(component->last_dc, component->quantizers[0]);
        return skip_ac(window, component->ac);
    }
    doubled block = {0};
    const int first = (int16_t)(component->last_dc * component->quantizers[0]);
    int count = read_ac(window, component, &block);
    if (count > 0) {
        block.sums[0][0] = first;
        transform_doubled(&block, pixels, component->stride);
    } else {
        uint8_t pixel = clamped(descaled((int)((unsigned)first << 17), 0, 20) + 128);
        pixels[0] = pixels[1] = pixels[component->stride] = pixels[component->stride + 1] = pixel;
    }
    return count >= 0;
}

INLINE int read_means(window *window, component *component, int16_t *means) {
    for (unsigned row = 0; row < component->rows; row++, means += component->stride) {
        for (unsigned column = 0; column < component->columns; column++) {
            if (!read_dc(window, component) || !skip_ac(window, component->ac)) return 0;
            means[column] = (int16_t)component->last_dc;
        }
    }
    return 1;
}

INLINE int decode_unit(decoder *self, window *window, unsigned number, int count) {
    for (int index = 0; index < count; index++) {
        component *component = &self->components[index];
        if (component->means) {
            int16_t *means = component->means + (size_t)number * component->columns;
            if (!read_means(window, component, means)) return 0;
            continue;
        }
        const unsigned side = component->is_doubled ? 2 : 1;
        for (unsigned row = 0; row < component->rows; row++) {
            uint8_t *pixels = component->pixels + row * side * component->stride +
                              (size_t)number * component->columns * side;
            for (unsigned column = 0; column < component->columns; column++) {
                if (!decode_block(window, component, pixels + column * side)) return 0;
            }
        }
    }
    return 1;
}

INLINE int decode_units(decoder *self) {
    const int count = self->info->num_components;
    const unsigned interval = self->info->restart_interval;
    for (unsigned number = 0; number < self->units_per_row; number++) {
        if (interval && !self->units_to_restart--) {
            if (!restart(self)) return 0;
            self->units_to_restart = interval - 1;
        }
        if (!self->marker && self->end - self->window.next < MARGIN) fill(self);
        // A local copy stays in registers.
        window window = self->window;
        if (!decode_unit(self, &window, number, count)) return 0;
        if (unused_count(self, &window) < 0) return 0;
        self->window = window;
    }
    return 1;
}

static int decode_row_anywhere(decoder *self) { return decode_units(self); }

#ifdef __x86_64__
// Shifts by a variable count take one instruction instead of three.
__attribute__((target("bmi2"))) static int decode_row_with_bmi2(decoder *self) {
    return decode_units(self);
}
#endif

// Decodes a row of units. Returns 0 on error.
static int decode_row(decoder *self) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("bmi2")) return decode_row_with_bmi2(self);
#endif
    return decode_row_anywhere(self);
}

// Converts one row of pixels to RGB. (JFIF 1.02, with 16 fractional bits)
static void convert_row(const decoder *self, unsigned row, uint8_t *to, unsigned width) {
    const component *luma = &self->components[0];
    const uint8_t *light = luma->pixels + row * luma->stride;
    if (self->info->num_components == 1) {
        for (unsigned x = 0; x < width; x++, to += 3) to[0] = to[1] = to[2] = light[x];
        return;
    }
    const component *chroma = &self->components[1];
    const unsigned across = chroma->is_doubled ? 1 : luma->columns;
    const unsigned down = chroma->is_doubled ? 1 : luma->rows;
    const uint8_t *blues = chroma[0].pixels + row / down * chroma->stride;
    const uint8_t *reds = chroma[1].pixels + row / down * chroma->stride;
    for (unsigned x = 0; x < width; x++, to += 3) {
        int blue = blues[x / across] - 128, red = reds[x / across] - 128;
        to[0] = clamped(light[x] + ((91881 * red + 32768) >> 16));
        to[1] = clamped(light[x] + ((-22554 * blue - 46802 * red + 32768) >> 16));
        to[2] = clamped(light[x] + ((116130 * blue + 32768) >> 16));
    }
}

// MARK: - Calls

int pp_jpeg_has_eighth(const struct jpeg_decompress_struct *info) {
    if (info->progressive_mode || info->arith_code || info->data_precision != 8) return 0;
    if (info->comps_in_scan != info->num_components) return 0;
    if (info->num_components == 1) return info->jpeg_color_space == JCS_GRAYSCALE;
    if (info->num_components != 3 || info->jpeg_color_space != JCS_YCbCr) return 0;
    for (int index = 0; index < 3; index++) {
        const jpeg_component_info *component = &info->comp_info[index];
        const int most = index ? 1 : 2;
        if (info->cur_comp_info[index] != component) return 0;
        if (component->h_samp_factor > most || component->v_samp_factor > most) return 0;
    }
    return 1;
}

static const codes *codes_of(decoder *self, const jpeg_component_info *from, int is_ac, int slot) {
    JHUFF_TBL **tables = is_ac ? self->info->ac_huff_tbl_ptrs : self->info->dc_huff_tbl_ptrs;
    const int number = is_ac ? from->ac_tbl_no : from->dc_tbl_no;
    if (number < 0 || number >= NUM_HUFF_TBLS) return NULL;
    codes *codes = &self->tables[slot];
    return make_codes(codes, tables[number], is_ac) ? codes : NULL;
}

static int prepare_component(decoder *self, int index) {
    const jpeg_component_info *from = &self->info->comp_info[index];
    component *to = &self->components[index];
    const int is_alone = self->info->num_components == 1;
    to->columns = is_alone ? 1 : (unsigned)from->h_samp_factor;
    to->rows = is_alone ? 1 : (unsigned)from->v_samp_factor;
    to->is_doubled = index > 0 && self->components[0].columns == 2 && self->components[0].rows == 2;
    const unsigned side = to->is_doubled && !self->reads_means ? 2 : 1;
    to->stride = (size_t)self->units_per_row * to->columns * side;
    if (self->reads_means) to->means = calloc(to->stride * to->rows, sizeof *to->means);
    else to->pixels = malloc(to->stride * to->rows * side);
    if (!to->means && !to->pixels) return 0;
    if (from->quant_tbl_no < 0 || from->quant_tbl_no >= NUM_QUANT_TBLS) return 0;
    const JQUANT_TBL *table = self->info->quant_tbl_ptrs[from->quant_tbl_no];
    if (!table) return 0;
    for (int place = 0; place < BLOCK; place++) {
        to->quantizers[place] = (int16_t)table->quantval[place];
    }
    // The two colour components nearly always share their tables.
    const jpeg_component_info *other = &self->info->comp_info[1];
    if (index == 2 && from->dc_tbl_no == other->dc_tbl_no && from->ac_tbl_no == other->ac_tbl_no) {
        to->dc = self->components[1].dc;
        to->ac = self->components[1].ac;
        return 1;
    }
    if (index == 2) return 0;
    to->dc = codes_of(self, from, 0, 2 * index);
    to->ac = codes_of(self, from, 1, 2 * index + 1);
    return to->dc && to->ac;
}

static int prepare(decoder *self) {
    const struct jpeg_decompress_struct *info = self->info;
    const int is_alone = info->num_components == 1;
    const unsigned columns = is_alone ? 1 : (unsigned)info->comp_info[0].h_samp_factor;
    self->units_per_row = (info->image_width + 8 * columns - 1) / (8 * columns);
    self->units_to_restart = info->restart_interval;
    for (int index = 0; index < info->num_components; index++) {
        if (!prepare_component(self, index)) return 0;
    }
    start_segment(self);
    return 1;
}

static int decode_rows(decoder *self, uint8_t *to, unsigned width, unsigned height) {
    const unsigned rows = self->components[0].rows;
    for (unsigned top = 0; top < height; top += rows) {
        if (!decode_row(self)) return 0;
        for (unsigned row = 0; row < rows && top + row < height; row++) {
            convert_row(self, row, to + (size_t)(top + row) * width * 3, width);
        }
    }
    return 1;
}

static void release(decoder *self) {
    for (int index = 0; self && index < 3; index++) {
        free(self->components[index].pixels);
        free(self->components[index].means);
    }
    free(self);
}

uint8_t *pp_jpeg_decode_eighth(struct jpeg_decompress_struct *info) {
    const unsigned width = (info->image_width + 7) / 8, height = (info->image_height + 7) / 8;
    decoder *self = calloc(1, sizeof *self);
    uint8_t *pixels = malloc((size_t)width * height * 3);
    int is_done = 0;
    if (self && pixels) {
        self->info = info;
        is_done = prepare(self) && decode_rows(self, pixels, width, height);
    }
    release(self);
    if (is_done) return pixels;
    free(pixels);
    return NULL;
}

static int means_differ(const decoder *self, const pp_block_means *means, unsigned row_of_units) {
    for (int index = 0; index < self->info->num_components; index++) {
        const component *component = &self->components[index];
        const uint32_t width = means->components[index].width;
        for (unsigned row = 0; row < component->rows; row++) {
            const size_t y = (size_t)row_of_units * component->rows + row;
            if (y >= means->components[index].height) break;
            if (memcmp(component->means + row * component->stride,
                       means->components[index].values + y * width, width * sizeof(int16_t)) != 0) {
                return 1;
            }
        }
    }
    return 0;
}

static pp_status compare_rows(decoder *self, const pp_block_means *means) {
    const unsigned height = (self->info->image_height + 7) / 8;
    for (unsigned row = 0; row * self->components[0].rows < height; row++) {
        if (!decode_row(self)) return PP_UNSUPPORTED;
        if (means_differ(self, means, row)) return PP_DAMAGED;
    }
    return PP_OK;
}

pp_status pp_jpeg_compare_means(struct jpeg_decompress_struct *info, const pp_block_means *means) {
    decoder *self = calloc(1, sizeof *self);
    if (!self) return PP_UNSUPPORTED;
    self->info = info;
    self->reads_means = 1;
    pp_status status = prepare(self) ? compare_rows(self, means) : PP_UNSUPPORTED;
    release(self);
    return status;
}
