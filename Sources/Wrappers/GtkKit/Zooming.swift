// SPDX-License-Identifier: MIT

internal import CGtk
import Glibc

extension Widget {
    /// Calls `handler` with a number of steps, positive to enlarge, when the wheel is turned with Ctrl
    /// held, or when two fingers move apart or together on a screen or a touchpad.
    package func onZoom(_ handler: @escaping @UIActor (Int) -> Void) {
        onControlScroll(handler)
        onPinch(handler)
    }

    private func onControlScroll(_ handler: @escaping @UIActor (Int) -> Void) {
        guard let controller = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL)
        else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        var turned = ZoomSteps(length: 1)
        Object(borrowing: UnsafeMutableRawPointer(controller)).connectScroll { _, distance in
            let state = gtk_event_controller_get_current_event_state(controller)
            guard state.rawValue & GDK_CONTROL_MASK.rawValue != 0 else { return false }
            let steps = turned.advance(by: -distance)
            if steps != 0 { handler(steps) }
            return true
        }
        gtk_widget_add_controller(widget, controller)
    }

    private func onPinch(_ handler: @escaping @UIActor (Int) -> Void) {
        guard let gesture = gtk_gesture_zoom_new() else { return }
        gtk_event_controller_set_propagation_phase(gesture, GTK_PHASE_CAPTURE)
        let object = Object(borrowing: UnsafeMutableRawPointer(gesture))
        /// A step for each half by which the fingers have moved apart.
        var turned = ZoomSteps(length: 0.4)
        var last = 1.0
        object.connect("end") {
            turned = ZoomSteps(length: 0.4)
            last = 1
        }
        object.connectNumber("scale-changed") { scale in
            guard scale > 0, last > 0 else { return }
            let steps = turned.advance(by: log(scale / last))
            last = scale
            if steps != 0 { handler(steps) }
        }
        gtk_widget_add_controller(widget, gesture)
    }
}

/// Makes whole steps of small movements.
private struct ZoomSteps {
    /// The movement of a step.
    let length: Double
    private var rest = 0.0

    init(length: Double) {
        self.length = length
    }

    mutating func advance(by distance: Double) -> Int {
        guard distance.isFinite else { return 0 }
        // Back at once, however far it went before.
        if rest * distance < 0 { rest = 0 }
        rest += min(max(distance, -10), 10)
        let steps = Int(rest / length)
        rest -= Double(steps) * length
        return steps
    }
}
