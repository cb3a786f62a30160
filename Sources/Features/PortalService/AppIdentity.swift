// SPDX-License-Identifier: MIT

package import Photos

/// The app behind a caller, as far as its sandbox or the desktop vouches for it.
package struct AppIdentity: Hashable, Sendable {
    /// The kind of sandbox.
    package enum Sandbox: Hashable, Sendable {
        /// The app can read all files of the user and claim any identity.
        case none
        case flatpak
        case snap
    }

    package let sandbox: Sandbox
    package let appID: AppID

    package init(_ sandbox: Sandbox, appID: AppID) {
        self.sandbox = sandbox
        self.appID = appID
    }

    package var isSandboxed: Bool { sandbox != .none }
}

// MARK: - What each kind of app is known by

extension AppIdentity {
    /// Returns the app that a systemd unit was made for; nil if its name contains none.
    ///
    /// - Source: systemd, “Desktop Environment Integration”: `app[-LAUNCHER]-ID-RANDOM.scope` or
    ///   `.slice`, `app[-LAUNCHER]-ID[@RANDOM].service`, with `-` in an id written `\x2d`.
    static func appID(ofUnit unit: String) -> String? {
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

    /// Whether the control groups of a process are those of a snap.
    ///
    /// - Parameter groups: The text of `/proc/PID/cgroup`.
    /// - Source: cgroups(7): lines of `HIERARCHY:CONTROLLERS:PATH`.
    static func isSnap(controlGroups groups: String) -> Bool {
        groups.split(separator: "\n").contains { line in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return false }
            return ["", "freezer", "name=systemd"].contains(fields[1])
                && fields[2].contains("/snap.")
        }
    }

    /// Whether a text is the name of an installed snap, such as `firefox` or `firefox_beta`.
    static func isSnapName(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count)
            && name.allSatisfy { character in
                character.isASCII
                    && (character.isLowercase || character.isNumber || "-_".contains(character))
            }
    }
}
