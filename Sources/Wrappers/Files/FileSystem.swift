// SPDX-License-Identifier: MIT

internal import CFiles
package import SystemPackage

/// What a file system is.
package enum FileSystem {
    /// Whether a path lies in a file system that a process serves; false when nobody can tell.
    ///
    /// - Source: statfs(2), `FUSE_SUPER_MAGIC`.
    package static func isFUSE(_ path: FilePath) -> Bool {
        path.withPlatformString { pp_is_fuse($0) != 0 }
    }
}
