// SPDX-License-Identifier: MIT

/// One version of a file: equal for two open files only if they are the same file, and nobody has
/// changed it in between.
///
/// Programs can set the time of the last change of the content, but not that of the last change of
/// the status, which also changes when a file is renamed.
package struct FileVersion: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    package let byteCount: Int64
    /// When the content changed, in nanoseconds since 1970.
    package let modified: Int64
    /// When the content or the status changed, in nanoseconds since 1970.
    package let changed: Int64

    package init(device: UInt64, inode: UInt64, byteCount: Int64, modified: Int64, changed: Int64) {
        self.device = device
        self.inode = inode
        self.byteCount = byteCount
        self.modified = modified
        self.changed = changed
    }
}
