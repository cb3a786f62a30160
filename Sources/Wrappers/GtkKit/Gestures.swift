// SPDX-License-Identifier: MIT

internal import CGtk

/// A turn of the mouse wheel, or a movement of two fingers on a touchpad.
package enum Scroll: Hashable, Sendable {
    /// Notches, which may be parts of one; above 0 towards the person.
    case wheel(Double)
    /// Layout pixels by which the content goes to the left and up.
    case surface(x: Double, y: Double)
}

// Positions are layout pixels in the widget.
extension Widget {
    /// Calls `handler` when the person scrolls over the widget.
    ///
    /// - Parameter handler: Receives the position of the pointer as well.
    package func onScroll(_ handler: @escaping @UIActor (Scroll, Double, Double) -> Void) {
        guard let motion = gtk_event_controller_motion_new(),
            let controller = gtk_event_controller_scroll_new(
                GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES)
        else { return }
        // An event of the wheel does not say where in the widget the pointer is.
        var pointer = (x: 0.0, y: 0.0)
        for signal in ["enter", "motion"] {
            Object(borrowing: UnsafeMutableRawPointer(motion)).connectPoint(signal) {
                pointer = ($0, $1)
            }
        }
        Object(borrowing: UnsafeMutableRawPointer(controller)).connectScroll {
            let event = gtk_event_controller_get_current_event(controller)
            let isSurface =
                event.map { gdk_scroll_event_get_unit($0) == GDK_SCROLL_UNIT_SURFACE } ?? false
            handler(isSurface ? .surface(x: $0, y: $1) : .wheel($1), pointer.x, pointer.y)
            return true
        }
        gtk_widget_add_controller(widget, motion)
        gtk_widget_add_controller(widget, controller)
    }

    /// Calls `handler` while two fingers move apart or together.
    ///
    /// - Parameter handler: Receives the distance of the fingers as a multiple of that at the last call,
    ///   and the middle between them.
    package func onPinch(_ handler: @escaping @UIActor (Double, Double, Double) -> Void) {
        guard let gesture = gtk_gesture_zoom_new() else { return }
        let object = Object(borrowing: UnsafeMutableRawPointer(gesture))
        var last = 1.0
        object.connectObject("begin") { _ in last = 1 }
        object.connectNumber("scale-changed") { scale in
            var x = 0.0
            var y = 0.0
            guard scale > 0, gtk_gesture_get_bounding_box_center(gesture, &x, &y) != 0 else {
                return
            }
            handler(scale / last, x, y)
            last = scale
        }
        gtk_widget_add_controller(widget, gesture)
    }

    /// Calls handlers while the primary button, or a finger, is moved.
    ///
    /// - Parameters:
    ///   - begin: Receives the position of the press.
    ///   - move: Receives the distance from there, to the right and down.
    ///   - end: Called after the last movement.
    package func onDrag(
        begin: @escaping @UIActor (Double, Double) -> Void,
        move: @escaping @UIActor (Double, Double) -> Void,
        end: @escaping @UIActor () -> Void = {}
    ) {
        guard let gesture = gtk_gesture_drag_new() else { return }
        gtk_gesture_single_set_button(gesture, guint(GDK_BUTTON_PRIMARY))
        let object = Object(borrowing: UnsafeMutableRawPointer(gesture))
        object.connectPoint("drag-begin", begin)
        object.connectPoint("drag-update", move)
        object.connectPoint("drag-end") { _, _ in end() }
        gtk_widget_add_controller(widget, gesture)
    }

    /// Calls `handler` when the person moves the pointer over the widget, or presses a button, turns a
    /// wheel or touches the screen there.
    ///
    /// GTK repeats the last movement of a pointer that rests when something below it is laid out again;
    /// that does not count.
    package func onPointerInput(_ handler: @escaping @UIActor () -> Void) {
        guard let controller = gtk_event_controller_legacy_new() else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        var last: (x: Double, y: Double)?
        Object(borrowing: UnsafeMutableRawPointer(controller)).connectEvent { event in
            switch gdk_event_get_event_type(event) {
            case GDK_MOTION_NOTIFY:
                var (x, y) = (0.0, 0.0)
                guard gdk_event_get_position(event, &x, &y) != 0 else { break }
                if let last, last == (x, y) { break }
                last = (x, y)
                handler()
            case GDK_BUTTON_PRESS, GDK_BUTTON_RELEASE, GDK_SCROLL, GDK_TOUCHPAD_PINCH,
                GDK_TOUCH_BEGIN, GDK_TOUCH_UPDATE, GDK_TOUCH_END:
                handler()
            default: break
            }
            return false
        }
        gtk_widget_add_controller(widget, controller)
    }

    /// Calls `handler` for the second press of a double click, with its position.
    package func onDoublePress(_ handler: @escaping @UIActor (Double, Double) -> Void) {
        guard let gesture = gtk_gesture_click_new() else { return }
        gtk_gesture_single_set_button(gesture, guint(GDK_BUTTON_PRIMARY))
        let object = Object(borrowing: UnsafeMutableRawPointer(gesture))
        object.connectPosition("pressed") { count, x, y in
            if count == 2 { handler(x, y) }
        }
        gtk_widget_add_controller(widget, gesture)
    }

    /// Calls `handler` when a finger has stayed in one place for a while, which is then no click.
    package func onLongPress(_ handler: @escaping @UIActor () -> Void) {
        guard let gesture = gtk_gesture_long_press_new() else { return }
        gtk_gesture_single_set_touch_only(gesture, 1)
        gtk_event_controller_set_propagation_phase(gesture, GTK_PHASE_CAPTURE)
        let object = Object(borrowing: UnsafeMutableRawPointer(gesture))
        object.connectPoint("pressed") { _, _ in
            gtk_gesture_set_state(gesture, GTK_EVENT_SEQUENCE_CLAIMED)
            handler()
        }
        gtk_widget_add_controller(widget, gesture)
    }
}
