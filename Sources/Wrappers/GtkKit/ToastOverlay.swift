// SPDX-License-Identifier: MIT

internal import CGtk

/// Shows short messages above its child.
///
/// Not an AdwToastOverlay: libadwaita uses a toast after it was freed if the toast is dismissed while
/// it is still appearing, which takes few frames on a busy machine.
@UIActor
package final class ToastOverlay: Widget {
    private static let duration = Duration.seconds(4)
    /// How long a message stays that the person may answer.
    private static let longDuration = Duration.seconds(10)

    private let message = Label.alert()
    private let announcement = Label.alert()
    private let button = Button(Label())
    private let box = Box(isVertical: false, spacing: 12)
    private var onPress: (@UIActor () -> Void)?
    /// Called when the message is about to disappear with the keyboard focus.
    package var onFocusLost: @UIActor () -> Void = {}
    /// Hides the message.
    private var dismissal: Task<Void, Never>?

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
        message.setWrapped()
        box.append(message, expands: true)
        box.append(button)
        button.centerVertically()
        box.setClass("osd")
        box.setClass("toast-message")
        box.isVisible = false
        button.setClass("toast-button")
        button.isVisible = false
        gtk_widget_set_focus_on_click(button.widget, 0)
        gtk_widget_set_halign(box.widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(box.widget, GTK_ALIGN_END)
        // Clicks reach what is below.
        gtk_widget_set_can_target(box.widget, 0)
        gtk_overlay_add_overlay(opaque, box.widget)
        announcement.isVisible = false
        // Nobody sees it, and it asks for no room.
        announcement.setEllipsized()
        gtk_widget_set_opacity(announcement.widget, 0)
        gtk_widget_set_halign(announcement.widget, GTK_ALIGN_START)
        gtk_widget_set_valign(announcement.widget, GTK_ALIGN_END)
        gtk_widget_set_can_target(announcement.widget, 0)
        gtk_overlay_add_overlay(opaque, announcement.widget)
        button.onClick { [weak self] in
            let onPress = self?.onPress
            self?.dismiss()
            onPress?()
        }
    }

    /// Shows a message for a few seconds, in place of the previous one.
    ///
    /// Screen readers say it as well.
    package func show(_ text: String) { show(text, button: nil, for: Self.duration) {} }

    /// Shows a message with a button; otherwise like ``show(_:)``.
    ///
    /// It stays longer, and as long as the button has the focus.
    package func show(
        _ text: String, button label: String, onPress: @escaping @UIActor () -> Void
    ) {
        show(text, button: label, for: Self.longDuration, onPress: onPress)
    }

    /// Has screen readers say what people see elsewhere on the page; an empty text ends what was said last.
    package func announce(_ text: String) {
        // Where GTK has no call for it, an alert that appears is what they notice.
        announcement.isVisible = false
        announcement.text = text
        announcement.isVisible = !text.isEmpty
        if !text.isEmpty { pp_announce(announcement.widget, text) }
    }

    private func show(
        _ text: String, button label: String?, for duration: Duration,
        onPress: @escaping @UIActor () -> Void
    ) {
        if label == nil, box.containsFocus { onFocusLost() }
        self.onPress = onPress
        message.text = text
        button.label = label ?? ""
        button.isVisible = label != nil
        gtk_widget_set_can_target(box.widget, label == nil ? 0 : 1)
        box.isVisible = true
        pp_announce(message.widget, text)
        dismissal?.cancel()
        dismissal = Task { [weak self] in
            repeat {
                // Cancelled when another message takes its place.
                do { try await Task.sleep(for: duration) } catch { return }
            } while self?.box.containsFocus == true
            self?.dismiss()
        }
    }

    /// Hides the message.
    package func dismiss() {
        dismissal?.cancel()
        if box.containsFocus { onFocusLost() }
        onPress = nil
        box.isVisible = false
    }
}
