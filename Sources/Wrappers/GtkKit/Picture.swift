// SPDX-License-Identifier: MIT

internal import CGtk
package import Photos

/// Pixels that can be drawn.
@UIActor
package final class Texture: Object {
    /// Creates a texture from pixels in memory without copying them.
    ///
    /// - Parameters:
    ///   - bytes: Rows top to bottom, `stride` bytes each; they never change.
    ///   - owner: Keeps the bytes in memory; released together with the texture.
    ///   - hasAlpha: Whether pixels are RGBA, with alpha not premultiplied, or RGB.
    /// - Returns: Nil if there are fewer bytes than the rows need: GTK would read beyond them.
    package init?(
        width: Int, height: Int, stride: Int, hasAlpha: Bool, bytes: UnsafeRawBufferPointer,
        owner: some AnyObject & Sendable
    ) {
        let (needed, overflow) = stride.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, stride / (hasAlpha ? 4 : 3) >= width, !overflow,
            needed <= bytes.count
        else { return nil }
        let data = g_bytes_new_with_free_func(
            bytes.baseAddress, gsize(bytes.count),
            { owner in
                guard let owner else { return }
                Unmanaged<AnyObject>.fromOpaque(owner).release()
            }, Unmanaged.passRetained(owner).toOpaque())
        let texture = gdk_memory_texture_new(
            gint(clamping: width), gint(clamping: height),
            hasAlpha ? GDK_MEMORY_R8G8B8A8 : GDK_MEMORY_R8G8B8, data, gsize(stride))
        g_bytes_unref(data)
        guard let texture else { preconditionFailure("gdk_memory_texture_new never fails") }
        super.init(consuming: UnsafeMutableRawPointer(texture))
    }

    /// Creates a texture of one pixel, which shows a colour in any size.
    package init(_ colour: PhotoColour) {
        let pixel = [colour.red, colour.green, colour.blue]
        let data = g_bytes_new(pixel, gsize(pixel.count))
        let texture = gdk_memory_texture_new(
            1, 1, GDK_MEMORY_R8G8B8, data, gsize(pixel.count))
        g_bytes_unref(data)
        guard let texture else { preconditionFailure("gdk_memory_texture_new never fails") }
        super.init(consuming: UnsafeMutableRawPointer(texture))
    }
}

/// A widget that shows a texture.
@UIActor
package final class Picture: Widget {
    /// - Parameter isStretched: Whether the texture always fills the widget exactly, rather than lose
    ///   what does not fit.
    package init(isStretched: Bool = false) {
        super.init(sinking: gtk_picture_new())
        gtk_picture_set_can_shrink(opaque, 1)
        gtk_picture_set_content_fit(
            opaque, isStretched ? GTK_CONTENT_FIT_FILL : GTK_CONTENT_FIT_COVER)
    }

    package var texture: Texture? {
        didSet { gtk_picture_set_paintable(opaque, texture?.opaque) }
    }
}
