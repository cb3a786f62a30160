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
}
