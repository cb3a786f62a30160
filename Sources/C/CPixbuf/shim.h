// SPDX-License-Identifier: MIT
// gdk-pixbuf. Only CCodecs uses this module.

#include <gdk-pixbuf/gdk-pixbuf.h>
