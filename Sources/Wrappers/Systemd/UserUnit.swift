// SPDX-License-Identifier: MIT

internal import CSystemd
import Glibc

/// The systemd unit that a process of a person's session belongs to.
package enum UserUnit {
    /// The name of the unit; nil if the process belongs to none.
    ///
    /// - Source: sd_pid_get_user_unit(3).
    package static func name(ofProcess processID: Int32) -> String? {
        var name: UnsafeMutablePointer<CChar>?
        guard sd_pid_get_user_unit(processID, &name) >= 0, let name else { return nil }
        defer { free(name) }
        return String(cString: name)
    }

    /// The app whose unit a process belongs to; nil if it belongs to none.
    package static func appID(ofProcess processID: Int32) -> String? {
        name(ofProcess: processID).flatMap { appID(ofUnit: $0) }
    }

    /// Returns the app that a systemd unit was made for; nil if its name contains none.
    ///
    /// - Source: systemd, “Desktop Environment Integration”: `app[-LAUNCHER]-ID-RANDOM.scope` or
    ///   `.slice`, `app[-LAUNCHER]-ID[@RANDOM].service`, with `-` in an id written `\x2d`.
    package static func appID(ofUnit unit: String) -> String? {
        guard let dot = unit.lastIndex(of: ".") else { return nil }
        var name = unit[..<dot]
        var parts: [Substring]
        switch unit[dot...] {
        case ".scope", ".slice":
            parts = name.split(separator: "-", omittingEmptySubsequences: false)
            parts.removeLast()
        case ".service":
            name = name.prefix { $0 != "@" }
            parts = name.split(separator: "-", omittingEmptySubsequences: false)
            if parts.count > 2, parts.last == "autostart" { parts.removeLast() }
        default: return nil
        }
        guard (2...3).contains(parts.count), parts.first == "app", let id = parts.last, !id.isEmpty
        else { return nil }
        return unescaped(id)
    }

    /// Decodes each `\xNN`; nil for a text that systemd would not write.
    ///
    /// - Source: systemd.unit(5), “String escaping”.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard rest.popFirst() == UInt8(ascii: "x"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
