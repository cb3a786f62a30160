// SPDX-License-Identifier: MIT

import Processes

/// Programs that mount what nobody else sees.
package enum MountNamespace {
    /// What starts a program in a mount namespace of its own, in which it may mount; nil where
    /// the kernel allows it to nobody.
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

    /// Skips tests where nothing can be mounted, and says so; in CI that is a failure.
    package static var isAvailable: Bool { command != nil }

    package static let skipReason = "neither root nor a user namespace may mount here"
}
