// SPDX-License-Identifier: MIT
// GTK, libadwaita and X11. Only GtkKit imports this module.
//
// Debian 12 has GTK 4.8 and libadwaita 1.2, Debian 13 has 4.18 and 1.7. If the newer version
// replaces a widget or a call, a function with the prefix pp_ chooses one of the two; Swift cannot
// choose, because it cannot see the macros that compare versions.

#include <adwaita.h>
#include <gdk/wayland/gdkwayland.h>
#include <gdk/x11/gdkx.h>
#include <X11/Xatom.h>

#include "display.h"
#include "files.h"
#include "item-row.h"
#include "question.h"
#include "split-view.h"

// Makes a label that screen readers read out when it appears. The role of a widget cannot be changed
// later.
static inline GtkWidget *pp_alert_new(void) {
    return GTK_WIDGET(
        g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL));
}

// Makes a label that screen readers know as a heading.
static inline GtkWidget *pp_heading_new(void) {
    return GTK_WIDGET(
        g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING, NULL));
}

// Has screen readers say a text. Before GTK 4.14 there is no call for that.
static inline void pp_announce(GtkWidget *widget, const char *text) {
#if GTK_CHECK_VERSION(4, 14, 0)
    gtk_accessible_announce(GTK_ACCESSIBLE(widget), text,
                            GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
#else
    (void)widget;
    (void)text;
#endif
}

// Makes a box that screen readers announce by name; GTK 4.18 ignores the name of a plain box. The
// role of a widget cannot be changed later.
static inline GtkWidget *pp_named_box_new(void) {
    return GTK_WIDGET(g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL));
}

// The longest time between two presses of a double click, in milliseconds.
static inline guint32 pp_double_click_time(GtkWidget *widget) {
    int time = 0;
    g_object_get(gtk_widget_get_settings(widget), "gtk-double-click-time", &time, NULL);
    return time > 0 ? (guint32)time : 0;
}

// Lets Tab through flow boxes to the controls in them. GTK's own functions say that they have moved the
// focus when they came to a child that cannot have it, such as a text, and then nothing has it.
static inline void pp_let_focus_through_flow_boxes(void) {
    const GType types[] = {GTK_TYPE_FLOW_BOX, GTK_TYPE_FLOW_BOX_CHILD};
    // Classes live as long as the process.
    GtkWidgetClass *box = GTK_WIDGET_CLASS(g_type_class_ref(GTK_TYPE_BOX));
    for (gsize index = 0; index < G_N_ELEMENTS(types); index++) {
        GTK_WIDGET_CLASS(g_type_class_ref(types[index]))->focus = box->focus;
    }
}
