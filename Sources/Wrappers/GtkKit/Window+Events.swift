// SPDX-License-Identifier: MIT

internal import CGtk

extension Window {
    /// An event that a person can cause.
    enum Event {
        case keyPressed(UInt32), keyReleased(UInt32)
        /// A mouse button or a finger.
        case pressed
        /// The end of a press, wherever the pointer is by then.
        case released
        /// GTK has laid out the window and looks where the pointer is by now, with which buttons.
        case movedByLayout
    }

    /// Calls `handler` after each frame that was drawn while the window is visible.
    package func onDrawn(_ handler: @escaping @UIActor () -> Void) {
        onFrame("after-paint") { [weak self] in
            guard let self, gtk_widget_get_mapped(widget) != 0 else { return }
            handler()
        }
    }

    /// Calls `handler` with whether the whole window cannot be seen, as far as the desktop tells.
    package func onConcealment(_ handler: @escaping @UIActor (Bool) -> Void) {
        connect("realize") { [weak self] in
            guard let self, let surface = gtk_native_get_surface(opaque) else { return }
            let toplevel = OpaquePointer(UnsafeMutableRawPointer(surface))
            Object(borrowing: UnsafeMutableRawPointer(surface)).connect("notify::state") {
                handler(gdk_toplevel_get_state(toplevel).rawValue & Self.concealed != 0)
            }
        }
    }

    /// The states of a window that is minimized, or covered.
    ///
    /// - Source: `GDK_TOPLEVEL_STATE_SUSPENDED`, since GTK 4.12.
    private static var concealed: UInt32 { GDK_TOPLEVEL_STATE_MINIMIZED.rawValue | 1 << 16 }

    /// Calls `handler` at a step of each frame, by the name of a signal of `GdkFrameClock`.
    func onFrame(_ step: String, _ handler: @escaping @UIActor () -> Void) {
        guard gtk_widget_get_realized(widget) == 0 else { return watch(step, handler) }
        connect("realize") { [weak self] in self?.watch(step, handler) }
    }

    private func watch(_ step: String, _ handler: @escaping @UIActor () -> Void) {
        guard let clock = gtk_widget_get_frame_clock(widget) else { return }
        Object(borrowing: UnsafeMutableRawPointer(clock)).connect(step, handler)
    }

    /// Calls `handler` after each press of a button of the mouse, or of a finger, has ended and its
    /// click, if it is one, has been handled; not if the next press has begun by then.
    package func onRelease(_ handler: @escaping @UIActor () -> Void) {
        var presses = 0
        onEveryEvent { event in
            switch event {
            case .pressed: presses &+= 1
            case .released:
                let ended = presses
                // The job runs after this event; on a busy machine, after the next ones too.
                Task { if presses == ended { handler() } }
            case .keyPressed, .keyReleased, .movedByLayout: break
            }
            return false
        }
    }

    /// Hides what GTK learns about the pointer while the release of a button waits to be handled.
    ///
    /// GTK makes up a motion, and says in it that no button is pressed any more. Gestures would take
    /// that for a press without an end, and the click would be lost.
    func keepClicks() {
        var isPressed = false
        onEveryEvent { event in
            switch event {
            case .pressed: isPressed = true
            case .released: isPressed = false
            case .movedByLayout: return isPressed
            case .keyPressed, .keyReleased: break
            }
            return false
        }
    }

    /// Calls `handler` for events before any widget sees them.
    ///
    /// - Parameter handler: Returns whether to hide the event from all widgets.
    func onEveryEvent(_ handler: @escaping @UIActor (Event) -> Bool) {
        guard let controller = gtk_event_controller_legacy_new() else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        Object(borrowing: UnsafeMutableRawPointer(controller)).connectEvent { event in
            switch gdk_event_get_event_type(event) {
            case GDK_KEY_PRESS: handler(.keyPressed(gdk_key_event_get_keyval(event)))
            case GDK_KEY_RELEASE: handler(.keyReleased(gdk_key_event_get_keyval(event)))
            case GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN: handler(.pressed)
            case GDK_BUTTON_RELEASE, GDK_TOUCH_END, GDK_TOUCH_CANCEL, GDK_GRAB_BROKEN:
                handler(.released)
            case GDK_MOTION_NOTIFY where gdk_event_get_time(event) == GDK_CURRENT_TIME:
                handler(.movedByLayout)
            default: false
            }
        }
        gtk_widget_add_controller(widget, controller)
    }
}
