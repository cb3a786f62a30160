// SPDX-License-Identifier: MIT

#include "turn-blocks.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    BLOCK = DCTSIZE,
    // Blocks are moved in squares of this side, so that the rows that are read stay in the cache.
    TILE = 8,
};

pp_turn pp_turn_for(unsigned orientation) {
    static const pp_turn turns[] = {{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 0, 1},
                                    {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}};
    return turns[orientation >= 1 && orientation <= 8 ? orientation - 1 : 0];
}

static void transpose(const JCOEF *from, JCOEF *to) {
#ifdef __SSE2__
    __m128i a[BLOCK], b[BLOCK];
    for (int i = 0; i < BLOCK; i++) a[i] = _mm_loadu_si128((const __m128i *)(from + i * BLOCK));
    for (int i = 0; i < 4; i++) {
        b[2 * i] = _mm_unpacklo_epi16(a[i], a[i + 4]);
        b[2 * i + 1] = _mm_unpackhi_epi16(a[i], a[i + 4]);
    }
    for (int i = 0; i < 4; i++) {
        a[2 * i] = _mm_unpacklo_epi16(b[i], b[i + 4]);
        a[2 * i + 1] = _mm_unpackhi_epi16(b[i], b[i + 4]);
    }
    for (int i = 0; i < 4; i++) {
        b[2 * i] = _mm_unpacklo_epi16(a[i], a[i + 4]);
        b[2 * i + 1] = _mm_unpackhi_epi16(a[i], a[i + 4]);
    }
    for (int i = 0; i < BLOCK; i++) _mm_storeu_si128((__m128i *)(to + i * BLOCK), b[i]);
#else
    for (int y = 0; y < BLOCK; y++) {
        for (int x = 0; x < BLOCK; x++) to[y * BLOCK + x] = from[x * BLOCK + y];
    }
#endif
}

// Mirroring changes the sign of every second column or row.
static void move_block(const JCOEF *from, JCOEF *to, const pp_turn *turn, const JCOEF *signs) {
    if (turn->transposes) {
        transpose(from, to);
    } else {
        memcpy(to, from, sizeof(JBLOCK));
    }
    if (!turn->mirrors_columns && !turn->mirrors_rows) return;
    for (int i = 0; i < DCTSIZE2; i++) to[i] = (JCOEF)(to[i] * signs[i]);
}

static JDIMENSION smaller(JDIMENSION one, JDIMENSION other) { return one < other ? one : other; }

static void move_tile(const pp_turn *turn, JBLOCKROW *from, JBLOCKROW *to, JDIMENSION top,
                      JDIMENSION left, const pp_turn_area *area, const JCOEF *signs) {
    const JDIMENSION bottom = smaller(top + TILE, area->height);
    const JDIMENSION right = smaller(left + TILE, area->width);
    for (JDIMENSION row = top; row < bottom; row++) {
        JDIMENSION y = area->top + row;
        if (turn->mirrors_rows) y = area->whole_height - 1 - y;
        for (JDIMENSION column = left; column < right; column++) {
            JDIMENSION x = area->left + column;
            if (turn->mirrors_columns) x = area->whole_width - 1 - x;
            const JCOEF *block = turn->transposes ? from[x][y] : from[y][x];
            move_block(block, to[row][column], turn, signs);
        }
    }
}

void pp_turn_blocks(const pp_turn *turn, JBLOCKROW *from, JBLOCKROW *to,
                    const pp_turn_area *area) {
    JCOEF signs[DCTSIZE2];
    for (int i = 0; i < DCTSIZE2; i++) {
        int is_negative = (turn->mirrors_columns && i % BLOCK % 2 == 1) !=
                          (turn->mirrors_rows && i / BLOCK % 2 == 1);
        signs[i] = is_negative ? -1 : 1;
    }
    for (JDIMENSION y = 0; y < area->height; y += TILE) {
        for (JDIMENSION x = 0; x < area->width; x += TILE) {
            move_tile(turn, from, to, y, x, area, signs);
        }
    }
}
