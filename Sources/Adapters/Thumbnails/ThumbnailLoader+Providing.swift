// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
package import ImageWork
package import Photos
internal import Processes
internal import SystemPackage

/// Why the cache has no thumbnail for a program that reads the cache itself.
package enum ThumbnailFailure: Error, Hashable, Sendable {
    /// Not a regular file, or of a type that no decoder reads.
    case unsupported
    /// The file does not exist, cannot be read, or is on a disk that does not answer in time.
    case unreadable
    /// The file is damaged, or exceeds the limits of a decoder.
    case damaged
    /// The file is a thumbnail.
    case isThumbnail
    /// The thumbnail was made but could not be stored, or the file changed in the meantime.
    case notStored
    /// No decoder could be started, or the request was cancelled.
    case unavailable

    fileprivate init(_ error: DecodeError) {
        switch error {
        case .damaged, .tooLarge, .crashed, .timedOut: self = .damaged
        case .unsupported, .needsLibheif, .needsLibRaw: self = .unsupported
        case .unreadable, .stalled: self = .unreadable
        case .cancelled, .unavailable, .garbage, .miswritten, .locationStays:
            self = .unavailable
        }
    }
}

extension ThumbnailLoader {
    /// Makes sure that the cache has the thumbnail of the current version of a file.
    ///
    /// An existing entry is kept only when every reader would accept it: some programs write dates
    /// that others reject. The name of the entry comes from the URI as given, because readers look
    /// for that name.
    ///
    /// - Parameters:
    ///   - uri: The URI of the file; not trusted.
    ///   - client: The caller; see ``ImageWork/DecoderPool/run(_:on:priority:client:)``.
    /// - Isolation: the caller's; no thread of the caller waits for a disk.
    package func provide(
        _ uri: String, _ size: ThumbnailSize, priority: DecoderPool.Priority, client: String
    ) async throws(ThumbnailFailure) {
        guard uri.utf8.count <= ThumbnailSubject.longestURI, uri.utf8.allSatisfy({ $0 < 0x80 }),
            let path = FileURI.path(uri)
        else { throw .unsupported }
        guard !cache.contains(path) else { throw .isThumbnail }
        let opened = await FileCalls.shared.run(on: path, within: Self.patience) { [cache] _ in
            Result { () throws(ThumbnailFailure) in
                let source = try ThumbnailSource(opening: path, of: uri, cache)
                return (source, CacheFiles(of: source, size, in: cache))
            }
        }
        guard let (source, files) = try opened?.get() else { throw .unreadable }
        let outcome = await obtain(source, size, priority, client: client) { urgency in
            if await isBelieved(files.thumbnail, source, urgency, client) {
                return .found(nil)
            }
            return await isBelieved(files.failure, source, urgency, client) ? .noted : nil
        }
        switch outcome {
        case .found, .made(.success, isStored: true): return
        case .noted: throw .damaged
        case .made(.success, isStored: false): throw .notStored
        case .made(.failure(let error), _): throw ThumbnailFailure(error)
        case nil: throw .unavailable
        }
    }

    /// Whether there is a cache entry that can be read, and every reader would accept it for this
    /// version.
    private func isBelieved(
        _ entry: Descriptor?, _ source: ThumbnailSource, _ urgency: Urgency, _ client: String
    ) async -> Bool {
        guard let entry,
            // An entry that cannot be read is not trusted.
            let claim = try? await decoders.run(
                .readClaim, on: entry, urgency: urgency, client: client)
        else { return false }
        return claim.names(source.subject)
    }
}

extension ThumbnailSource {
    /// Opens the file of a URI, whose thumbnail may be in the cache.
    ///
    /// - Isolation: blocks as long as the file system does.
    fileprivate init(
        opening path: FilePath, of uri: String, _ cache: ThumbnailCache
    ) throws(ThumbnailFailure) {
        let opened: FileCalls.OpenFile
        do throws(Errno) {
            opened = try FileCalls.shared.openNow(path)
        } catch {
            // Callers learn that the file cannot be read, not why, because they can check the path
            // themselves.
            throw .unreadable
        }
        guard opened.information.type == .regular else { throw .unsupported }
        if let place = opened.file.path, cache.contains(place) { throw .isThumbnail }
        self.init(opened.file, opened.information, at: path, uri: uri, isCached: true)
    }
}
