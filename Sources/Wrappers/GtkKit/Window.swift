// SPDX-License-Identifier: MIT

internal import CGtk

/// A top-level window.
@UIActor
package final class Window: Widget {
    /// The delay that also applies to the window's own keys, whichever controller GTK asks first.
    package internal(set) weak var inputDelay: InputDelay?

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
        keepClicks()
    }

    package var title: String {
        get { gtk_window_get_title(pointer()).map { String(cString: $0) } ?? "" }
        set { gtk_window_set_title(pointer(), newValue) }
    }

    /// Whether the window takes all input of those that belong to it; see ``separateInput()``.
    package var isModal: Bool {
        get { gtk_window_get_modal(pointer()) != 0 }
        set { gtk_window_set_modal(pointer(), newValue ? 1 : 0) }
    }

    /// Gives the window a group of its own, so that no other modal window takes its input.
    ///
    /// Otherwise all windows of a process are one group.
    package func separateInput() {
        guard gtk_window_has_group(pointer()) == 0, let group = gtk_window_group_new() else {
            return
        }
        gtk_window_group_add_window(group, pointer())
        g_object_unref(UnsafeMutableRawPointer(group))
    }

    /// Adds the window to the group of the one that it belongs to.
    func shareInput(with owner: Window) {
        guard let group = gtk_window_get_group(owner.pointer()) else { return }
        gtk_window_group_add_window(group, pointer())
    }

    /// The width that the window has, or will have once it is shown, in layout pixels.
    package var defaultWidth: Int {
        var width: gint = 0
        // GTK 4.8 writes to both.
        var height: gint = 0
        gtk_window_get_default_size(pointer(), &width, &height)
        return Int(width)
    }

    /// Gives the window another size, in layout pixels, or the one that it will have once it is shown.
    package func resize(width: Int, height: Int) {
        gtk_window_set_default_size(pointer(), gint(clamping: width), gint(clamping: height))
    }

    /// The height at which all of the content is in view at a given width, with the frame, in layout pixels.
    package func naturalHeight(inWidth width: Int) -> Int {
        var height: gint = 0
        gtk_widget_measure(
            widget, GTK_ORIENTATION_VERTICAL, gint(clamping: width), nil, &height, nil, nil)
        return Int(height)
    }

    /// Calls `handler` after a frame was drawn in which the window has another size than before.
    package func onResize(_ handler: @escaping @UIActor () -> Void) {
        var last = (width: 0, height: 0)
        onDrawn { [weak self] in
            guard let self, size != last else { return }
            last = size
            handler()
        }
    }

    /// Shows the window in front of the others.
    package func present() { gtk_window_present(pointer()) }

    /// Closes the window for good.
    package func destroy() { gtk_window_destroy(pointer()) }

    /// Calls `handler` when the keyboard focus has moved within the window, for whatever reason.
    ///
    /// A window that becomes active has its focus where it was before.
    package func onFocusChange(_ handler: @escaping @UIActor () -> Void) {
        connect("notify::focus-widget", handler)
    }

    /// Calls `handler` when the window is no longer on the screen.
    func onHidden(_ handler: @escaping @UIActor () -> Void) { connect("unmap", handler) }

    /// Calls `handler` when the keyboard begins or ceases to act in the window.
    func onActiveChange(_ handler: @escaping @UIActor (Bool) -> Void) {
        connect("notify::is-active") { [weak self] in
            guard let self else { return }
            handler(gtk_window_is_active(pointer()) != 0)
        }
    }

    /// Calls `handler` when the person closes the window; it stays open until ``destroy()``.
    package func onClose(_ handler: @escaping @UIActor () -> Void) {
        connectHandled("close-request") {
            handler()
            return true
        }
    }
}
