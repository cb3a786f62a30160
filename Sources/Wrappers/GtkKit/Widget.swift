// SPDX-License-Identifier: MIT

internal import CGtk

/// An element of a window.
@UIActor
package class Widget: Object {
    var widget: UnsafeMutablePointer<GtkWidget> { pointer() }

    /// Whether the widget is visible with the child of a flow box that holds it.
    package var isVisibleWithHolder: Bool {
        get { isVisible }
        set {
            isVisible = newValue
            if let holder = gtk_widget_get_parent(widget) {
                gtk_widget_set_visible(holder, newValue ? 1 : 0)
            }
        }
    }

    package var isVisible: Bool {
        get { gtk_widget_get_visible(widget) != 0 }
        set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
    }

    package var isSensitive: Bool {
        get { gtk_widget_get_sensitive(widget) != 0 }
        set { gtk_widget_set_sensitive(widget, newValue ? 1 : 0) }
    }

    package var tooltip: String? {
        get { gtk_widget_get_tooltip_text(widget).map { String(cString: $0) } }
        set {
            guard newValue != tooltip else { return }
            gtk_widget_set_tooltip_text(widget, newValue)
            // Some versions of GTK do not tell screen readers.
            setAccessible(GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, newValue ?? "")
        }
    }

    /// Whether lines of text, and the widgets beside each other, begin on the right.
    package var isRightToLeft: Bool {
        gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
    }

    /// Whether the pointer of a mouse is over the widget.
    package var isHovered: Bool {
        gtk_widget_get_state_flags(widget).rawValue & GTK_STATE_FLAG_PRELIGHT.rawValue != 0
    }

    /// Whether a button of the mouse, or a finger, was pressed on the widget and not released yet.
    package var isPressed: Bool {
        gtk_widget_get_state_flags(widget).rawValue & GTK_STATE_FLAG_ACTIVE.rawValue != 0
    }

    /// The size on the screen in layout pixels.
    package var size: (width: Int, height: Int) {
        (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
    }

    /// The size of text as a multiple of the platform's default of 11 points at 96 dpi; at least 1.
    ///
    /// - Source: The unit `sp` of AdwLengthUnit, which leaves out the size of the font.
    package var textScale: Double {
        guard let context = gtk_widget_get_pango_context(widget),
            let font = pango_context_get_font_description(context)
        else { return 1 }
        let size = Double(pango_font_description_get_size(font)) / Double(PANGO_SCALE)
        let isInPixels = pango_font_description_get_size_is_absolute(font) != 0
        let pixelsPerPoint = max(96, pango_cairo_context_get_resolution(context)) / 72
        return max(1, (isInPixels ? size : size * pixelsPerPoint) / (11 * 96 / 72))
    }

    /// Device pixels per layout pixel.
    package var scaleFactor: Int { Int(gtk_widget_get_scale_factor(widget)) }

    /// Whether this widget or one inside it has the focus.
    package var containsFocus: Bool {
        guard let root = gtk_widget_get_root(widget), let focus = gtk_root_get_focus(root) else {
            return false
        }
        return focus == widget || gtk_widget_is_ancestor(focus, widget) != 0
    }

    /// Whether Tab and ``grabFocus()`` can focus the widget.
    package var isFocusable: Bool {
        get { gtk_widget_get_focusable(widget) != 0 }
        set { gtk_widget_set_focusable(widget, newValue ? 1 : 0) }
    }

    /// Gives the keyboard focus to the widget, or to one inside it.
    ///
    /// - Returns: Whether it has the focus now.
    @discardableResult
    package func grabFocus() -> Bool { gtk_widget_grab_focus(widget) != 0 }

    /// Whether the widget is in a window on the screen, and not on a page behind another one.
    package var isMapped: Bool { gtk_widget_get_mapped(widget) != 0 }

    /// Calls `handler` when the widget has appeared or disappeared, with the page that it is on.
    package func onMapChange(_ handler: @escaping @UIActor () -> Void) {
        connect("map", handler)
        connect("unmap", handler)
    }

    /// Whether the person has not turned animations off.
    package var showsAnimations: Bool { adw_get_enable_animations(widget) != 0 }

    package func setClass(_ name: String, _ isOn: Bool = true) {
        if isOn {
            gtk_widget_add_css_class(widget, name)
        } else {
            gtk_widget_remove_css_class(widget, name)
        }
    }

    /// Sets the minimum size in layout pixels; nil means that the content decides.
    package func setMinimumSize(width: Int? = nil, height: Int? = nil) {
        gtk_widget_set_size_request(
            widget, gint(clamping: width ?? -1), gint(clamping: height ?? -1))
    }

    /// Whether clicks and the pointer reach what is below the widget.
    package var ignoresPointer: Bool {
        get { gtk_widget_get_can_target(widget) == 0 }
        set { gtk_widget_set_can_target(widget, newValue ? 0 : 1) }
    }

    /// The distance from what is above the widget, in layout pixels.
    package var topMargin: Int {
        get { Int(gtk_widget_get_margin_top(widget)) }
        set { gtk_widget_set_margin_top(widget, gint(clamping: min(max(newValue, 0), 32_767))) }
    }

    /// The distance from what is before the widget in the line, in layout pixels.
    package var startMargin: Int {
        get { Int(gtk_widget_get_margin_start(widget)) }
        set { gtk_widget_set_margin_start(widget, gint(clamping: min(max(newValue, 0), 32_767))) }
    }

    /// Gives the widget its natural height and centers it vertically.
    package func centerVertically() { gtk_widget_set_valign(widget, GTK_ALIGN_CENTER) }

    /// Gives the widget its natural width and centers it horizontally.
    package func centerHorizontally() { gtk_widget_set_halign(widget, GTK_ALIGN_CENTER) }

    /// Does not draw what is outside the widget.
    package func clipContent() { gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN) }

    /// Arranges the widget from left to right in every language.
    package func keepLeftToRight() { gtk_widget_set_direction(widget, GTK_TEXT_DIR_LTR) }

    package func queueAllocate() { gtk_widget_queue_allocate(widget) }
    package func queueResize() { gtk_widget_queue_resize(widget) }
}

