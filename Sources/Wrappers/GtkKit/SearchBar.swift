// SPDX-License-Identifier: MIT

internal import CGtk

/// A bar that slides in with a field for the words of a search.
@UIActor
package final class SearchBar: Widget {
    private let entry: Widget

    /// - Parameters:
    ///   - bar: A `GtkSearchBar`.
    ///   - entry: A `GtkSearchEntry` in it.
    init(borrowing bar: UnsafeMutableRawPointer, entry: Widget) {
        self.entry = entry
        super.init(borrowing: bar)
        gtk_search_bar_connect_entry(opaque, entry.opaque)
    }

    /// Whether the bar is shown.
    ///
    /// Opening it gives the focus to the field, closing it clears the field.
    package var isOpen: Bool {
        get { gtk_search_bar_get_search_mode(opaque) != 0 }
        set { gtk_search_bar_set_search_mode(opaque, newValue ? 1 : 0) }
    }

    package var text: String {
        get { String(cString: gtk_editable_get_text(entry.opaque)) }
        set {
            guard newValue != text else { return }
            gtk_editable_set_text(entry.opaque, newValue)
            gtk_editable_set_position(entry.opaque, -1)
        }
    }

    /// Whether keys go to the field.
    package var isFieldFocused: Bool { entry.containsFocus }

    /// Gives the focus to the field, and leaves the text as it is.
    package func focusField() { entry.grabFocus() }

    /// Calls `handler` after each change of the text.
    package func onChange(_ handler: @escaping @UIActor () -> Void) {
        entry.connect("changed", handler)
    }

    /// Calls `handler` when Enter is pressed in the field.
    package func onEnter(_ handler: @escaping @UIActor () -> Void) {
        entry.connect("activate", handler)
    }

    /// Calls `handler` when the bar has been opened or closed, by whatever means.
    package func onOpen(_ handler: @escaping @UIActor () -> Void) {
        connect("notify::search-mode-enabled", handler)
    }

    /// Lets a text that is typed elsewhere in the window go to the field, which opens the bar.
    ///
    /// The field's input method gets the keys. Space, and keys that no widget leaves unused, act as
    /// before.
    package func takeTyping(in window: Window) {
        guard let controller = gtk_event_controller_key_new() else { return }
        let object = Object(borrowing: UnsafeMutableRawPointer(controller))
        object.connectKey("key-pressed") { [weak self] value, state in
            guard let self, !containsFocus, isMapped else { return false }
            let others = GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue | GDK_SUPER_MASK.rawValue
            let character = gdk_keyval_to_unicode(value)
            // Only letters and digits begin a search; Delete has a character as well.
            let isTyped =
                text.isEmpty ? g_unichar_isalnum(character) : g_unichar_isgraph(character)
            guard state.rawValue & others == 0, isTyped != 0,
                let delegate = gtk_editable_get_delegate(entry.opaque)
            else { return false }
            // The part of the entry that handles keys.
            let field = UnsafeMutableRawPointer(delegate).assumingMemoryBound(to: GtkWidget.self)
            guard gtk_event_controller_key_forward(controller, field) != 0 else { return false }
            isOpen = true
            focusField()
            return true
        }
        gtk_widget_add_controller(window.widget, controller)
    }
}
