// SPDX-License-Identifier: MIT
// Blocks of a JPEG get other places, and their coefficients other signs.

#ifndef PP_TURN_BLOCKS_H
#define PP_TURN_BLOCKS_H

#include "codec.h"

#include <stdio.h>

#include <jpeglib.h>

// What to do with the blocks: exchange rows and columns, then mirror.
typedef struct pp_turn {
    int transposes;
    int mirrors_columns;
    int mirrors_rows;
} pp_turn;

// The blocks of a whole turned component, the part of them that is kept, and where it begins.
typedef struct pp_turn_area {
    JDIMENSION whole_width, whole_height;
    JDIMENSION left, top;
    JDIMENSION width, height;
} pp_turn_area;

// The turn that makes a picture with an EXIF orientation upright.
pp_turn pp_turn_for(unsigned orientation);

// Moves the blocks of a component that are kept. `from` has all of its rows.
void pp_turn_blocks(const pp_turn *turn, JBLOCKROW *from, JBLOCKROW *to, const pp_turn_area *area);

#endif
