// SPDX-License-Identifier: MIT

import Desktop
import Files
import ImageWork
import Photos
import Processes
import SystemPackage

/// A file whose thumbnail was requested, in the version that was opened.
struct ThumbnailSource: Sendable {
    let file: Descriptor
    let path: FilePath
    let subject: ThumbnailSubject
    /// Whether its thumbnail may be in the cache.
    ///
    /// Thumbnails have no thumbnails.
    let isCached: Bool
    let version: FileVersion

    /// Describes the open file of a URI.
    ///
    /// - Parameter information: The result of `fstat` for the open file.
    init(
        _ file: Descriptor, _ information: Stat, at path: FilePath, uri: String, isCached: Bool
    ) {
        self.file = file
        self.path = path
        self.isCached = isCached
        subject = ThumbnailSubject(
            uri: uri, modified: information.modifiedSeconds, byteCount: information.size)
        version = FileVersion(information)
    }

    /// Opens a file; nil if it cannot be opened, is not a regular file, or has no URI.
    ///
    /// - Isolation: blocks as long as the file system does.
    init?(opening path: FilePath, _ cache: ThumbnailCache) {
        guard let opened = try? FileCalls.shared.openNow(path),
            opened.information.type == .regular, let uri = FileURI.make(path)
        else { return nil }
        let place = opened.file.path
        self.init(
            opened.file, opened.information, at: path, uri: uri,
            isCached: !cache.contains(path) && place.map { !cache.contains($0) } ?? true)
    }

    /// Whether the file still has the same content and path, so that its thumbnail may be stored.
    ///
    /// The date in the thumbnail has whole seconds and would not show a second change in the same
    /// second. A file that cannot be examined counts as changed.
    ///
    /// - Isolation: blocks as long as the file system does.
    var isUnchanged: Bool {
        [try? file.information(), try? path.stat()].allSatisfy {
            $0.map { FileVersion($0) } == version
        }
    }
}
