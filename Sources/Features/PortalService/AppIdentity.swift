// SPDX-License-Identifier: MIT

package import Photos

/// The app behind a caller, as far as its sandbox or the desktop vouches for it.
package struct AppIdentity: Hashable, Sendable {
    /// The kind of sandbox.
    package enum Sandbox: String, Sendable {
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

    /// The name under which decisions about the app are stored, and what it was given.
    ///
    /// Any other program can take a name that begins like that of a snap, and counts as unknown then.
    /// The id of a Flatpak has two dots, and that of a snap has one.
    var storeID: String {
        sandbox == .none && appID.rawValue.hasPrefix("snap.") ? "" : appID.rawValue
    }
}

// MARK: - What each kind of app is known by

extension AppIdentity {
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
