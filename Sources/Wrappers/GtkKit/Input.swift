// SPDX-License-Identifier: MIT

internal import CGtk

/// The keys that the dialog uses.
///
/// A key on the keypad counts as its counterpart.
package enum Key: Hashable, Sendable {
    case left, right, up, down, home, end, pageUp, pageDown
    case space, enter, escape, tab, delete
    case character(Character)
    case function(Int)
}

/// The modifier keys held down during a key press or a click.
package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    package static let shift = Modifiers(rawValue: 1)
    package static let control = Modifiers(rawValue: 2)
    package static let alt = Modifiers(rawValue: 4)
}

extension Widget {
    /// Calls `handler` for each key pressed in this widget or inside it, before other widgets see it.
    ///
    /// - Parameter handler: Receives the key, the modifiers, and whether the key has been down since an
    ///   earlier call; returns whether it handled the key, which then goes no further.
    package func onKey(_ handler: @escaping @UIActor (Key, Modifiers, Bool) -> Bool) {
        guard let controller = gtk_event_controller_key_new() else { return }
        gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
        let object = Object(borrowing: UnsafeMutableRawPointer(controller))
        var held: Set<UInt32> = []
        (self as? Window)?.onActiveChange { isActive in
            // Where a key is released then is not told.
            if !isActive { held = [] }
        }
        object.connectKey("key-released") { value, _ in
            held.remove(value)
            return false
        }
        object.connectKey("key-pressed") { [weak self] value, state in
            let isRepeated = !held.insert(value).inserted
            if let window = self as? Window, window.inputDelay?.ignores(key: value) == true {
                return true
            }
            let modifiers = Modifiers(state)
            guard let key = Key(value) else { return false }
            let event = gtk_event_controller_get_current_event(controller)
            return handler(
                modifiers.contains(.control) ? key.latin(event) : key, modifiers, isRepeated)
        }
        gtk_widget_add_controller(widget, controller)
    }

    /// Calls `handler` for presses of the primary mouse button or a finger; other widgets see them
    /// too.
    ///
    /// - Parameter handler: Receives the number of presses in a row, the keys held down, and the position
    ///   in the widget.
    package func onPress(
        _ handler: @escaping @UIActor (Int, Modifiers, (x: Double, y: Double)) -> Void
    ) {
        guard let gesture = gtk_gesture_click_new() else { return }
        gtk_gesture_single_set_button(gesture, guint(GDK_BUTTON_PRIMARY))
        gtk_event_controller_set_propagation_phase(gesture, GTK_PHASE_CAPTURE)
        let object = Object(borrowing: UnsafeMutableRawPointer(gesture))
        var row = (count: 0, lastTime: guint32(0))
        object.connectPosition("pressed") { [widget] count, x, y in
            // GTK ends a row with a timer. In a busy window it is late, and the next press counts still.
            let time = gtk_event_controller_get_current_event_time(gesture)
            let isInTime = time &- row.lastTime <= pp_double_click_time(widget)
            row = (count > 1 && isInTime ? row.count + 1 : 1, time)
            let state = gtk_event_controller_get_current_event_state(gesture)
            handler(row.count, Modifiers(state), (x, y))
        }
        gtk_widget_add_controller(widget, gesture)
    }
}

extension Modifiers {
    fileprivate init(_ state: GdkModifierType) {
        self = []
        if state.rawValue & GDK_SHIFT_MASK.rawValue != 0 { insert(.shift) }
        if state.rawValue & GDK_CONTROL_MASK.rawValue != 0 { insert(.control) }
        if state.rawValue & GDK_ALT_MASK.rawValue != 0 { insert(.alt) }
    }
}

extension Key {
    /// The letter that the same key has in another layout of the keyboard, if it has none of the Latin
    /// script in the one in use; otherwise the key itself.
    ///
    /// Shortcuts are Latin letters, and GTK's own are found in the same way.
    fileprivate func latin(_ event: OpaquePointer?) -> Key {
        guard case .character(let character) = self, !character.isASCII, let event,
            gdk_event_get_event_type(event) == GDK_KEY_PRESS
        else { return self }
        var values: UnsafeMutablePointer<guint>?
        var count: gint = 0
        let isMapped = gdk_display_map_keycode(
            gdk_event_get_display(event), gdk_key_event_get_keycode(event), nil, &values, &count)
        defer { g_free(values) }
        guard isMapped != 0, let values, count > 0 else { return self }
        for value in UnsafeBufferPointer(start: values, count: Int(count)) {
            guard case .character(let other)? = Key(value), other.isASCII, other.isLetter
            else { continue }
            return .character(other)
        }
        return self
    }

    fileprivate init?(_ value: UInt32) {
        switch Int32(bitPattern: value) {
        case GDK_KEY_Left, GDK_KEY_KP_Left: self = .left
        case GDK_KEY_Right, GDK_KEY_KP_Right: self = .right
        case GDK_KEY_Up, GDK_KEY_KP_Up: self = .up
        case GDK_KEY_Down, GDK_KEY_KP_Down: self = .down
        case GDK_KEY_Home, GDK_KEY_KP_Home: self = .home
        case GDK_KEY_End, GDK_KEY_KP_End: self = .end
        case GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up: self = .pageUp
        case GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down: self = .pageDown
        case GDK_KEY_space, GDK_KEY_KP_Space: self = .space
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter: self = .enter
        case GDK_KEY_Escape: self = .escape
        // With Shift it is another one.
        case GDK_KEY_Tab, GDK_KEY_KP_Tab, GDK_KEY_ISO_Left_Tab: self = .tab
        case GDK_KEY_Delete, GDK_KEY_KP_Delete: self = .delete
        case GDK_KEY_F9: self = .function(9)
        default:
            let scalar = Unicode.Scalar(gdk_keyval_to_unicode(gdk_keyval_to_lower(value)))
            guard let scalar, scalar.value > 0x20 else { return nil }
            self = .character(Character(scalar))
        }
    }
}
