// SPDX-License-Identifier: MIT

internal import CGtk

/// Shows short messages above its child.
@UIActor
package final class ToastOverlay: Widget {
    /// The toast on the screen.
    private var current: Object?

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    /// Shows a message for a few seconds, in place of the previous one.
    package func show(_ message: String) {
        // Dismissing the previous toast is not an option: it may be leaving already, and libadwaita
        // 1.2 then uses it after it was freed.
        if let current { return adw_toast_set_title(current.opaque, message) }
        guard let toast = adw_toast_new(message) else { return }
        adw_toast_set_timeout(toast, 4)
        adw_toast_set_priority(toast, ADW_TOAST_PRIORITY_HIGH)
        let object = Object(borrowing: UnsafeMutableRawPointer(toast))
        object.connect("dismissed") { [weak self] in self?.current = nil }
        current = object
        // The overlay takes over the reference that the toast was created with.
        adw_toast_overlay_add_toast(opaque, toast)
    }
}
