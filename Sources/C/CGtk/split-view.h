// SPDX-License-Identifier: MIT
// A sidebar beside the content, or only one of them in a narrow window: an AdwNavigationSplitView, or
// an AdwLeaflet before libadwaita 1.4. The owner decides what is narrow.

// The sidebar has this part of the width, but not more than this many times its least width.
#define PP_SPLIT_VIEW_PART 0.26
#define PP_SPLIT_VIEW_MOST(width) ((width) * 16 / 11)

#if ADW_CHECK_VERSION(1, 4, 0)

// A signal of the view.
#define PP_SPLIT_VIEW_PAGE "notify::show-content"

static inline gboolean pp_split_view_is_at_sidebar(GtkWidget *view) {
    return !adw_navigation_split_view_get_show_content(ADW_NAVIGATION_SPLIT_VIEW(view));
}

// Makes room for one page or for both in a window with `room` pixels; the sidebar is at least `width`
// wide.
static inline void pp_split_view_fit(GtkWidget *view, gboolean is_narrow, int room, int width) {
    (void)room;
    (void)width;
    adw_navigation_split_view_set_collapsed(ADW_NAVIGATION_SPLIT_VIEW(view), is_narrow);
}

// Shows the sidebar: beside the content or, in a narrow view, instead of it.
static inline void pp_split_view_show_sidebar(GtkWidget *view, gboolean is_shown,
                                              gboolean is_narrow, int width) {
    AdwNavigationSplitView *split = ADW_NAVIGATION_SPLIT_VIEW(view);
    gboolean takes_room = is_shown || is_narrow;
    // The view reserves the minimum width of the sidebar even while the sidebar is hidden.
    adw_navigation_split_view_set_min_sidebar_width(split, takes_room ? width : 0);
    adw_navigation_split_view_set_max_sidebar_width(
        split, takes_room ? PP_SPLIT_VIEW_MOST(width) : 0);
    gtk_widget_set_visible(GTK_WIDGET(adw_navigation_split_view_get_sidebar(split)), takes_room);
    if (is_narrow) adw_navigation_split_view_set_show_content(split, !is_shown);
}

static inline GtkWidget *pp_split_view_new(GtkWidget *sidebar, const char *sidebar_title,
                                           GtkWidget *content, const char *content_title) {
    GtkWidget *view = adw_navigation_split_view_new();
    AdwNavigationSplitView *split = ADW_NAVIGATION_SPLIT_VIEW(view);
    adw_navigation_split_view_set_sidebar(split, adw_navigation_page_new(sidebar, sidebar_title));
    adw_navigation_split_view_set_content(split, adw_navigation_page_new(content, content_title));
    adw_navigation_split_view_set_sidebar_width_unit(split, ADW_LENGTH_UNIT_PX);
    adw_navigation_split_view_set_sidebar_width_fraction(split, PP_SPLIT_VIEW_PART);
    adw_navigation_split_view_set_show_content(split, TRUE);
    return view;
}

#else

#define PP_SPLIT_VIEW_PAGE "notify::visible-child"

static inline gboolean pp_split_view_is_at_sidebar(GtkWidget *view) {
    return !g_strcmp0(adw_leaflet_get_visible_child_name(ADW_LEAFLET(view)), "sidebar");
}

static inline void pp_split_view_fit(GtkWidget *view, gboolean is_narrow, int room, int width) {
    AdwLeaflet *leaflet = ADW_LEAFLET(view);
    int part = CLAMP((int)(room * PP_SPLIT_VIEW_PART), width, PP_SPLIT_VIEW_MOST(width));
    gtk_widget_set_size_request(adw_leaflet_get_child_by_name(leaflet, "sidebar"),
                                is_narrow ? -1 : part, -1);
    adw_leaflet_set_can_unfold(leaflet, !is_narrow);
}

static inline void pp_split_view_show_sidebar(GtkWidget *view, gboolean is_shown,
                                              gboolean is_narrow, int width) {
    (void)width;
    AdwLeaflet *leaflet = ADW_LEAFLET(view);
    gboolean takes_room = is_shown || is_narrow;
    gtk_widget_set_visible(adw_leaflet_get_child_by_name(leaflet, "sidebar"), takes_room);
    gtk_widget_set_visible(adw_leaflet_get_child_by_name(leaflet, "separator"), takes_room);
    if (!is_narrow) return;
    adw_leaflet_set_visible_child_name(leaflet, is_shown ? "sidebar" : "content");
}

static inline GtkWidget *pp_split_view_new(GtkWidget *sidebar, const char *sidebar_title,
                                           GtkWidget *content, const char *content_title) {
    (void)sidebar_title;
    (void)content_title;
    AdwLeaflet *leaflet = ADW_LEAFLET(adw_leaflet_new());
    adw_leaflet_set_can_navigate_back(leaflet, TRUE);
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

#endif
