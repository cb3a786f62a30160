// SPDX-License-Identifier: MIT
// librsvg, and the gdk-pixbuf below it. Used by CCodecs alone.

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <librsvg/rsvg.h>
