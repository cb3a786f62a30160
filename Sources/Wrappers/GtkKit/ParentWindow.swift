// SPDX-License-Identifier: MIT

internal import CGtk
internal import Photos

extension Window {
    /// Makes the window transient for a window of another process.
    ///
    /// An unknown identifier, or one of another windowing system, is not an error: the window then
    /// has no parent.
    ///
    /// - Parameter identifier: See ``Photos/ParentWindow``.
    package func setParent(_ identifier: String) {
        // The surface exists only from here on.
        gtk_widget_realize(widget)
        guard let surface = gtk_native_get_surface(opaque) else { return }
        // All our windows ask a question, with or without a parent.
        pp_x11_set_dialog(surface)
        let instance = UnsafeMutableRawPointer(surface)
        switch ParentWindow(identifier) {
        case .x11(let number): pp_x11_set_parent(surface, UInt(number))
        case .wayland(let handle):
            guard isInstance(instance, of: gdk_wayland_toplevel_get_type()) else { return }
            gdk_wayland_toplevel_set_transient_for_exported(surface, handle)
        case nil: return
        }
    }

    private func isInstance(_ instance: UnsafeMutableRawPointer, of type: GType) -> Bool {
        g_type_check_instance_is_a(instance.assumingMemoryBound(to: GTypeInstance.self), type) != 0
    }

    // MARK: - Place

    /// The place of the parent window on the screen; nil if there is none, or if the windowing system tells
    /// nobody, as Wayland.
    package func frame(ofParent identifier: String) -> WindowFrame? {
        guard case .x11(let number) = ParentWindow(identifier),
            let surface = gtk_native_get_surface(opaque)
        else { return nil }
        var frame = pp_frame()
        guard pp_x11_get_frame(surface, UInt(number), &frame) != 0 else { return nil }
        return WindowFrame(frame, scale: gdk_surface_get_scale_factor(surface))
    }

    /// The place of this window on the screen; nil if the windowing system tells nobody.
    package var frame: WindowFrame? {
        guard let surface = gtk_native_get_surface(opaque) else { return nil }
        var frame = pp_frame()
        guard pp_x11_get_own_frame(surface, &frame) != 0 else { return nil }
        return WindowFrame(frame, scale: gdk_surface_get_scale_factor(surface))
    }

    /// Moves the window in front of another one, if the windowing system lets it, and in any case onto the
    /// screen as a whole.
    ///
    /// - Parameters:
    ///   - frame: The place of the other window; nil to stay where it is.
    ///   - isAtLowerEdge: Whether their lower edges meet, rather than their middles.
    package func move(over frame: WindowFrame?, isAtLowerEdge: Bool) {
        guard let surface = gtk_native_get_surface(opaque) else { return }
        var screen = pp_frame()
        var own = pp_frame()
        guard pp_x11_get_frame(surface, 0, &screen) != 0, pp_x11_get_own_frame(surface, &own) != 0
        else { return }
        let scale = Int(gdk_surface_get_scale_factor(surface))
        let (width, height) = (Int(own.width), Int(own.height))
        var (x, y) = (Int(own.x), Int(own.y))
        if let frame {
            x = (frame.x + frame.width / 2) * scale - width / 2
            let middle = (frame.y + frame.height / 2) * scale - height / 2
            y = isAtLowerEdge ? (frame.y + frame.height) * scale - height : middle
        }
        x = max(min(x, Int(screen.width) - width), 0)
        y = max(min(y, Int(screen.height) - height), 0)
        guard (x, y) != (Int(own.x), Int(own.y)) else { return }
        pp_x11_move(surface, gint(clamping: x), gint(clamping: y))
    }
}

/// The place and the size of a window on the screen without its shadow, in layout pixels.
package struct WindowFrame: Hashable, Sendable {
    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int

    /// - Parameter scale: Device pixels per layout pixel.
    fileprivate init(_ frame: pp_frame, scale: gint) {
        x = Int(frame.x / scale)
        y = Int(frame.y / scale)
        width = Int(frame.width / scale)
        height = Int(frame.height / scale)
    }
}
