// SPDX-License-Identifier: MIT

internal import CGtk

/// Widgets of the same size side by side, which screen readers announce as a list.
@UIActor
package final class ItemRow: Widget {
    private let spacing: Int
    private var items: [Widget] = []

    package init(spacing: Int) {
        self.spacing = spacing
        super.init(sinking: pp_item_row_new(gint(clamping: spacing)))
    }

    /// Shows widgets in this order; those that were there before keep their focus.
    package func show(_ wanted: [Widget]) {
        let kept = Set(wanted.map(ObjectIdentifier.init))
        for item in items where !kept.contains(ObjectIdentifier(item)) {
            gtk_box_remove(pointer(), item.widget)
        }
        var previous: Widget?
        for item in wanted {
            if gtk_widget_get_parent(item.widget) == nil {
                gtk_box_insert_child_after(pointer(), item.widget, previous?.widget)
            } else {
                gtk_box_reorder_child_after(pointer(), item.widget, previous?.widget)
            }
            previous = item
        }
        items = wanted
    }

    /// The index of the item at a position; beyond the ends, the first or the last one.
    ///
    /// - Parameter x: In layout pixels from the left, whatever the direction of the language.
    private func index(at x: Double) -> Int {
        guard let first = items.first else { return 0 }
        let width = Double(gtk_widget_get_width(first.widget) + gint(clamping: spacing))
        let start = isRightToLeft ? Double(gtk_widget_get_width(widget)) - x : x
        guard width > 0 else { return 0 }
        return min(max(Int(start / width), 0), items.count - 1)
    }

    /// Calls `handler` while a person drags an item with the mouse.
    ///
    /// - Parameter handler: Receives the index of the item under the pointer when the drag began, and
    ///   where it is now; nil at the end of the drag.
    package func onDrag(_ handler: @escaping @UIActor (_ from: Int, _ to: Int?) -> Void) {
        guard let gesture = gtk_gesture_drag_new() else { return }
        // Before the view that scrolls takes it for a swipe.
        gtk_event_controller_set_propagation_phase(gesture, GTK_PHASE_CAPTURE)
        let object = Object(borrowing: UnsafeMutableRawPointer(gesture))
        var drag: (x: Double, from: Int, isMoving: Bool)?
        object.connectPoint("drag-begin") { [weak self] x, _ in
            let device = gtk_event_controller_get_current_event_device(gesture)
            // A finger scrolls.
            let isFinger = gdk_device_get_source(device) == GDK_SOURCE_TOUCHSCREEN
            drag = isFinger ? nil : self.map { (x, $0.index(at: x), false) }
        }
        object.connectPoint("drag-update") { [weak self] offset, _ in
            guard let self, let begun = drag else { return }
            if !begun.isMoving {
                // A click that trembles is no drag.
                guard abs(offset) >= Self.threshold else { return }
                drag?.isMoving = true
                gtk_gesture_set_state(gesture, GTK_EVENT_SEQUENCE_CLAIMED)
            }
            handler(begun.from, index(at: begun.x + offset))
        }
        object.connectPoint("drag-end") { _, _ in
            if let begun = drag, begun.isMoving { handler(begun.from, nil) }
            drag = nil
        }
        gtk_widget_add_controller(widget, gesture)
    }

    /// In layout pixels.
    private static let threshold = 8.0
}

/// One item of a row, with the keyboard focus as a whole.
@UIActor
package final class RowItem: Widget {
    package init(_ child: Widget) {
        super.init(sinking: pp_row_item_new())
        gtk_button_set_child(pointer(), child.widget)
    }

    package func onClick(_ handler: @escaping @UIActor () -> Void) { connect("clicked", handler) }
}