// MARK: - Accessibility

extension Widget {
    /// The name that a screen reader announces instead of the widget's own text.
    package func setAccessibleLabel(_ label: String) {
        // Otherwise a widget inside that GTK takes the name from wins, as in a drop-down of GTK 4.18.
        gtk_accessible_reset_relation(opaque, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
        setAccessible(GTK_ACCESSIBLE_PROPERTY_LABEL, label)
    }

    /// Whether the content of the widget is still loading.
    package func setAccessibleBusy(_ isBusy: Bool) {
        var state = GTK_ACCESSIBLE_STATE_BUSY
        var value = GValue()
        g_value_init(&value, GType(5 << 2))  // G_TYPE_BOOLEAN, a macro
        g_value_set_boolean(&value, isBusy ? 1 : 0)
        gtk_accessible_update_state_value(opaque, 1, &state, &value)
        g_value_unset(&value)
    }

    /// Whether the widget is the selected one of its list.
    func setAccessibleSelected(_ isSelected: Bool) {
        var state = GTK_ACCESSIBLE_STATE_SELECTED
        var value = GValue()
        // A state that can also be undefined is an int.
        g_value_init(&value, GType(6 << 2))  // G_TYPE_INT, a macro
        g_value_set_int(&value, isSelected ? 1 : 0)
        gtk_accessible_update_state_value(opaque, 1, &state, &value)
        g_value_unset(&value)
    }

    /// The position, starting at 1, in a list that has widgets only for its visible part.
    package func setAccessiblePosition(_ position: Int, of count: Int) {
        setAccessible(GTK_ACCESSIBLE_RELATION_POS_IN_SET, position)
        setAccessible(GTK_ACCESSIBLE_RELATION_SET_SIZE, count)
    }

    private func setAccessible(_ property: GtkAccessibleProperty, _ text: String) {
        var property = property
        var value = GValue()
        g_value_init(&value, GType(16 << 2))  // G_TYPE_STRING, a macro
        g_value_set_string(&value, text)
        gtk_accessible_update_property_value(opaque, 1, &property, &value)
        g_value_unset(&value)
    }

    private func setAccessible(_ relation: GtkAccessibleRelation, _ number: Int) {
        var relation = relation
        var value = GValue()
        g_value_init(&value, GType(6 << 2))  // G_TYPE_INT, a macro
        g_value_set_int(&value, gint(clamping: number))
        gtk_accessible_update_relation_value(opaque, 1, &relation, &value)
        g_value_unset(&value)
    }
}
