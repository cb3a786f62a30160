// SPDX-License-Identifier: MIT
// Widgets that screen readers announce as a list and its items. The role of a widget cannot be changed
// later.

static inline GtkWidget *pp_item_row_new(int spacing) {
    return GTK_WIDGET(g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_LIST,
                                   "spacing", spacing, NULL));
}

// A button, because a box passes the keyboard focus on to what is in it.
static inline GtkWidget *pp_row_item_new(void) {
    return GTK_WIDGET(g_object_new(GTK_TYPE_BUTTON, "accessible-role",
                                   GTK_ACCESSIBLE_ROLE_LIST_ITEM, "has-frame", FALSE, NULL));
}
