// SPDX-License-Identifier: MIT
// Files that the person names in the desktop's file dialog, drops on a window or pastes. GTK 4.10
// replaces the file dialog by one whose answer Swift could read, but Debian 12 does not have it.

// The paths of some files, to be freed with g_strfreev(); files that no path leads to are left out.
static inline char **pp_paths_of_list(GListModel *files) {
    GStrvBuilder *paths = g_strv_builder_new();
    const guint count = g_list_model_get_n_items(files);
    for (guint index = 0; index < count; index++) {
        GFile *file = G_FILE(g_list_model_get_item(files, index));
        char *path = g_file_get_path(file);
        if (path) g_strv_builder_add(paths, path);
        g_free(path);
        g_object_unref(file);
    }
    char **list = g_strv_builder_end(paths);
    g_strv_builder_unref(paths);
    return list;
}

// The same for a value that holds a GdkFileList.
static inline char **pp_paths_of_value(const GValue *value) {
    GStrvBuilder *paths = g_strv_builder_new();
    if (value && G_VALUE_HOLDS(value, GDK_TYPE_FILE_LIST)) {
        GSList *files = gdk_file_list_get_files((GdkFileList *)g_value_get_boxed(value));
        for (GSList *next = files; next; next = next->next) {
            char *path = g_file_get_path(G_FILE(next->data));
            if (path) g_strv_builder_add(paths, path);
            g_free(path);
        }
        g_slist_free(files);
    }
    char **list = g_strv_builder_end(paths);
    g_strv_builder_unref(paths);
    return list;
}

G_GNUC_BEGIN_IGNORE_DEPRECATIONS

// Makes the file dialog. The caller owns the reference.
static inline void *pp_file_dialog_new(GtkWidget *parent, const char *title, const char *accept,
                                       const char *cancel, gboolean is_multiple) {
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        title, GTK_WINDOW(parent), GTK_FILE_CHOOSER_ACTION_OPEN, accept, cancel);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(dialog), is_multiple);
    return dialog;
}

// Shows only files of these types, of which the last one is NULL.
static inline void pp_file_dialog_filter(void *dialog, const char *name, const char *const *types) {
    GtkFileFilter *filter = gtk_file_filter_new();
    gtk_file_filter_set_name(filter, name);
    for (; *types; types++) gtk_file_filter_add_mime_type(filter, *types);
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), filter);
    g_object_unref(filter);
}

// What was chosen, to be freed with g_strfreev().
static inline char **pp_file_dialog_paths(void *dialog) {
    GListModel *files = gtk_file_chooser_get_files(GTK_FILE_CHOOSER(dialog));
    char **paths = pp_paths_of_list(files);
    g_object_unref(files);
    return paths;
}

static inline void pp_file_dialog_show(void *dialog) {
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static inline void pp_file_dialog_close(void *dialog) {
    gtk_native_dialog_destroy(GTK_NATIVE_DIALOG(dialog));
}

G_GNUC_END_IGNORE_DEPRECATIONS
