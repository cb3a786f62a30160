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

typedef struct {
    int x, y, width, height;
} pp_frame;

// Reads up to `count` numbers of a property of a window. Returns how many there are.
static inline int pp_x11_numbers(Display *display, Window window, const char *name, Atom type, int count,
                                 unsigned long *numbers) {
    Atom atom = XInternAtom(display, name, False), actual;
    int format = 0;
    unsigned long length = 0, rest = 0;
    unsigned char *data = NULL;
    if (XGetWindowProperty(display, window, atom, 0, count, False, type, &actual, &format, &length, &rest,
                           &data) != Success)
        return 0;
    int found = actual == type && format == 32 ? (int)length : 0;
    for (int i = 0; i < found; i++) numbers[i] = ((unsigned long *)data)[i];
    if (data) XFree(data);
    return found;
}

// Finds out where a window of any process is on the screen, without its shadow, in device pixels; 0 means the
// whole screen. Returns whether there is such a window.
static inline gboolean pp_x11_get_frame(GdkSurface *surface, unsigned long number, pp_frame *frame) {
    if (!GDK_IS_X11_SURFACE(surface)) return FALSE;
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    GdkDisplay *owner = gdk_surface_get_display(surface);
    Display *display = gdk_x11_display_get_xdisplay(owner);
    Window root = DefaultRootWindow(display), window = number ? number : root, other;
    unsigned width = 0, height = 0, border, depth;
    int x = 0, y = 0;
    unsigned long shadow[4] = {0, 0, 0, 0};
    // Whoever it belongs to may close it at any moment.
    gdk_x11_display_error_trap_push(owner);
    gboolean found = XGetGeometry(display, window, &other, &x, &y, &width, &height, &border, &depth)
        && XTranslateCoordinates(display, window, root, 0, 0, &x, &y, &other);
    // Left, right, top and bottom.
    if (found) pp_x11_numbers(display, window, "_GTK_FRAME_EXTENTS", XA_CARDINAL, 4, shadow);
    if (gdk_x11_display_error_trap_pop(owner)) found = FALSE;
    G_GNUC_END_IGNORE_DEPRECATIONS
    // Anybody may claim any shadow.
    if (shadow[0] + shadow[1] >= width || shadow[0] >= width || shadow[1] >= width) shadow[0] = shadow[1] = 0;
    if (shadow[2] + shadow[3] >= height || shadow[2] >= height || shadow[3] >= height)
        shadow[2] = shadow[3] = 0;
    frame->x = x + (int)shadow[0];
    frame->y = y + (int)shadow[2];
    frame->width = (int)(width - shadow[0] - shadow[1]);
    frame->height = (int)(height - shadow[2] - shadow[3]);
    return found;
}

// The same for a surface of ours.
static inline gboolean pp_x11_get_own_frame(GdkSurface *surface, pp_frame *frame) {
    if (!GDK_IS_X11_SURFACE(surface)) return FALSE;
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    unsigned long number = gdk_x11_surface_get_xid(surface);
    G_GNUC_END_IGNORE_DEPRECATIONS
    return pp_x11_get_frame(surface, number, frame);
}

// Moves a surface of ours until what can be seen of it begins at a point of the screen, in device pixels.
static inline void pp_x11_move(GdkSurface *surface, int x, int y) {
    if (!GDK_IS_X11_SURFACE(surface)) return;
    unsigned long shadow[4] = {0, 0, 0, 0};
    G_GNUC_BEGIN_IGNORE_DEPRECATIONS
    Display *display = gdk_x11_display_get_xdisplay(gdk_surface_get_display(surface));
    Window window = gdk_x11_surface_get_xid(surface);
    pp_x11_numbers(display, window, "_GTK_FRAME_EXTENTS", XA_CARDINAL, 4, shadow);
    XMoveWindow(display, window, x - (int)shadow[0], y - (int)shadow[2]);
    G_GNUC_END_IGNORE_DEPRECATIONS
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
