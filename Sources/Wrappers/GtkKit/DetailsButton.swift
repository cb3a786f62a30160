// SPDX-License-Identifier: MIT

internal import CGtk

/// A button that opens a list of facts.
@UIActor
package final class DetailsButton: Widget {
    /// A fact: its name and its text.
    package struct Row: Hashable, Sendable {
        package let name: String
        package let text: String

        package init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    private let popover = Widget(sinking: UnsafeMutableRawPointer(gtk_popover_new()))

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
        gtk_menu_button_set_popover(opaque, popover.widget)
    }

    package var isOpen: Bool { popover.isVisible }

    /// Opens the list, if there are facts.
    package func open() {
        if isSensitive { gtk_menu_button_popup(opaque) }
    }

    /// Replaces the facts; without any, the button cannot be pressed.
    package func show(_ rows: [Row]) {
        isSensitive = !rows.isEmpty
        guard let grid = gtk_grid_new() else { return }
        let table = UnsafeMutableRawPointer(grid).assumingMemoryBound(to: GtkGrid.self)
        gtk_grid_set_column_spacing(table, 12)
        gtk_grid_set_row_spacing(table, 6)
        for (index, row) in rows.enumerated() {
            let name = Label(row.name)
            name.setClass("dim-label")
            name.setAlignedToStart()
            gtk_widget_set_valign(name.widget, GTK_ALIGN_START)
            let text = Label(row.text)
            text.setAlignedToStart()
            text.setWrapped(isCentered: false)
            // As wide as a phone, whatever the size of text.
            text.setMaximumWidth(characters: Int(30 / textScale))
            gtk_grid_attach(table, name.widget, 0, gint(clamping: index), 1, 1)
            gtk_grid_attach(table, text.widget, 1, gint(clamping: index), 1, 1)
        }
        gtk_widget_add_css_class(grid, "photo-details")
        gtk_popover_set_child(popover.pointer(), grid)
    }
}
