// SPDX-License-Identifier: MIT

internal import CGtk

extension Widget {
    /// Lets clicks through the tooltip, to what is under it.
    ///
    /// GTK shows the tooltip of a large widget at the pointer, where it covers parts of the widget, and a
    /// click on it would be lost.
    package func letClicksThroughTooltip() {
        connectTooltip { [weak self] tooltip in
            guard let text = self?.tooltip else { return false }
            tooltipLabel.text = text
            gtk_tooltip_set_custom(tooltip, tooltipLabel.widget)
            return true
        }
    }
}

/// The text of a tooltip, whose window ignores the pointer.
///
/// There is one, as there is one tooltip at a time.
@UIActor
private let tooltipLabel: Label = {
    let label = Label()
    label.setWrapped(isCentered: false)
    // As in GTK's own tooltips.
    gtk_label_set_max_width_chars(label.opaque, 70)
    label.connect("map") { [weak label] in
        guard let native = gtk_widget_get_native(label?.widget),
            let surface = gtk_native_get_surface(native)
        else { return }
        let nothing = cairo_region_create()
        gdk_surface_set_input_region(surface, nothing)
        cairo_region_destroy(nothing)
    }
    return label
}()
