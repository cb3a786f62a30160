// SPDX-License-Identifier: MIT
// A sidebar beside the content, or only one of them if the view is too narrow: an
// AdwNavigationSplitView in an AdwBreakpointBin, or an AdwLeaflet before libadwaita 1.4.

// The sidebar has this part of the width, but not more than this many times its least width.
#define PP_SPLIT_VIEW_PART 0.26
#define PP_SPLIT_VIEW_MOST(width) ((width) * 16 / 11)

#if ADW_CHECK_VERSION(1, 4, 0)

// Signals of pp_split_view_inner().
#define PP_SPLIT_VIEW_NARROW "notify::collapsed"
#define PP_SPLIT_VIEW_PAGE "notify::show-content"

static inline AdwNavigationSplitView *pp_split_view_inner(GtkWidget *view) {
    return ADW_NAVIGATION_SPLIT_VIEW(adw_breakpoint_bin_get_child(ADW_BREAKPOINT_BIN(view)));
}

static inline gboolean pp_split_view_is_narrow(GtkWidget *view) {
    return adw_navigation_split_view_get_collapsed(pp_split_view_inner(view));
}

static inline gboolean pp_split_view_is_at_sidebar(GtkWidget *view) {
    return !adw_navigation_split_view_get_show_content(pp_split_view_inner(view));
}

// Shows the sidebar: beside the content or, in a narrow view, instead of it.
static inline void pp_split_view_show_sidebar(GtkWidget *view, gboolean is_shown, int width) {
    AdwNavigationSplitView *inner = pp_split_view_inner(view);
    gboolean is_narrow = adw_navigation_split_view_get_collapsed(inner);
    gboolean takes_room = is_shown || is_narrow;
    // The view reserves the minimum width of the sidebar even while the sidebar is hidden.
    adw_navigation_split_view_set_min_sidebar_width(inner, takes_room ? width : 0);
    adw_navigation_split_view_set_max_sidebar_width(
        inner, takes_room ? PP_SPLIT_VIEW_MOST(width) : 0);
    gtk_widget_set_visible(GTK_WIDGET(adw_navigation_split_view_get_sidebar(inner)), takes_room);
    if (is_narrow) adw_navigation_split_view_set_show_content(inner, !is_shown);
}

static inline GtkWidget *pp_split_view_new(GtkWidget *sidebar, const char *sidebar_title,
                                           GtkWidget *content, const char *content_title,
                                           int width, int content_width) {
    GtkWidget *inner = adw_navigation_split_view_new();
    AdwNavigationSplitView *split = ADW_NAVIGATION_SPLIT_VIEW(inner);
    adw_navigation_split_view_set_sidebar(split, adw_navigation_page_new(sidebar, sidebar_title));
    adw_navigation_split_view_set_content(split, adw_navigation_page_new(content, content_title));
    adw_navigation_split_view_set_sidebar_width_unit(split, ADW_LENGTH_UNIT_PX);
    adw_navigation_split_view_set_sidebar_width_fraction(split, PP_SPLIT_VIEW_PART);
    adw_navigation_split_view_set_show_content(split, TRUE);

    GtkWidget *view = adw_breakpoint_bin_new();
    adw_breakpoint_bin_set_child(ADW_BREAKPOINT_BIN(view), inner);
    // The bin may be smaller than its child, so it needs a minimum size of its own.
    gtk_widget_set_size_request(view, content_width, 1);
    AdwBreakpoint *breakpoint = adw_breakpoint_new(adw_breakpoint_condition_new_length(
        ADW_BREAKPOINT_CONDITION_MAX_WIDTH, width + content_width, ADW_LENGTH_UNIT_PX));
    adw_breakpoint_add_setters(breakpoint, G_OBJECT(inner), "collapsed", TRUE, NULL);
    adw_breakpoint_bin_add_breakpoint(ADW_BREAKPOINT_BIN(view), breakpoint);
    pp_split_view_show_sidebar(view, TRUE, width);
    return view;
}

// Lets a view become narrow whose sidebar is hidden; the width of a breakpoint's bin needs no help.
static inline void pp_split_view_fit(GtkWidget *view, int room, int width) {
    (void)view;
    (void)room;
    (void)width;
}

#else

#define PP_SPLIT_VIEW_NARROW "notify::folded"
#define PP_SPLIT_VIEW_PAGE "notify::visible-child"

static inline AdwLeaflet *pp_split_view_inner(GtkWidget *view) {
    return ADW_LEAFLET(view);
}

static inline gboolean pp_split_view_is_narrow(GtkWidget *view) {
    return adw_leaflet_get_folded(ADW_LEAFLET(view));
}

static inline gboolean pp_split_view_is_at_sidebar(GtkWidget *view) {
    return !g_strcmp0(adw_leaflet_get_visible_child_name(ADW_LEAFLET(view)), "sidebar");
}

static inline void pp_split_view_show_sidebar(GtkWidget *view, gboolean is_shown, int width) {
    (void)width;
    AdwLeaflet *leaflet = ADW_LEAFLET(view);
    gboolean takes_room = is_shown || adw_leaflet_get_folded(leaflet);
    gtk_widget_set_visible(adw_leaflet_get_child_by_name(leaflet, "sidebar"), takes_room);
    gtk_widget_set_visible(adw_leaflet_get_child_by_name(leaflet, "separator"), takes_room);
    if (!adw_leaflet_get_folded(leaflet)) return;
    adw_leaflet_set_visible_child_name(leaflet, is_shown ? "sidebar" : "content");
}

static inline GtkWidget *pp_split_view_new(GtkWidget *sidebar, const char *sidebar_title,
                                           GtkWidget *content, const char *content_title,
                                           int width, int content_width) {
    (void)sidebar_title;
    (void)content_title;
    AdwLeaflet *leaflet = ADW_LEAFLET(adw_leaflet_new());
    adw_leaflet_set_can_navigate_back(leaflet, TRUE);
    gtk_widget_set_size_request(sidebar, width, -1);
    gtk_widget_set_size_request(content, content_width, -1);
    gtk_widget_set_hexpand(content, TRUE);
    adw_leaflet_page_set_name(adw_leaflet_append(leaflet, sidebar), "sidebar");
    AdwLeafletPage *separator =
        adw_leaflet_append(leaflet, gtk_separator_new(GTK_ORIENTATION_VERTICAL));
    adw_leaflet_page_set_name(separator, "separator");
    adw_leaflet_page_set_navigatable(separator, FALSE);
    adw_leaflet_page_set_name(adw_leaflet_append(leaflet, content), "content");
    adw_leaflet_set_visible_child(leaflet, content);
    return GTK_WIDGET(leaflet);
}

// Lets a view become narrow whose sidebar is hidden: a leaflet reserves no room for it then. Gives the
// sidebar its part of the width, and at least `width`.
static inline void pp_split_view_fit(GtkWidget *view, int room, int width) {
    AdwLeaflet *leaflet = ADW_LEAFLET(view);
    GtkWidget *sidebar = adw_leaflet_get_child_by_name(leaflet, "sidebar");
    int content_width = 0;
    int part = CLAMP((int)(room * PP_SPLIT_VIEW_PART), width, PP_SPLIT_VIEW_MOST(width));
    gtk_widget_set_size_request(sidebar, part, -1);
    gtk_widget_get_size_request(adw_leaflet_get_child_by_name(leaflet, "content"), &content_width,
                                NULL);
    if (room < width + content_width) gtk_widget_set_visible(sidebar, TRUE);
}

#endif
