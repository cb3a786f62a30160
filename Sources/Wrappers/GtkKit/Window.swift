// SPDX-License-Identifier: MIT

internal import CGtk

/// A top-level window.
@UIActor
package final class Window: Widget {
    /// The delay that also applies to the window's own keys, whichever controller GTK asks first.
    weak var inputDelay: InputDelay?

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
        keepClicks()
    }

    package var title: String {
        get { gtk_window_get_title(pointer()).map { String(cString: $0) } ?? "" }
        set { gtk_window_set_title(pointer(), newValue) }
    }

    package var isModal: Bool {
        get { gtk_window_get_modal(pointer()) != 0 }
        set { gtk_window_set_modal(pointer(), newValue ? 1 : 0) }
    }

    /// The size on the screen in layout pixels.
    package var size: (width: Int, height: Int) {
        (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
    }

    /// Shows the window in front of the others.
    package func present() { gtk_window_present(pointer()) }

    /// Closes the window for good.
    package func destroy() { gtk_window_destroy(pointer()) }

    /// Calls `handler` with the new width in layout pixels when the window is resized, before its
    /// content is.
    package func onResize(_ handler: @escaping @UIActor (Int) -> Void) {
        connect("notify::default-width") { [weak self] in
            guard let self else { return }
            var width: gint = 0
            var height: gint = 0
            gtk_window_get_default_size(pointer(), &width, &height)
            handler(Int(width))
        }
    }

    /// Calls `handler` when the keyboard focus has moved within the window, for whatever reason.
    ///
    /// A window that becomes active has its focus where it was before.
    package func onFocusChange(_ handler: @escaping @UIActor () -> Void) {
        connect("notify::focus-widget", handler)
    }

    /// Calls `handler` when the person closes the window; it stays open until ``destroy()``.
    package func onClose(_ handler: @escaping @UIActor () -> Void) {
        connectHandled("close-request") {
            handler()
            return true
        }
    }
}
