// SPDX-License-Identifier: MIT

internal import CGtk

/// A widget for pictures that follow each other quickly: it fills itself with the middle of one.
///
/// A texture would be converted and copied for each frame where GTK draws without a graphics card.
@UIActor
package final class PixelArea: Widget {
    /// Pixels in memory, which are drawn without a copy.
    private final class Surface {
        let pointer: OpaquePointer
        let (width, height): (Int, Int)
        /// Keeps the pixels in memory.
        private let owner: any AnyObject & Sendable

        init?(
            _ width: Int, _ height: Int, _ stride: Int, _ bytes: UnsafeRawBufferPointer,
            _ owner: any AnyObject & Sendable
        ) {
            guard let start = bytes.baseAddress,
                let pointer = cairo_image_surface_create_for_data(
                    UnsafeMutableRawPointer(mutating: start)
                        .assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24,
                    CInt(clamping: width), CInt(clamping: height), CInt(clamping: stride))
            else { return nil }
            self.pointer = pointer
            (self.width, self.height) = (width, height)
            self.owner = owner
            guard cairo_surface_status(pointer) == CAIRO_STATUS_SUCCESS else { return nil }
        }

        deinit { cairo_surface_destroy(pointer) }

        /// A source of these pixels, for drawing that GTK records and repeats later.
        ///
        /// A surface that was recorded is copied when it is released, whether anybody still needs it or not.
        /// A raster source is asked for its pixels each time they are drawn.
        ///
        /// - Returns: A pattern that the caller has to release; it keeps this object as long as it exists.
        func makePattern() -> OpaquePointer? {
            let own = Unmanaged.passRetained(self)
            guard
                let pattern = cairo_pattern_create_raster_source(
                    own.toOpaque(), CAIRO_CONTENT_COLOR, CInt(clamping: width),
                    CInt(clamping: height))
            else {
                own.release()
                return nil
            }
            cairo_raster_source_pattern_set_acquire(
                pattern,
                { _, own, _, _ in Surface.at(own).map { cairo_surface_reference($0.pointer) } },
                { _, _, surface in cairo_surface_destroy(surface) })
            cairo_raster_source_pattern_set_copy(pattern) { _, own, _ in
                own.map { _ = Unmanaged<Surface>.fromOpaque($0).retain() }
                return CAIRO_STATUS_SUCCESS
            }
            cairo_raster_source_pattern_set_finish(pattern) { _, own in
                own.map { Unmanaged<Surface>.fromOpaque($0).release() }
            }
            return pattern
        }

        private static func at(_ own: UnsafeMutableRawPointer?) -> Surface? {
            own.map { Unmanaged<Surface>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    /// The picture in view.
    private var surface: Surface?

    package init() {
        super.init(sinking: gtk_drawing_area_new())
        gtk_drawing_area_set_draw_func(
            pointer(),
            { _, context, width, height, area in
                guard let context, let area else { return }
                UIActor.assumeIsolated {
                    Unmanaged<PixelArea>.fromOpaque(area).takeUnretainedValue()
                        .draw(context, Double(width), Double(height))
                }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    isolated deinit {
        // GTK may draw the widget once more while its window is being destroyed.
        gtk_drawing_area_set_draw_func(pointer(), nil, nil, nil)
    }

    package var isEmpty: Bool { surface == nil }

    /// Shows a picture.
    ///
    /// - Parameters:
    ///   - bytes: Rows top to bottom, `stride` bytes each, of blue, green, red and one unused byte.
    ///   - owner: Keeps the bytes in memory; released once they are no longer drawn.
    /// - Returns: False, and shows what it did before, if there are fewer bytes than the rows need.
    package func show(
        width: Int, height: Int, stride: Int, bytes: UnsafeRawBufferPointer,
        owner: some AnyObject & Sendable
    ) -> Bool {
        let (needed, overflow) = stride.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, stride / 4 >= width, stride.isMultiple(of: 4), !overflow,
            needed <= bytes.count, let surface = Surface(width, height, stride, bytes, owner)
        else { return false }
        self.surface = surface
        gtk_widget_queue_draw(widget)
        return true
    }

    package func clear() {
        surface = nil
        gtk_widget_queue_draw(widget)
    }

    private func draw(_ context: OpaquePointer, _ width: Double, _ height: Double) {
        guard let surface, width > 0, height > 0, let pattern = surface.makePattern() else {
            return
        }
        defer { cairo_pattern_destroy(pattern) }
        let size = (width: Double(surface.width), height: Double(surface.height))
        let scale = max(width / size.width, height / size.height)
        if scale != 1 { cairo_scale(context, scale, scale) }
        // Whole pixels, so that nothing is interpolated where nothing is scaled.
        let x = ((width / scale - size.width) / 2).rounded()
        let y = ((height / scale - size.height) / 2).rounded()
        cairo_translate(context, x, y)
        cairo_set_source(context, pattern)
        cairo_paint(context)
    }
}
