// SPDX-License-Identifier: MIT

internal import CGtk

/// The widgets of an interface description.
@UIActor
package final class Builder: Object {
    /// Reads a description.
    ///
    /// Traps if it is invalid, because it is part of our source.
    ///
    /// - Parameter xml: A description in GtkBuilder's format.
    package init(_ xml: [UInt8]) {
        guard let builder = gtk_builder_new() else { preconditionFailure("no builder") }
        var error: UnsafeMutablePointer<GError>?
        gtk_builder_set_translation_domain(builder, "photo-portal")
        let text = xml.map { CChar(bitPattern: $0) }
        guard gtk_builder_add_from_string(builder, text, gssize(text.count), &error) != 0 else {
            preconditionFailure(error.map { String(cString: $0.pointee.message) } ?? "")
        }
        super.init(consuming: UnsafeMutableRawPointer(builder))
    }

    package func window(_ id: String) -> Window { Window(borrowing: object(id)) }
    package func label(_ id: String) -> Label { Label(borrowing: object(id)) }
    package func icon(_ id: String) -> Icon { Icon(borrowing: object(id)) }
    package func button(_ id: String) -> Button { Button(borrowing: object(id)) }
    package func detailsButton(_ id: String) -> DetailsButton {
        DetailsButton(borrowing: object(id))
    }
    package func toggleButton(_ id: String) -> ToggleButton { ToggleButton(borrowing: object(id)) }
    package func menuButton(_ id: String) -> MenuButton { MenuButton(borrowing: object(id)) }
    package func scale(_ id: String) -> Scale { Scale(borrowing: object(id)) }
    package func checkButton(_ id: String) -> CheckButton { CheckButton(borrowing: object(id)) }
    package func progressBar(_ id: String) -> ProgressBar { ProgressBar(borrowing: object(id)) }
    package func statusPage(_ id: String) -> StatusPage { StatusPage(borrowing: object(id)) }
    package func windowTitle(_ id: String) -> WindowTitle { WindowTitle(borrowing: object(id)) }
    package func stack(_ id: String) -> Stack { Stack(borrowing: object(id)) }
    package func box(_ id: String) -> Box { Box(borrowing: object(id)) }
    package func toastOverlay(_ id: String) -> ToastOverlay { ToastOverlay(borrowing: object(id)) }
    package func overlay(_ id: String) -> Overlay { Overlay(borrowing: object(id)) }
    package func flowBox(_ id: String) -> FlowBox { FlowBox(borrowing: object(id)) }
    package func listBox(_ id: String) -> ListBox { ListBox(borrowing: object(id)) }
    package func scrolledWindow(_ id: String) -> ScrolledWindow {
        ScrolledWindow(borrowing: object(id))
    }
    /// - Parameter entry: The id of its field.
    package func searchBar(_ id: String, entry: String) -> SearchBar {
        SearchBar(borrowing: object(id), entry: widget(entry))
    }
    package func widget(_ id: String) -> Widget { Widget(borrowing: object(id)) }

    private func object(_ id: String) -> UnsafeMutableRawPointer {
        guard let object = gtk_builder_get_object(opaque, id) else {
            preconditionFailure("the description has no '\(id)'")
        }
        return UnsafeMutableRawPointer(object)
    }
}
