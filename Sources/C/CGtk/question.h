// SPDX-License-Identifier: MIT
// A question with a few answers: an AdwAlertDialog, or an AdwMessageDialog before libadwaita 1.5.
// The signal "response" has the id of the answer.

#if ADW_CHECK_VERSION(1, 5, 0)

static inline GtkWidget *pp_question_new(const char *heading, const char *body) {
    return GTK_WIDGET(adw_alert_dialog_new(heading, body));
}

static inline void pp_question_add(GtkWidget *question, const char *id, const char *label,
                                   AdwResponseAppearance appearance) {
    adw_alert_dialog_add_response(ADW_ALERT_DIALOG(question), id, label);
    adw_alert_dialog_set_response_appearance(ADW_ALERT_DIALOG(question), id, appearance);
}

static inline void pp_question_set_close_answer(GtkWidget *question, const char *id) {
    adw_alert_dialog_set_close_response(ADW_ALERT_DIALOG(question), id);
}

static inline void pp_question_set_extra_child(GtkWidget *question, GtkWidget *child) {
    adw_alert_dialog_set_extra_child(ADW_ALERT_DIALOG(question), child);
}

// The window that shows the question. An AdwDialog has none until it is presented.
static inline GtkWidget *pp_question_window(GtkWidget *question) {
    if (!gtk_widget_get_root(question)) adw_dialog_present(ADW_DIALOG(question), NULL);
    return GTK_WIDGET(gtk_widget_get_root(question));
}

// Prepares to show the question in front of a window. Returns the question's own window; NULL if it
// appears in the other one.
static inline GtkWidget *pp_question_attach(GtkWidget *question, GtkWidget *window) {
    (void)question, (void)window;
    return NULL;
}

static inline void pp_question_show(GtkWidget *question, GtkWidget *window) {
    adw_dialog_present(ADW_DIALOG(question), window);
}

static inline void pp_question_close(GtkWidget *question) {
    adw_dialog_force_close(ADW_DIALOG(question));
}

#else

static inline GtkWidget *pp_question_new(const char *heading, const char *body) {
    return adw_message_dialog_new(NULL, heading, body);
}

static inline void pp_question_add(GtkWidget *question, const char *id, const char *label,
                                   AdwResponseAppearance appearance) {
    adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(question), id, label);
    adw_message_dialog_set_response_appearance(ADW_MESSAGE_DIALOG(question), id, appearance);
}

static inline void pp_question_set_close_answer(GtkWidget *question, const char *id) {
    adw_message_dialog_set_close_response(ADW_MESSAGE_DIALOG(question), id);
}

static inline void pp_question_set_extra_child(GtkWidget *question, GtkWidget *child) {
    adw_message_dialog_set_extra_child(ADW_MESSAGE_DIALOG(question), child);
}

static inline GtkWidget *pp_question_window(GtkWidget *question) {
    return question;
}

static inline GtkWidget *pp_question_attach(GtkWidget *question, GtkWidget *window) {
    gtk_window_set_transient_for(GTK_WINDOW(question), GTK_WINDOW(window));
    gtk_window_set_modal(GTK_WINDOW(question), TRUE);
    return question;
}

static inline void pp_question_show(GtkWidget *question, GtkWidget *window) {
    (void)window;
    gtk_window_present(GTK_WINDOW(question));
}

static inline void pp_question_close(GtkWidget *question) {
    gtk_window_destroy(GTK_WINDOW(question));
}

#endif
