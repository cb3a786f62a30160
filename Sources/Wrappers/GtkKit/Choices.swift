// SPDX-License-Identifier: MIT

internal import CGtk

/// A check box with a label, which wraps where there is little room.
@UIActor
package final class CheckButton: Widget {
    package init(_ label: String) {
        super.init(sinking: gtk_check_button_new())
        // The button's own label does not wrap.
        let text = Label(label)
        text.setWrapped(isCentered: false)
        text.setAlignedToStart()
        // GTK makes room for the height that a window of the least width would need.
        text.setMinimumWidth(characters: min(label.count, Int(20 / textScale)))
        gtk_check_button_set_child(pointer(), text.widget)
        setAccessibleLabel(label)
    }

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    package var isActive: Bool {
        get { gtk_check_button_get_active(pointer()) != 0 }
        set { gtk_check_button_set_active(pointer(), newValue ? 1 : 0) }
    }

    package func onToggle(_ handler: @escaping @UIActor () -> Void) { connect("toggled", handler) }
}

/// A slider for a number.
@UIActor
package final class Scale: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    package var value: Double {
        get { gtk_range_get_value(pointer()) }
        set { gtk_range_set_value(pointer(), newValue) }
    }

    /// The largest value, from 0 on.
    package var limit: Double {
        get { gtk_adjustment_get_upper(gtk_range_get_adjustment(pointer())) }
        set { if newValue != limit { gtk_range_set_range(pointer(), 0, newValue) } }
    }

    package func onChange(_ handler: @escaping @UIActor () -> Void) {
        connect("value-changed", handler)
    }
}

/// A button that opens a popover.
@UIActor
package final class MenuButton: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    /// Whether the popover is open.
    package var isOpen: Bool {
        guard let popover = gtk_menu_button_get_popover(opaque) else { return false }
        return gtk_widget_get_mapped(
            UnsafeMutableRawPointer(popover).assumingMemoryBound(to: GtkWidget.self)) != 0
    }

    /// Calls `handler` when the popover has opened or closed.
    package func onOpenChange(_ handler: @escaping @UIActor () -> Void) {
        guard let popover = gtk_menu_button_get_popover(opaque) else { return }
        let object = Object(borrowing: UnsafeMutableRawPointer(popover))
        object.connect("map", handler)
        object.connect("closed", handler)
    }
}

/// A button that shows the chosen text and opens a list of all texts.
@UIActor
package final class DropDown: Widget {
    /// Creates a list in which the first text is chosen.
    package init(_ texts: [String]) {
        let model = gtk_string_list_new(nil)
        for text in texts { gtk_string_list_append(model, text) }
        // The list takes ownership of the model.
        super.init(sinking: gtk_drop_down_new(model, nil))
        if texts.contains(where: { $0.count > Self.room }) { Self.ellipsizeLabels(in: widget) }
    }

    /// The number of characters of the chosen text for which there is always room.
    private static let room = 10

    /// Lets the chosen text become shorter than it is; that in the list is not here yet.
    private static func ellipsizeLabels(in widget: UnsafeMutablePointer<GtkWidget>) {
        let instance = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GTypeInstance.self)
        if g_type_check_instance_is_a(instance, gtk_label_get_type()) != 0 {
            gtk_label_set_ellipsize(OpaquePointer(widget), PANGO_ELLIPSIZE_END)
            gtk_label_set_width_chars(OpaquePointer(widget), gint(clamping: room))
        }
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            ellipsizeLabels(in: next)
            child = gtk_widget_get_next_sibling(next)
        }
    }

    /// What is chosen from the list, for screen readers.
    package func setName(_ name: String) {
        setAccessibleLabel(name)
        // The button inside, which has the focus, would be called after its type.
        guard let button = gtk_widget_get_first_child(widget) else { return }
        Widget(borrowing: UnsafeMutableRawPointer(button)).setAccessibleLabel(name)
    }

    /// The index of the chosen text; nil if the list is empty.
    package var selected: Int? {
        get {
            let position = gtk_drop_down_get_selected(opaque)
            return position == GTK_INVALID_LIST_POSITION ? nil : Int(position)
        }
        set {
            gtk_drop_down_set_selected(
                opaque, newValue.map { guint(clamping: $0) } ?? GTK_INVALID_LIST_POSITION)
        }
    }

    package func onSelect(_ handler: @escaping @UIActor () -> Void) {
        connect("notify::selected", handler)
    }
}
