// SPDX-License-Identifier: MIT
// GTK, libadwaita and X11. Imported by the module GtkKit alone.
//
// Debian 12 has GTK 4.8 and libadwaita 1.2, Debian 13 has 4.18 and 1.7. Where the newer one replaces a
// widget or a call, the functions with the prefix pp_ choose; Swift cannot, because it cannot see
// the macros that compare versions.

#include <adwaita.h>
#include <gdk/wayland/gdkwayland.h>
#include <gdk/x11/gdkx.h>

#include "display.h"
#include "question.h"
#include "split-view.h"

// A box that has a name for screen readers: GTK 4.18 gives a plain box none. A role cannot be changed later.
static inline GtkWidget *pp_named_box_new(void) {
    return GTK_WIDGET(g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL));
}
