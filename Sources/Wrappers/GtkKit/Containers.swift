// SPDX-License-Identifier: MIT

internal import CGtk

/// Widgets side by side or one above the other.
@UIActor
package final class Box: Widget {
    package init(isVertical: Bool, spacing: Int = 0) {
        let orientation = isVertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL
        super.init(sinking: gtk_box_new(orientation, gint(clamping: spacing)))
    }

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    /// Whether the widgets are one above the other.
    package var isVertical: Bool {
        get { gtk_orientable_get_orientation(opaque) == GTK_ORIENTATION_VERTICAL }
        set {
            gtk_orientable_set_orientation(
                opaque, newValue ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL)
        }
    }

    /// Whether it takes all the width that there is.
    ///
    /// Otherwise it begins where lines do, and is as wide as its content.
    package var isWide: Bool {
        get { gtk_widget_get_halign(widget) == GTK_ALIGN_FILL }
        set { gtk_widget_set_halign(widget, newValue ? GTK_ALIGN_FILL : GTK_ALIGN_START) }
    }

    /// Puts the box in the middle of the room that it has, as wide as it needs to be.
    package func center() { gtk_widget_set_halign(widget, GTK_ALIGN_CENTER) }

    package func append(_ child: Widget, expands: Bool = false) {
        if expands { gtk_widget_set_hexpand(child.widget, 1) }
        gtk_box_append(pointer(), child.widget)
    }

    package func removeAll() {
        while let child = gtk_widget_get_first_child(widget) { gtk_box_remove(pointer(), child) }
    }
}

/// Widgets side by side that wrap into further lines when there is no room.
@UIActor
package final class FlowBox: Widget {
    private static let letFocusThrough: Void = pp_let_focus_through_flow_boxes()

    override init(borrowing raw: UnsafeMutableRawPointer) {
        Self.letFocusThrough
        super.init(borrowing: raw)
    }

    package func append(_ child: Widget) {
        guard let cell = gtk_flow_box_child_new() else { return }
        // The child gets the focus, not the cell around it.
        gtk_widget_set_focusable(cell, 0)
        gtk_widget_set_halign(cell, GTK_ALIGN_START)
        gtk_widget_set_valign(cell, GTK_ALIGN_CENTER)
        gtk_flow_box_child_set_child(
            UnsafeMutableRawPointer(cell).assumingMemoryBound(to: GtkFlowBoxChild.self),
            child.widget)
        gtk_flow_box_append(opaque, cell)
    }
}

/// A widget with others drawn on top of it.
@UIActor
package final class Overlay: Widget {
    package init(_ child: Widget) {
        super.init(sinking: gtk_overlay_new())
        gtk_overlay_set_child(opaque, child.widget)
    }

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    /// Puts a widget in the upper corner at the end of the line.
    package func addAtTopEnd(_ child: Widget) {
        gtk_widget_set_halign(child.widget, GTK_ALIGN_END)
        gtk_widget_set_valign(child.widget, GTK_ALIGN_START)
        gtk_overlay_add_overlay(opaque, child.widget)
    }

    /// Puts a widget in the lower corner at the start of the line.
    package func addAtBottomStart(_ child: Widget) {
        gtk_widget_set_halign(child.widget, GTK_ALIGN_START)
        gtk_widget_set_valign(child.widget, GTK_ALIGN_END)
        gtk_overlay_add_overlay(opaque, child.widget)
    }

    /// Puts a widget in the lower corner at the end of the line.
    package func addAtBottomEnd(_ child: Widget) {
        gtk_widget_set_halign(child.widget, GTK_ALIGN_END)
        gtk_widget_set_valign(child.widget, GTK_ALIGN_END)
        gtk_overlay_add_overlay(opaque, child.widget)
    }

    /// Stretches a widget over the whole child, whatever its natural size.
    package func addFilling(_ child: Widget) {
        gtk_overlay_add_overlay(opaque, child.widget)
    }

    /// Puts a widget in the center.
    package func addAtCenter(_ child: Widget) {
        gtk_widget_set_halign(child.widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(child.widget, GTK_ALIGN_CENTER)
        gtk_overlay_add_overlay(opaque, child.widget)
    }
}

/// Pages of which one is visible.
@UIActor
package final class Stack: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    package func show(_ page: String) {
        gtk_stack_set_visible_child_name(opaque, page)
    }
}

