// SPDX-License-Identifier: MIT

internal import CGtk

/// A container that leaves the layout of its children to its owner.
///
/// Its height depends on its width. Children are placed while GTK allocates sizes;
/// ``Widget/queueAllocate()`` requests an allocation.
///
/// - Source: GtkCustomLayout.
@UIActor
package final class Canvas: Widget {
    /// Returns the height that the content needs at a given width, in layout pixels.
    package var heightForWidth: @UIActor (Int) -> Int = { _ in 0 }
    /// Returns the height that suits the content at a given width, in layout pixels; nil if that is the one
    /// that it needs.
    package var naturalHeightForWidth: (@UIActor (Int) -> Int)?
    /// Places the children within the given width and height.
    package var allocate: @UIActor (Int, Int) -> Void = { _, _ in }

    private static let key = "photo-portal-canvas"

    package init() {
        super.init(sinking: pp_named_box_new())
        g_object_set_data(pointer(), Self.key, Unmanaged.passUnretained(self).toOpaque())
        let layout = gtk_custom_layout_new(
            { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH },
            { widget, orientation, size, minimum, natural, _, _ in
                let (needed, suitable) = UIActor.assumeIsolated {
                    orientation == GTK_ORIENTATION_VERTICAL && size > 0
                        ? Canvas.of(widget)?.heights(forWidth: Int(size)) ?? (0, 0) : (0, 0)
                }
                minimum?.pointee = gint(clamping: needed)
                natural?.pointee = gint(clamping: suitable)
            },
            { widget, width, height, _ in
                UIActor.assumeIsolated { Canvas.of(widget)?.allocate(Int(width), Int(height)) }
            })
        gtk_widget_set_layout_manager(widget, layout)
    }

    isolated deinit {
        // GTK may allocate the widget once more while its window is being destroyed.
        g_object_set_data(pointer(), Self.key, nil)
    }

    private func heights(forWidth width: Int) -> (needed: Int, suitable: Int) {
        let needed = heightForWidth(width)
        return (needed, max(needed, naturalHeightForWidth?(width) ?? needed))
    }

    package func add(_ child: Widget) {
        gtk_box_append(pointer(), child.widget)
    }

    /// Adds a child that is drawn below all others.
    package func addBelow(_ child: Widget) {
        gtk_box_prepend(pointer(), child.widget)
    }

    /// The height that suits a child, in layout pixels.
    package func naturalHeight(of child: Widget) -> Int {
        var height: gint = 0
        gtk_widget_measure(child.widget, GTK_ORIENTATION_VERTICAL, -1, nil, &height, nil, nil)
        return Int(height)
    }

    /// The width that a child needs, in layout pixels.
    func minimumWidth(of child: Widget) -> Int {
        var width: gint = 0
        gtk_widget_measure(child.widget, GTK_ORIENTATION_HORIZONTAL, -1, &width, nil, nil, nil)
        return Int(width)
    }

    /// The height that a child needs at a given width, in layout pixels.
    func minimumHeight(of child: Widget, inWidth width: Int) -> Int {
        var height: gint = 0
        // GTK asks for no less than the least width.
        gtk_widget_measure(
            child.widget, GTK_ORIENTATION_VERTICAL,
            gint(clamping: max(width, minimumWidth(of: child))), &height, nil, nil, nil)
        return Int(height)
    }

    /// Positions a child; call this only from ``allocate``.
    package func place(_ child: Widget, x: Int, y: Int, width: Int, height: Int) {
        // GTK requires a measurement before each allocation.
        gtk_widget_measure(child.widget, GTK_ORIENTATION_HORIZONTAL, -1, nil, nil, nil, nil)
        var frame = GtkAllocation(
            x: gint(clamping: x), y: gint(clamping: y), width: gint(clamping: width),
            height: gint(clamping: height))
        gtk_widget_size_allocate(child.widget, &frame, -1)
    }

    /// Positions a child, turned around its middle; call this only from ``allocate``.
    ///
    /// - Parameters:
    ///   - x: The middle, in layout pixels.
    ///   - width: The size before it is turned.
    ///   - degrees: Clockwise.
    package func place(
        _ child: Widget, around x: Double, _ y: Double, width: Int, height: Int, degrees: Double
    ) {
        gtk_widget_measure(child.widget, GTK_ORIENTATION_HORIZONTAL, -1, nil, nil, nil, nil)
        var middle = graphene_point_t(x: Float(x), y: Float(y))
        var corner = graphene_point_t(x: -Float(width) / 2, y: -Float(height) / 2)
        // Each call takes over the transform that it is given, and so does the last one.
        let transform = gsk_transform_translate(
            gsk_transform_rotate(gsk_transform_translate(nil, &middle), Float(degrees)), &corner)
        gtk_widget_allocate(
            child.widget, gint(clamping: width), gint(clamping: height), -1, transform)
    }

    private static func of(_ widget: UnsafeMutablePointer<GtkWidget>?) -> Canvas? {
        guard let widget else { return nil }
        let object = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self)
        return g_object_get_data(object, key)
            .map { Unmanaged<Canvas>.fromOpaque($0).takeUnretainedValue() }
    }
}
