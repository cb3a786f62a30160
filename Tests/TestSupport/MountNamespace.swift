// SPDX-License-Identifier: MIT

import Processes

/// Runs programs with mounts that no other process sees.
package enum MountNamespace {
    /// The command that starts a program in a mount namespace of its own; nil if the kernel does
    /// not allow that.
    package static let command: [String]? = {
        let ways = [["unshare", "-m"], ["unshare", "--user", "--map-root-user", "-m"]]
        let found = ways.first { way in
            let words = way.dropFirst() + ["mount", "-t", "tmpfs", "none", "/mnt"]
            return (try? ProgramOutput.capture(way[0], Array(words), timeout: .seconds(10))) != nil
        }
        precondition(
            found != nil || environmentVariable("PHOTO_PORTAL_CI") == nil,
            "Nothing can be mounted here")
        return found
    }()

    /// Skips a test, with a reason, if nothing can be mounted.
    ///
    /// In CI that is a failure.
    package static var isAvailable: Bool { command != nil }

    package static let skipReason = "neither root nor a user namespace may mount here"
}
