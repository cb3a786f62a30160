// SPDX-License-Identifier: MIT
// librsvg, and gdk-pixbuf, on which it is built. Only CCodecs uses this module.

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <librsvg/rsvg.h>
