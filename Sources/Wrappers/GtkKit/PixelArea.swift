// SPDX-License-Identifier: MIT

internal import CGtk

/// A widget for pictures that follow each other quickly: it fills itself with the middle of one.
///
/// A texture would be converted and copied for each frame where GTK draws without a graphics card.
@UIActor
package final class PixelArea: Widget {
    /// Pixels in memory, which are drawn without a copy.
    private final class Surface {
        // Sound: only its address is used, which tells our data of a surface from others'.
        nonisolated(unsafe) private static let key = UnsafeMutablePointer<
            cairo_user_data_key_t
        >.allocate(capacity: 1)

        let pointer: OpaquePointer
        let (width, height): (Double, Double)

        init?(
            _ width: Int, _ height: Int, _ stride: Int, _ bytes: UnsafeRawBufferPointer,
            _ owner: some AnyObject & Sendable
        ) {
            guard let start = bytes.baseAddress,
                let pointer = cairo_image_surface_create_for_data(
                    UnsafeMutableRawPointer(mutating: start)
                        .assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_RGB24,
                    CInt(clamping: width), CInt(clamping: height), CInt(clamping: stride))
            else { return nil }
            self.pointer = pointer
            (self.width, self.height) = (Double(width), Double(height))
            let memory = Unmanaged<AnyObject>.passRetained(owner)
            let status = cairo_surface_set_user_data(pointer, Self.key, memory.toOpaque()) {
                owner in
                guard let owner else { return }
                Unmanaged<AnyObject>.fromOpaque(owner).release()
            }
            guard status == CAIRO_STATUS_SUCCESS,
                cairo_surface_status(pointer) == CAIRO_STATUS_SUCCESS
            else {
                if status != CAIRO_STATUS_SUCCESS { memory.release() }
                return nil
            }
        }

        deinit { cairo_surface_destroy(pointer) }
    }

    /// The picture in view, and those that a frame before it may still refer to, oldest first.
    private var surfaces: [Surface] = []

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

    package var isEmpty: Bool { surfaces.isEmpty }

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
        surfaces = surfaces.suffix(2) + [surface]
        gtk_widget_queue_draw(widget)
        return true
    }

    package func clear() {
        surfaces = []
        gtk_widget_queue_draw(widget)
    }

    private func draw(_ context: OpaquePointer, _ width: Double, _ height: Double) {
        guard let surface = surfaces.last, width > 0, height > 0 else { return }
        let scale = max(width / surface.width, height / surface.height)
        if scale != 1 { cairo_scale(context, scale, scale) }
        // Whole pixels, so that nothing is interpolated where nothing is scaled.
        let x = ((width / scale - surface.width) / 2).rounded()
        let y = ((height / scale - surface.height) / 2).rounded()
        cairo_set_source_surface(context, surface.pointer, x, y)
        cairo_paint(context)
    }
}
