// SPDX-License-Identifier: MIT

internal import CGtk

/// A line or a paragraph of text.
@UIActor
package final class Label: Widget {
    package init(_ text: String = "") {
        super.init(sinking: gtk_label_new(text))
    }

    /// An empty label that screen readers read out when it appears.
    static func alert() -> Label { Label(sinking: pp_alert_new()) }

    /// An empty label that screen readers can jump to.
    package static func heading() -> Label { Label(sinking: pp_heading_new()) }

    private override init(sinking raw: UnsafeMutableRawPointer) {
        super.init(sinking: raw)
    }

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    package var text: String {
        get { String(cString: gtk_label_get_text(opaque)) }
        set { gtk_label_set_text(opaque, newValue) }
    }

    /// Ends text that does not fit with an ellipsis.
    package func setEllipsized() {
        gtk_label_set_ellipsize(opaque, PANGO_ELLIPSIZE_END)
    }

    /// Wraps text that does not fit.
    package func setWrapped(isCentered: Bool = true) {
        gtk_label_set_wrap(opaque, 1)
        gtk_label_set_wrap_mode(opaque, PANGO_WRAP_WORD_CHAR)
        if isCentered { gtk_label_set_justify(opaque, GTK_JUSTIFY_CENTER) }
    }

    /// Ends text after so many lines with an ellipsis, if it is wrapped and ellipsized.
    package func setLines(atMost count: Int) {
        gtk_label_set_lines(opaque, gint(clamping: count))
    }

    /// Keeps lines from becoming shorter than about so many characters.
    package func setMinimumWidth(characters: Int) {
        gtk_label_set_width_chars(opaque, gint(clamping: characters))
    }

    /// Lets lines become no longer than about so many characters, if the text wraps.
    func setMaximumWidth(characters: Int) {
        gtk_label_set_max_width_chars(opaque, gint(clamping: characters))
    }

    package func setAlignedToStart() {
        gtk_label_set_xalign(opaque, 0)
    }
}

/// A button with a label or an icon.
@UIActor
package final class Button: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    /// A button with any content; give it a name for screen readers.
    package init(_ child: Widget) {
        super.init(sinking: gtk_button_new())
        gtk_button_set_child(pointer(), child.widget)
    }

    package var label: String {
        get { gtk_button_get_label(pointer()).map { String(cString: $0) } ?? "" }
        set { gtk_button_set_label(pointer(), newValue) }
    }

    /// Shows an icon of the theme in place of the label; give the button a name for screen readers.
    package func setIcon(_ name: String) { gtk_button_set_icon_name(pointer(), name) }

    /// Lets a label of more than `limit` characters lose its middle where there is little room.
    ///
    /// - Parameter room: The number of characters for which there is always room.
    package func setEllipsized(beyond limit: Int, room: Int) {
        guard let text = gtk_button_get_label(pointer()),
            let child = gtk_button_get_child(pointer())
        else { return }
        let isLong = String(cString: text).count > limit
        let label = OpaquePointer(child)
        gtk_label_set_ellipsize(label, isLong ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE)
        gtk_label_set_width_chars(label, isLong ? gint(clamping: room) : -1)
    }

    package func onClick(_ handler: @escaping @UIActor () -> Void) { connect("clicked", handler) }
}

/// A button that stays pressed.
@UIActor
package class ToggleButton: Widget {
    package init() {
        super.init(sinking: gtk_toggle_button_new())
    }

    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    package var isActive: Bool {
        get { gtk_toggle_button_get_active(pointer()) != 0 }
        set { gtk_toggle_button_set_active(pointer(), newValue ? 1 : 0) }
    }

    package func setChild(_ child: Widget) { gtk_button_set_child(pointer(), child.widget) }

    /// Calls `handler` when a person, or an assistive technology, activates the button.
    package func onClick(_ handler: @escaping @UIActor () -> Void) { connect("clicked", handler) }
    package func onToggle(_ handler: @escaping @UIActor () -> Void) { connect("toggled", handler) }
}

/// An icon from the theme, or a picture of that size.
@UIActor
package final class Icon: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    /// Whether the desktop's theme has an icon of this name.
    package static func isInTheme(_ name: String) -> Bool {
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "+"):
                true
            default: false
            }
        }
        guard isName, 1...255 ~= name.utf8.count, let display = gdk_display_get_default(),
            let theme = gtk_icon_theme_get_for_display(display)
        else { return false }
        return gtk_icon_theme_has_icon(theme, name) != 0
    }

    /// Shows another icon of the theme.
    package func setIcon(_ name: String) {
        gtk_image_set_from_icon_name(opaque, name)
    }

    /// Shows a picture in place of an icon.
    package func setPicture(_ texture: Texture) {
        gtk_image_set_from_paintable(opaque, texture.opaque)
    }

    package init(_ name: String, pixels: Int? = nil) {
        super.init(sinking: gtk_image_new_from_icon_name(name))
        if let pixels { gtk_image_set_pixel_size(opaque, gint(clamping: pixels)) }
    }
}

/// A line that shows the progress of a task.
@UIActor
package final class ProgressBar: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    /// Shows a progress of 0 to 1.
    package func setFraction(_ fraction: Double) {
        gtk_progress_bar_set_fraction(opaque, fraction)
    }

    /// Shows a progress of 0 to 1; nil for a step of one whose end is unknown.
    package func show(_ fraction: Double?) {
        if let fraction { setFraction(fraction) } else { gtk_progress_bar_pulse(opaque) }
    }
}

/// A page that says why there is no content.
@UIActor
package final class StatusPage: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    package func set(icon: String, title: String, description: String) {
        adw_status_page_set_icon_name(opaque, icon)
        adw_status_page_set_title(opaque, title)
        // It is read as Pango markup.
        let text = g_markup_escape_text(description, -1)
        adw_status_page_set_description(opaque, text)
        g_free(text)
        // What scrolls inside has the focus if there is nothing else on the page.
        guard let pane = gtk_widget_get_first_child(widget) else { return }
        Widget(borrowing: UnsafeMutableRawPointer(pane)).setAccessibleLabel(title)
    }
}

/// The title and subtitle in a header bar.
@UIActor
package final class WindowTitle: Widget {
    override init(borrowing raw: UnsafeMutableRawPointer) {
        super.init(borrowing: raw)
    }

    package func set(title: String, subtitle: String) {
        adw_window_title_set_title(opaque, title)
        adw_window_title_set_subtitle(opaque, subtitle)
    }
}
