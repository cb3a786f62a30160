// SPDX-License-Identifier: MIT

internal import Desktop
package import ImageWork
package import Photos
internal import Platform
package import SystemPackage

/// Gets thumbnails: from the desktop's cache, or by decoding, which also fills the cache.
package struct ThumbnailLoader: Sendable {
    let cache: ThumbnailCache
    let decoders: DecoderPool
    let videos: VideoFrames

    package init(
        cache: ThumbnailCache = ThumbnailCache(), decoders: DecoderPool,
        videos: VideoFrames = VideoFrames()
    ) {
        self.cache = cache
        self.decoders = decoders
        self.videos = videos
    }

    /// The types that thumbnails can be made of on this machine.
    package func supportedTypes() async -> [MediaType] {
        await decoders.supportedTypes() + videos.supportedTypes
    }

    /// The thumbnail of a file as it is now.
    ///
    /// A cache that cannot be read or written costs time, never the thumbnail. Cancelling the
    /// task drops work that has not begun.
    ///
    /// - Parameters:
    ///   - path: The file, absolute.
    ///   - size: The square that the picture fits in; a smaller picture stays as it is.
    /// - Throws: ``ImageWork/DecodeError``, also `.unreadable` when the file is gone.
    package func thumbnail(
        of path: FilePath, _ size: ThumbnailSize, priority: DecoderPool.Priority
    ) async throws(DecodeError) -> RawPicture {
        guard let file = try? Descriptor.openForReading(path),
            let information = try? file.information(), information.type == .regular,
            let uri = FileURI.make(path)
        else { throw .unreadable }
        let subject = ThumbnailSubject(
            uri: uri, modified: information.modifiedSeconds, byteCount: information.size)
        let isCached = !cache.contains(path) && file.path.map { !cache.contains($0) } ?? true
        if isCached {
            if let found = await read(cache.path(of: uri, size), subject, priority) { return found }
            for (path, name) in cache.sharedPaths(of: path, uri, size) {
                let shared = ThumbnailSubject(
                    uri: name, modified: subject.modified, byteCount: subject.byteCount)
                if let found = await read(path, shared, priority) { return found }
            }
            if await read(cache.failurePath(of: uri), subject, priority) != nil { throw .damaged }
        }
        let job = DecoderJob.thumbnail(side: size.pixels, subject: isCached ? subject : nil)
        switch await make(job, of: file, at: path, size, priority: priority) {
        case .picture(let picture, let png):
            if let png { store(png, at: cache.path(of: uri, size)) }
            return picture
        case .failed(let error):
            if isCached && error.isLasting { await noteFailure(of: subject, file) }
            throw error
        case .claim, .facts, .stale, .types, .derived, .unchanged: throw .garbage
        }
    }

    /// A cached thumbnail, nil unless there is one of this version of the file.
    func read(
        _ path: FilePath, _ subject: ThumbnailSubject, _ priority: DecoderPool.Priority
    ) async -> RawPicture? {
        guard let file = try? Descriptor.openForReading(path),
            case .picture(let picture, _) = await decoders.run(
                .readThumbnail(subject), on: file, priority: priority)
        else { return nil }
        return picture
    }

    /// Stores a file of the cache, if that can be done; one that cannot be stored is made again next time.
    @discardableResult
    func store(_ png: Descriptor, at path: FilePath) -> Bool {
        guard let bytes = try? MappedMemory(sealed: png) else { return false }
        return (try? cache.write(bytes, to: path)) != nil
    }

    func noteFailure(
        of subject: ThumbnailSubject, _ file: Descriptor, client: String = ""
    ) async {
        guard
            case .picture(_, let png?) = await decoders.run(
                .failureMark(subject), on: file, priority: .background, client: client)
        else { return }
        store(png, at: cache.failurePath(of: subject.uri))
    }
}

extension DecodeError {
    /// Whether the same file will fail again, so that trying again is a waste.
    var isLasting: Bool {
        switch self {
        case .damaged, .tooLarge, .crashed, .timedOut: true
        case .unsupported, .unreadable, .cancelled, .unavailable, .garbage: false
        }
    }
}
