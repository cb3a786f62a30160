// SPDX-License-Identifier: MIT

internal import CGtk

extension Window {
    /// Puts the window before one of another process.
    ///
    /// An identifier that is not understood, or that belongs to another windowing system, leaves
    /// the window on its own: that is not an error.
    ///
    /// - Parameter identifier: `x11:XID` with the XID in hexadecimal, or `wayland:HANDLE` of the
    ///   xdg-foreign protocol.
    package func setParent(_ identifier: String) {
        let parts = identifier.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return }
        // The surface exists only from here on.
        gtk_widget_realize(widget)
        guard let surface = gtk_native_get_surface(opaque) else { return }
        let instance = UnsafeMutableRawPointer(surface)
        switch parts[0] {
        case "x11":
            guard let parent = UInt(parts[1], radix: 16), parent != 0 else { return }
            pp_x11_set_parent(surface, parent)
        case "wayland":
            guard isInstance(instance, of: gdk_wayland_toplevel_get_type()) else { return }
            gdk_wayland_toplevel_set_transient_for_exported(surface, parts[1])
        default: return
        }
    }

    private func isInstance(_ instance: UnsafeMutableRawPointer, of type: GType) -> Bool {
        g_type_check_instance_is_a(instance.assumingMemoryBound(to: GTypeInstance.self), type) != 0
    }
}
