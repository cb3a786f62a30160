// SPDX-License-Identifier: MIT

internal import CGtk

/// A list of rows that a person can activate.
@UIActor
package final class ListBox: Widget {
    private var rows: [ListRow] = []

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
        // GTK accepts a heading only in its header function.
        gtk_list_box_set_header_func(
            opaque,
            { row, _, _ in
                guard let row else { return }
                let object = UnsafeMutableRawPointer(row).assumingMemoryBound(to: GObject.self)
                guard let text = g_object_get_data(object, "photo-portal-heading") else {
                    return gtk_list_box_row_set_header(row, nil)
                }
                guard gtk_list_box_row_get_header(row) == nil,
                    let label = gtk_label_new(text.assumingMemoryBound(to: CChar.self))
                else { return }
                gtk_label_set_xalign(OpaquePointer(label), 0)
                gtk_widget_add_css_class(label, "list-heading")
                gtk_list_box_row_set_header(row, label)
            }, nil, nil)
    }

    /// Shows these rows; those that are shown already stay, and with them the focus.
    package func show(_ wanted: [ListRow]) {
        // Not a difference of collections, which takes the square of their counts.
        let staying = Set(wanted.map(ObjectIdentifier.init))
        var rest: [ListRow] = []
        for row in rows {
            if staying.contains(ObjectIdentifier(row)) {
                rest.append(row)
            } else {
                gtk_list_box_remove(opaque, row.widget)
            }
        }
        var movable = Set(rest.map(ObjectIdentifier.init))
        var next = rest.startIndex
        for (index, row) in wanted.enumerated() {
            // Rows that moved up are no longer here.
            while next < rest.endIndex, !movable.contains(ObjectIdentifier(rest[next])) {
                next += 1
            }
            let isShown = movable.remove(ObjectIdentifier(row)) != nil
            if next < rest.endIndex, rest[next] === row {
                next += 1
                continue
            }
            if isShown { gtk_list_box_remove(opaque, row.widget) }
            gtk_list_box_insert(opaque, row.widget, gint(clamping: index))
        }
        rows = wanted
    }

    /// Calls `handler` with the index of a row that a person activates.
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

    /// Whether the row looks selected.
    ///
    /// GTK's own selection follows the keyboard focus; this one does not.
    package var isHighlighted = false {
        didSet {
            guard isHighlighted != oldValue else { return }
            if isHighlighted {
                gtk_widget_set_state_flags(widget, GTK_STATE_FLAG_SELECTED, 0)
            } else {
                gtk_widget_unset_state_flags(widget, GTK_STATE_FLAG_SELECTED)
            }
            setAccessibleSelected(isHighlighted)
        }
    }

    /// A line of text above the row; nil for none.
    package var heading: String? {
        didSet {
            guard heading != oldValue else { return }
            g_object_set_data_full(
                pointer(), Self.headingKey, heading.map { g_strdup($0) }, { g_free($0) })
            gtk_list_box_row_changed(pointer())
        }
    }

    private static let headingKey = "photo-portal-heading"
}
