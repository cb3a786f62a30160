// SPDX-License-Identifier: MIT

internal import CFiles
package import SystemPackage

/// Facts about file systems.
package enum FileSystem {
    /// Whether a path is in a file system served by a process; false if that is unknown.
    ///
    /// - Source: statfs(2), `FUSE_SUPER_MAGIC`.
    package static func isFUSE(_ path: FilePath) -> Bool {
        path.withPlatformString { pp_is_fuse($0) != 0 }
    }
}
