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

    package func append(_ child: Widget, expands: Bool = false) {
        if expands { gtk_widget_set_hexpand(child.widget, 1) }
        gtk_box_append(pointer(), child.widget)
    }
}

/// Widgets side by side that go on in further lines where there is no room.
@UIActor
package final class FlowBox: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    package func append(_ child: Widget) {
        guard let cell = gtk_flow_box_child_new() else { return }
        // What has the focus is the child and not its place.
        gtk_widget_set_focusable(cell, 0)
        gtk_widget_set_halign(cell, GTK_ALIGN_START)
        gtk_widget_set_valign(cell, GTK_ALIGN_CENTER)
        gtk_flow_box_child_set_child(
            UnsafeMutableRawPointer(cell).assumingMemoryBound(to: GtkFlowBoxChild.self),
            child.widget)
        gtk_flow_box_append(opaque, cell)
    }
}

/// A widget with others above it.
@UIActor
package final class Overlay: Widget {
    package init(_ child: Widget) {
        super.init(sinking: gtk_overlay_new())
        gtk_overlay_set_child(opaque, child.widget)
    }

    /// Puts a widget into the upper corner at the end of a line.
    package func addAtTopEnd(_ child: Widget) {
        gtk_widget_set_halign(child.widget, GTK_ALIGN_END)
        gtk_widget_set_valign(child.widget, GTK_ALIGN_START)
        gtk_overlay_add_overlay(opaque, child.widget)
    }

    /// Puts a widget over the whole of the child, whatever size it would like to have.
    package func addFilling(_ child: Widget) {
        gtk_overlay_add_overlay(opaque, child.widget)
    }

    /// Puts a widget into the middle.
    package func addAtCenter(_ child: Widget) {
        gtk_widget_set_halign(child.widget, GTK_ALIGN_CENTER)
        gtk_widget_set_valign(child.widget, GTK_ALIGN_CENTER)
        gtk_overlay_add_overlay(opaque, child.widget)
    }
}

/// Pages of which one is seen.
@UIActor
package final class Stack: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    package func show(_ page: String) {
        gtk_stack_set_visible_child_name(opaque, page)
    }
}

/// Shows short messages above its child.
@UIActor
package final class ToastOverlay: Widget {
    private var current: Object?

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    /// Shows a message for some seconds, in place of the one before.
    package func show(_ message: String) {
        if let current { adw_toast_dismiss(current.opaque) }
        guard let toast = adw_toast_new(message) else { return }
        adw_toast_set_timeout(toast, 4)
        adw_toast_set_priority(toast, ADW_TOAST_PRIORITY_HIGH)
        current = Object(borrowing: UnsafeMutableRawPointer(toast))
        // The overlay takes over the reference that the toast was made with.
        adw_toast_overlay_add_toast(opaque, toast)
    }
}

/// A list of rows of which one is chosen.
@UIActor
package final class ListBox: Widget {
    private var rows: [ListRow] = []

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
        // GTK lets a row have a heading only while it asks for one.
        gtk_list_box_set_header_func(
            opaque,
            { row, _, _ in
                guard let row else { return }
                let object = UnsafeMutableRawPointer(row).assumingMemoryBound(to: GObject.self)
                guard let text = g_object_get_data(object, "photo-portal-heading"),
                    gtk_list_box_row_get_header(row) == nil,
                    let label = gtk_label_new(text.assumingMemoryBound(to: CChar.self))
                else { return }
                gtk_label_set_xalign(OpaquePointer(label), 0)
                gtk_widget_add_css_class(label, "list-heading")
                gtk_list_box_row_set_header(row, label)
            }, nil, nil)
    }

    package func append(_ row: ListRow) {
        rows.append(row)
        gtk_list_box_append(opaque, row.widget)
    }

    package func removeAll() {
        for row in rows { gtk_list_box_remove(opaque, row.widget) }
        rows = []
    }

    package func select(_ index: Int) {
        guard rows.indices.contains(index) else { return }
        gtk_list_box_select_row(opaque, rows[index].pointer())
    }

    /// Calls `handler` with a row's index when a person chooses it.
    package func onActivate(_ handler: @escaping @UIActor (Int) -> Void) {
        connectObject("row-activated") { row in
            guard let row else { return }
            handler(
                Int(gtk_list_box_row_get_index(row.assumingMemoryBound(to: GtkListBoxRow.self))))
        }
    }
}

/// One row of a list.
@UIActor
package final class ListRow: Widget {
    package init(_ child: Widget) {
        super.init(sinking: gtk_list_box_row_new())
        gtk_list_box_row_set_child(pointer(), child.widget)
    }

    /// A line of text above the row; it shows when the row is added to a list.
    package func setHeading(_ text: String) {
        g_object_set_data_full(pointer(), Self.headingKey, g_strdup(text), { g_free($0) })
    }

    private static let headingKey = "photo-portal-heading"
}

/// A place that shows a part of something larger.
@UIActor
package final class ScrolledWindow: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    /// How far the content is scrolled, and how much of it is seen, in layout pixels.
    package var verticalRange: (top: Double, pageHeight: Double) {
        let adjustment = gtk_scrolled_window_get_vadjustment(opaque)
        return (
            gtk_adjustment_get_value(adjustment), gtk_adjustment_get_page_size(adjustment)
        )
    }

    package func scroll(to top: Double) {
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(opaque), top)
    }

    /// Calls `handler` when the content is scrolled or the visible part changes its size.
    package func onScroll(_ handler: @escaping @UIActor () -> Void) {
        guard let adjustment = gtk_scrolled_window_get_vadjustment(opaque) else { return }
        let object = Object(borrowing: UnsafeMutableRawPointer(adjustment))
        object.connect("value-changed", handler)
        object.connect("changed", handler)
    }

    /// Shows a widget of any height; focus does not move it, we do.
    package func setContent(_ content: Widget) {
        guard let viewport = gtk_viewport_new(nil, nil) else { return }
        gtk_viewport_set_scroll_to_focus(OpaquePointer(viewport), 0)
        gtk_viewport_set_child(OpaquePointer(viewport), content.widget)
        gtk_scrolled_window_set_child(opaque, viewport)
    }
}
