// SPDX-License-Identifier: MIT

internal import CGtk

extension Window {
    /// Makes the window transient for a window of another process.
    ///
    /// An unknown identifier, or one of another windowing system, is not an error: the window then
    /// has no parent.
    ///
    /// - Parameter identifier: `x11:XID` with the XID in hexadecimal, with or without `0x`, or
    ///   `wayland:HANDLE` of the xdg-foreign protocol.
    package func setParent(_ identifier: String) {
        // The surface exists only from here on.
        gtk_widget_realize(widget)
        guard let surface = gtk_native_get_surface(opaque) else { return }
        // All our windows ask a question, with or without a parent.
        pp_x11_set_dialog(surface)
        let parts = identifier.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return }
        let instance = UnsafeMutableRawPointer(surface)
        switch parts[0] {
        case "x11":
            guard let parent = Self.windowNumber(parts[1]) else { return }
            pp_x11_set_parent(surface, UInt(parent))
        case "wayland":
            guard isInstance(instance, of: gdk_wayland_toplevel_get_type()) else { return }
            gdk_wayland_toplevel_set_transient_for_exported(surface, parts[1])
        default: return
        }
    }

    /// The number in an identifier, nil for anything else.
    ///
    /// Chromium writes `0x` before it.
    private static func windowNumber(_ text: String) -> UInt32? {
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        // Swift's initializer would also accept a sign.
        guard digits.allSatisfy(\.isHexDigit) else { return nil }
        return UInt32(digits, radix: 16).flatMap { $0 == 0 ? nil : $0 }
    }

    private func isInstance(_ instance: UnsafeMutableRawPointer, of type: GType) -> Bool {
        g_type_check_instance_is_a(instance.assumingMemoryBound(to: GTypeInstance.self), type) != 0
    }
}
