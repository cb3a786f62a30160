// SPDX-License-Identifier: MIT
// librsvg. Only CRare uses this module.

#include <librsvg/rsvg.h>
