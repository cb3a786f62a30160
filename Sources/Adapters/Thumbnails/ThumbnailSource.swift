// SPDX-License-Identifier: MIT

import Files
import ImageWork
import SystemPackage

/// A file whose thumbnail is wanted, as it was when it was opened.
struct ThumbnailSource: Sendable {
    let file: Descriptor
    let path: FilePath
    let subject: ThumbnailSubject
    /// Whether the cache may have its thumbnail; thumbnails have none.
    let isCached: Bool
    let version: Version

    /// What tells one content of a file from the next.
    struct Version: Hashable, Sendable {
        private let device: DeviceID
        private let inode: Inode
        private let byteCount: Int64
        private let modified: Int64

        init(_ information: Stat) {
            device = information.deviceID
            inode = information.inode
            byteCount = information.size
            modified = information.modifiedNanoseconds
        }
    }

    /// Notes a file of an URI.
    ///
    /// - Parameter information: That of the open file.
    init(
        _ file: Descriptor, _ information: Stat, at path: FilePath, uri: String, isCached: Bool
    ) {
        self.file = file
        self.path = path
        self.isCached = isCached
        subject = ThumbnailSubject(
            uri: uri, modified: information.modifiedSeconds, byteCount: information.size)
        version = Version(information)
    }

    /// Whether the file is what it was, and still in its place: what was made of it may be kept.
    ///
    /// A date in whole seconds cannot tell a file from what it became in the same second.
    var isUnchanged: Bool {
        [try? file.information(), try? path.stat()].allSatisfy { $0.map(Version.init) == version }
    }
}
