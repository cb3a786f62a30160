// SPDX-License-Identifier: MIT

/// The window of an app, as portals name it.
///
/// - Source: xdg-desktop-portal, “Common Conventions”, “Parent window identifiers”.
package enum ParentWindow: Hashable, Sendable {
    /// A window of an X server.
    case x11(UInt32)
    /// A handle of the protocol xdg-foreign.
    case wayland(String)

    /// The longest handle, in bytes: several times as long as that of any compositor.
    ///
    /// A message of Wayland has room for 4096 bytes; one that is longer ends the connection, and with it
    /// all windows of the program.
    private static let longestHandle = 256

    /// Reads an identifier; nil for one that can name no window.
    ///
    /// - Parameter identifier: `x11:XID` with the XID in hexadecimal, with or without `0x`, as Chromium
    ///   writes it, or `wayland:HANDLE`.
    package init?(_ identifier: String) {
        let parts = identifier.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "x11":
            let digits = parts[1].hasPrefix("0x") ? parts[1].dropFirst(2) : parts[1]
            // Swift's initializer would also accept a sign.
            guard digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16),
                number != 0
            else { return nil }
            self = .x11(number)
        case "wayland":
            let handle = parts[1].utf8
            guard handle.count <= Self.longestHandle, handle.allSatisfy({ 0x21...0x7E ~= $0 })
            else { return nil }
            self = .wayland(String(parts[1]))
        default: return nil
        }
    }
}
