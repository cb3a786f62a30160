// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
internal import ImageWork
internal import Photos
internal import Processes
internal import SystemPackage

/// Updates the cache when files are moved, copied or deleted.
///
/// Everything here is best effort: an entry that cannot be read or deleted is stale, and readers
/// notice that by its date.
///
/// - Isolation: the caller's; blocks as long as the cache's disk does, but waits for no other.
/// - Source: Thumbnail Managing Standard 0.9.0, “Deleting thumbnails”.
package struct ThumbnailKeeper: Sendable {
    private let loader: ThumbnailLoader
    private var cache: ThumbnailCache { loader.cache }

    package init(_ loader: ThumbnailLoader) {
        self.loader = loader
    }

    /// Deletes the entries of a file that was deleted.
    package func remove(_ uri: String) {
        for path in cache.paths(of: uri) { try? AtomicFile.remove(path) }
    }

    /// Copies the thumbnails of a file to another file with the same content, date and size.
    ///
    /// - Parameters:
    ///   - old: The URI before the file was moved, or the URI of the original.
    ///   - uri: The URI of the file that exists now.
    package func adopt(from old: String, as uri: String) async {
        guard uri.utf8.count <= ThumbnailSubject.longestURI, uri.utf8.allSatisfy({ $0 < 0x80 }),
            old != uri, let path = FileURI.path(uri), !cache.contains(path),
            case .success(let opened)? = await FileCalls.shared.open(
                path, within: ThumbnailLoader.patience),
            opened.information.type == .regular
        else { return }
        let information = opened.information
        let subject = ThumbnailSubject(
            uri: uri, modified: information.modifiedSeconds, byteCount: information.size)
        for size in ThumbnailSize.allCases {
            guard let cached = try? Descriptor.openForReading(cache.path(of: old, size)),
                // Without an entry to adopt, the thumbnail is made when it is needed.
                let adopted = try? await loader.decoders.run(
                    .adoptThumbnail(of: old, subject), on: cached, priority: .background)
            else { continue }
            loader.store(adopted.entry, at: cache.path(of: uri, size))
        }
    }

    /// Deletes the entries of files below some folders, if the file is gone or was last modified at
    /// or before a time.
    ///
    /// A file counts as gone only if its folder exists: a disk that is not mounted now will come
    /// back.
    ///
    /// - Parameters:
    ///   - bases: Prefixes of URIs, in whole path components.
    ///   - since: Seconds since 1970.
    package func cleanUp(below bases: [String], since: Int64) async {
        for folder in cache.folders {
            for entry in (try? Directory.entries(of: folder)) ?? [] {
                let path = folder.appending(entry.name)
                guard !Task.isCancelled, entry.information.type == .regular,
                    path.extension == "png",
                    let file = try? Descriptor.openForReading(path),
                    // An entry that cannot be read now stays.
                    let claim = try? await loader.decoders.run(
                        .readClaim, on: file, priority: .background),
                    // The name comes from the URI, so an entry can only be removed for its own file.
                    cache.paths(of: claim.uri).contains(path),
                    bases.contains(where: { Self.is(claim.uri, below: $0) })
                else { continue }
                var isStale = claim.modified <= since
                if !isStale { isStale = await Self.isGone(claim.uri) }
                if isStale { try? AtomicFile.remove(path) }
            }
        }
    }

    private static func `is`(_ uri: String, below base: String) -> Bool {
        guard !base.isEmpty else { return false }
        return uri == base || uri.hasPrefix(base.hasSuffix("/") ? base : base + "/")
    }

    /// Whether a file is gone; one whose disk does not answer is not.
    private static func isGone(_ uri: String) async -> Bool {
        guard let path = FileURI.path(uri) else { return false }
        return await FileCalls.shared.run(on: path, within: ThumbnailLoader.patience) { _ in
            do throws(Errno) {
                _ = try withErrno { try path.stat(followTargetSymlink: false) }
                return false
            } catch {
                let folder = try? path.removingLastComponent().stat()
                return error == .noSuchFileOrDirectory && folder?.type == .directory
            }
        } ?? false
    }
}
