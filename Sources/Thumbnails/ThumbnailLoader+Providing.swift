// SPDX-License-Identifier: MIT

internal import Desktop
package import ImageWork
package import Photos
internal import Platform
internal import SystemPackage

/// Why the cache has no thumbnail for a reader that looks there itself.
package enum ThumbnailFailure: Error, Hashable, Sendable {
    /// Not a file, or of a kind that is not read.
    case unsupported
    /// The file is gone, or may not be read.
    case unreadable
    /// The file is damaged, or too much for a decoder.
    case damaged
    /// The file is a thumbnail.
    case isThumbnail
    /// There is a thumbnail, but no place for it.
    case notStored
    /// No decoder can be had, or it is not wanted any more.
    case unavailable

    fileprivate init(_ error: DecodeError) {
        switch error {
        case .damaged, .tooLarge, .crashed, .timedOut: self = .damaged
        case .unsupported: self = .unsupported
        case .unreadable: self = .unreadable
        case .cancelled, .unavailable, .garbage: self = .unavailable
        }
    }
}

extension ThumbnailLoader {
    /// Sees to it that the cache has the thumbnail of a file as it is now.
    ///
    /// What is there is kept only when every reader would believe it: some programs write dates
    /// that others refuse. The name in the cache comes from the URI as it is given, since that
    /// is what a reader will look for.
    ///
    /// - Parameters:
    ///   - uri: The file; anybody may have made it up.
    ///   - client: For whom; see ``ImageWork/DecoderPool/run(_:on:priority:client:)``.
    /// - Isolation: the caller's; blocks as long as the file system does.
    package func provide(
        _ uri: String, _ size: ThumbnailSize, priority: DecoderPool.Priority, client: String
    ) async throws(ThumbnailFailure) {
        guard uri.utf8.count <= ThumbnailSubject.longestURI, uri.utf8.allSatisfy({ $0 < 0x80 }),
            let path = FileURI.path(uri)
        else { throw .unsupported }
        guard !cache.contains(path) else { throw .isThumbnail }
        guard let file = try? Descriptor.openForReading(path),
            let information = try? file.information()
        else { throw .unreadable }
        guard information.type == .regular else { throw .unsupported }
        if let place = file.path, cache.contains(place) { throw .isThumbnail }
        let subject = ThumbnailSubject(
            uri: uri, modified: information.modifiedSeconds, byteCount: information.size)
        func isThere(_ path: FilePath) async -> Bool {
            guard let cached = try? Descriptor.openForReading(path),
                case .claim(let claim) = await decoders.run(
                    .readClaim, on: cached, priority: priority, client: client)
            else { return false }
            return claim.names(subject)
        }
        if await isThere(cache.path(of: uri, size)) { return }
        if await isThere(cache.failurePath(of: uri)) { throw .damaged }
        let job = DecoderJob.thumbnail(side: size.pixels, subject: subject)
        let reply = await make(job, of: file, at: path, size, priority: priority, client: client)
        switch reply {
        case .picture(_, let png?):
            guard store(png, at: cache.path(of: uri, size)) else { throw .notStored }
        case .failed(let error):
            if error.isLasting { await noteFailure(of: subject, file, client: client) }
            throw ThumbnailFailure(error)
        case .claim, .derived, .facts, .picture, .stale, .types, .unchanged: throw .unavailable
        }
    }
}