/// A scrollable view of a larger widget.
@UIActor
package final class ScrolledWindow: Widget {
    private var isEndWanted = false
    /// The part of the row that is to be in the middle, from 0 to 1 in the direction of the language.
    private var wantedMiddle: Double?

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    /// The scroll position and the height of the visible part, in layout pixels.
    package var verticalRange: (top: Double, pageHeight: Double) {
        let adjustment = gtk_scrolled_window_get_vadjustment(opaque)
        return (
            gtk_adjustment_get_value(adjustment), gtk_adjustment_get_page_size(adjustment)
        )
    }

    package func scroll(to top: Double) {
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(opaque), top)
    }

    /// Scrolls in content that is about to have another height.
    package func scroll(to top: Double, inHeight height: Double) {
        let adjustment = gtk_scrolled_window_get_vadjustment(opaque)
        gtk_adjustment_set_upper(adjustment, height)
        gtk_adjustment_set_value(adjustment, top)
    }

    /// Calls `handler` when the content is scrolled, and soon after the size of the visible part has changed.
    ///
    /// GTK says so while it allocates sizes. A child that is added to the content then would be left without
    /// an allocation, and nothing of the content would be drawn.
    package func onScroll(_ handler: @escaping @UIActor () -> Void) {
        guard let adjustment = gtk_scrolled_window_get_vadjustment(opaque) else { return }
        let object = Object(borrowing: UnsafeMutableRawPointer(adjustment))
        object.connect("value-changed", handler)
        object.connect("changed") { Task { handler() } }
    }

    /// Calls `handler` when somebody presses the mouse on the vertical scrollbar, with true, and when
    /// they release it.
    package func onScrollbarHold(_ handler: @escaping @UIActor (Bool) -> Void) {
        guard let bar = gtk_scrolled_window_get_vscrollbar(opaque),
            let controller = gtk_event_controller_legacy_new()
        else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        Object(borrowing: UnsafeMutableRawPointer(controller)).connectEvent { event in
            switch gdk_event_get_event_type(event) {
            case GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN: handler(true)
            case GDK_BUTTON_RELEASE, GDK_TOUCH_END, GDK_TOUCH_CANCEL, GDK_GRAB_BROKEN:
                handler(false)
            default: break
            }
            return false
        }
        gtk_widget_add_controller(bar, controller)
    }

    /// Shows a widget of any height.
    ///
    /// Its owner scrolls to the focus, not GTK.
    package func setContent(_ content: Widget) {
        guard let viewport = gtk_viewport_new(nil, nil) else { return }
        gtk_viewport_set_scroll_to_focus(OpaquePointer(viewport), 0)
        gtk_viewport_set_child(OpaquePointer(viewport), content.widget)
        gtk_scrolled_window_set_child(opaque, viewport)
    }

    /// How much of a row is scrolled out at its start, and the width of the visible part, in layout pixels.
    ///
    /// The start is on the left or, where lines run from right to left, on the right.
    package var rowRange: (start: Double, pageWidth: Double) {
        let adjustment = gtk_scrolled_window_get_hadjustment(opaque)
        let (value, width) = (
            gtk_adjustment_get_value(adjustment), gtk_adjustment_get_page_size(adjustment)
        )
        let rest = gtk_adjustment_get_upper(adjustment) - width - value
        return (max(isRightToLeft ? rest : value, 0), width)
    }

    /// Scrolls a row until so much of its start is out of view.
    ///
    /// - Parameter width: The width that the row is about to have; nil if that does not change.
    package func scrollRow(to start: Double, inWidth width: Double? = nil) {
        let adjustment = gtk_scrolled_window_get_hadjustment(opaque)
        if let width { gtk_adjustment_set_upper(adjustment, width) }
        let end =
            gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
        // GTK keeps it within the row.
        gtk_adjustment_set_value(adjustment, isRightToLeft ? end - start : start)
    }

    /// Like ``onScroll(_:)``, for a row.
    package func onRowScroll(_ handler: @escaping @UIActor () -> Void) {
        guard let adjustment = gtk_scrolled_window_get_hadjustment(opaque) else { return }
        let object = Object(borrowing: UnsafeMutableRawPointer(adjustment))
        object.connect("value-changed", handler)
        object.connect("changed") { Task { handler() } }
    }

    /// Lets a wheel that turns up and down scroll a row: towards the person, to its end.
    package func turnWheelSideways() {
        guard
            let controller = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES)
        else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        Object(borrowing: UnsafeMutableRawPointer(controller)).connectScroll {
            [weak self] sideways, distance in
            // A swipe to the side scrolls the row as it is.
            guard let self, abs(distance) > abs(sideways) else { return false }
            let event = gtk_event_controller_get_current_event(controller)
            let isSurface =
                event.map { gdk_scroll_event_get_unit($0) == GDK_SCROLL_UNIT_SURFACE } ?? false
            let (start, pageWidth) = rowRange
            // About half a photo for a notch.
            let step = isSurface ? 1 : pageWidth / 6
            scrollRow(to: max(start + distance * step, 0))
            return true
        }
        gtk_widget_add_controller(widget, controller)
    }

    /// Shows a widget of any width, and scrolls to what has the focus in it.
    package func setRow(_ row: Widget) {
        gtk_scrolled_window_set_child(opaque, row.widget)
        guard let adjustment = gtk_scrolled_window_get_hadjustment(opaque) else { return }
        Object(borrowing: UnsafeMutableRawPointer(adjustment)).connect("changed") { [weak self] in
            guard let self else { return }
            if wantedMiddle != nil {
                scrollToMiddle()
                // GTK is about to place the row, and takes no notice of a change meanwhile.
                Task { [weak self] in self?.placeAgain() }
            }
            guard isEndWanted else { return }
            isEndWanted = false
            let end =
                gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
            gtk_adjustment_set_value(adjustment, isRightToLeft ? 0 : end)
        }
    }

    /// Scrolls to the end of the row once something that was added there has been laid out.
    package func scrollToEnd() { isEndWanted = true }

    /// Scrolls a row of widgets of one width so that one of them is as near to the middle as possible, now and
    /// whenever the row gets another width.
    ///
    /// - Parameter index: The place of the widget in the row, from 0.
    package func center(item index: Int, of count: Int) {
        wantedMiddle = (Double(index) + 0.5) / Double(max(count, 1))
        scrollToMiddle()
    }

    private func placeAgain() {
        guard let content = gtk_scrolled_window_get_child(opaque) else { return }
        gtk_widget_queue_allocate(content)
    }

    private func scrollToMiddle() {
        guard let wantedMiddle else { return }
        let adjustment = gtk_scrolled_window_get_hadjustment(opaque)
        let middle = isRightToLeft ? 1 - wantedMiddle : wantedMiddle
        // GTK keeps it within the row.
        gtk_adjustment_set_value(
            adjustment,
            gtk_adjustment_get_upper(adjustment) * middle
                - gtk_adjustment_get_page_size(adjustment) / 2)
    }
}
