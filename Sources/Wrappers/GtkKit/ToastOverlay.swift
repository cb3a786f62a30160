// SPDX-License-Identifier: MIT

internal import CGtk

/// Shows short messages above its child.
///
/// Not an AdwToastOverlay: libadwaita uses a toast after it was freed if the toast is dismissed while
/// it is still appearing, which takes few frames on a busy machine.
@UIActor
package final class ToastOverlay: Widget {
    private static let duration = Duration.seconds(4)

    private let message = Label.alert()
    /// Hides the message.
    private var dismissal: Task<Void, Never>?

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
        message.setWrapped()
        message.setClass("osd")
        message.setClass("toast-message")
        message.isVisible = false
        gtk_widget_set_halign(message.widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(message.widget, GTK_ALIGN_END)
        // Clicks reach what is below.
        gtk_widget_set_can_target(message.widget, 0)
        gtk_overlay_add_overlay(opaque, message.widget)
    }

    /// Shows a message for a few seconds, in place of the previous one.
    ///
    /// Screen readers say it as well.
    package func show(_ text: String) {
        message.text = text
        message.isVisible = true
        pp_announce(message.widget, text)
        dismissal?.cancel()
        dismissal = Task { [weak message] in
            // Cancelled when another message takes its place.
            do { try await Task.sleep(for: Self.duration) } catch { return }
            message?.isVisible = false
        }
    }
}
