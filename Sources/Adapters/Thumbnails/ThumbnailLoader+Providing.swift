// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
package import ImageWork
package import Photos
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
    /// There is a thumbnail, but no place for it, or the file has changed meanwhile.
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
        let source = ThumbnailSource(file, information, at: path, uri: uri, isCached: true)
        let outcome = await obtain(source, size, priority, client: client) { urgency in
            if await isBelieved(cache.path(of: uri, size), source, urgency, client) {
                return .found(nil)
            }
            return await isBelieved(cache.failurePath(of: uri), source, urgency, client)
                ? .noted : nil
        }
        switch outcome {
        case .found, .made(.picture, isStored: true): return
        case .noted: throw .damaged
        case .made(.picture, isStored: false): throw .notStored
        case .made(.failed(let error), _): throw ThumbnailFailure(error)
        case .made, nil: throw .unavailable
        }
    }

    /// Whether a file of the cache shows this version of a file to every reader.
    private func isBelieved(
        _ path: FilePath, _ source: ThumbnailSource, _ urgency: Urgency, _ client: String
    ) async -> Bool {
        guard let cached = try? Descriptor.openForReading(path),
            case .claim(let claim) = await decoders.run(
                .readClaim, on: cached, urgency: urgency, client: client)
        else { return false }
        return claim.names(source.subject)
    }
}
