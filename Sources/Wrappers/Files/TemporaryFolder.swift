// SPDX-License-Identifier: MIT

internal import CFiles
import Glibc
package import SystemPackage

/// A folder for temporary files that is removed with this object.
package final class TemporaryFolder: Sendable {
    package let path: FilePath

    /// Makes an empty folder that only its owner can enter.
    ///
    /// Nil if it cannot be made, for example because the disk is full.
    package init?(in parent: FilePath) {
        var template = Array("\(parent)/photo-portal-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        path = FilePath(platformString: template)
    }

    deinit {
        path.withPlatformString { pp_remove_tree($0) }
    }
}
