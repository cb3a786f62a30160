// SPDX-License-Identifier: MIT

internal import CGtk

/// A window of ours.
@UIActor
package final class Window: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    package var title: String {
        get { gtk_window_get_title(pointer()).map { String(cString: $0) } ?? "" }
        set { gtk_window_set_title(pointer(), newValue) }
    }

    package var isModal: Bool {
        get { gtk_window_get_modal(pointer()) != 0 }
        set { gtk_window_set_modal(pointer(), newValue ? 1 : 0) }
    }

    /// Shows the window before the others.
    package func present() { gtk_window_present(pointer()) }

    /// Takes the window off the screen for good.
    package func destroy() { gtk_window_destroy(pointer()) }

    /// The widget that Enter activates when no other one uses it.
    package func setDefault(_ button: Button) {
        gtk_window_set_default_widget(pointer(), button.widget)
    }

    /// Calls `handler` when the person closes the window; the window stays until we destroy it.
    package func onClose(_ handler: @escaping @UIActor () -> Void) {
        connectHandled("close-request") {
            handler()
            return true
        }
    }

    /// Calls `handler` after each frame that was drawn, until it returns false.
    package func onFrame(_ handler: @escaping @UIActor () -> Bool) {
        final class Box {
            let handler: @UIActor () -> Bool
            init(_ handler: @escaping @UIActor () -> Bool) { self.handler = handler }
        }
        gtk_widget_add_tick_callback(
            widget,
            { _, _, context in
                // Sound: GTK calls back on its own thread, where it is used at once.
                nonisolated(unsafe) let context = context
                return UIActor.assumeIsolated {
                    guard let context else { return 0 }
                    return Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().handler()
                        ? 1 : 0
                }
            }, Unmanaged.passRetained(Box(handler)).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<AnyObject>.fromOpaque(context).release()
            })
    }
}
