// SPDX-License-Identifier: MIT
// Calls that GTK has deprecated, with or without a replacement.

static inline void pp_css_provider_load(GtkCssProvider *provider, const char *css) {
#if GTK_CHECK_VERSION(4, 12, 0)
    gtk_css_provider_load_from_string(provider, css);
#else
    gtk_css_provider_load_from_data(provider, css, -1);
#endif
}

// Whether GDK_DEBUG has the flag no-portals; older versions call portals only if they are asked to.
static inline gboolean pp_gtk_can_avoid_portals(void) {
    return GTK_CHECK_VERSION(4, 14, 0);
}

// Places a surface above a window of another process. Returns whether the surface is an X11
// surface.
static inline gboolean pp_x11_set_parent(GdkSurface *surface, unsigned long parent) {
    if (!GDK_IS_X11_SURFACE(surface)) return FALSE;
    // GTK 4.18 deprecates its whole X11 interface without a replacement. There is no other way to
    // reach the parent window of an app that runs on X11.
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    GdkDisplay *display = gdk_surface_get_display(surface);
    // A parent that has been closed causes an X error, which would end the process.
    gdk_x11_display_error_trap_push(display);
    XSetTransientForHint(gdk_x11_display_get_xdisplay(display), gdk_x11_surface_get_xid(surface),
                         parent);
    gdk_x11_display_error_trap_pop_ignored(display);
    G_GNUC_END_IGNORE_DEPRECATIONS
    return TRUE;
}

// Tells the window manager of X11 that a surface belongs to a dialog, which it keeps above its parent and
// gives no entry of its own. Elsewhere it has no effect.
static inline void pp_x11_set_dialog(GdkSurface *surface) {
    if (!GDK_IS_X11_SURFACE(surface)) return;
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    Display *display = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
    Atom type = XInternAtom(display, "_NET_WM_WINDOW_TYPE", False);
    Atom dialog = XInternAtom(display, "_NET_WM_WINDOW_TYPE_DIALOG", False);
    XChangeProperty(display, gdk_x11_surface_get_xid(surface), type, XA_ATOM, 32, PropModeReplace,
                    (unsigned char *)&dialog, 1);
    G_GNUC_END_IGNORE_DEPRECATIONS
}
