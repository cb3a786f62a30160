// SPDX-License-Identifier: MIT

import Desktop
import GtkKit

/// The month of the photos in view, beside the scrollbar while somebody drags it.
@UIActor
final class DateBubble {
    private let label = Label()

    /// The height of the bubble and the distances around it, in layout pixels.
    private static let room = 60.0

    init(on overlay: Overlay) {
        label.setClass("date-bubble")
        label.ignoresPointer = true
        label.isVisible = false
        overlay.addAtTopEnd(label)
    }

    /// Shows the month of a time.
    ///
    /// - Parameters:
    ///   - seconds: The time, since 1970.
    ///   - part: How far the view is scrolled, 0 to 1.
    ///   - height: The height of the view in layout pixels.
    func show(_ seconds: Int64, at part: Double, ofHeight height: Double) {
        label.text = LocalTime.month(seconds)
        label.topMargin = Int(min(max(part, 0), 1) * max(height - Self.room, 0)) + 6
        label.isVisible = true
    }

    func hide() { label.isVisible = false }
}
