// SPDX-License-Identifier: MIT

package import SystemPackage

/// Identifies a file or folder, whatever its names are.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(_ information: Stat) {
        device = UInt64(truncatingIfNeeded: information.deviceID.rawValue)
        inode = UInt64(truncatingIfNeeded: information.inode.rawValue)
    }

    /// The identity of what a path leads to now; nil if that is unknown.
    package init?(of path: FilePath) {
        // Callers have nothing to protect or to compare if there is no such file.
        guard let information = try? path.stat() else { return nil }
        self.init(information)
    }
}
