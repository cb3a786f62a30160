// SPDX-License-Identifier: MIT
// GTK, libadwaita and X11. Imported by the module GtkKit alone.

#include <adwaita.h>
#include <gdk/wayland/gdkwayland.h>
#include <gdk/x11/gdkx.h>
