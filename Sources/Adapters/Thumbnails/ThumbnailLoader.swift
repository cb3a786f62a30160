// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
package import ImageWork
package import Photos
package import SystemPackage

/// Gets thumbnails: from the desktop's cache, or by decoding, which also fills the cache.
///
/// Who asks for the same thumbnail at the same time shares the work on it, through all copies of a
/// loader.
package struct ThumbnailLoader: Sendable {
    let cache: ThumbnailCache
    let decoders: DecoderPool
    let videos: VideoFrames
    private let work = SharedWork<WorkKey, ThumbnailOutcome>()

    package init(
        cache: ThumbnailCache = ThumbnailCache(), decoders: DecoderPool,
        videos: VideoFrames = VideoFrames()
    ) {
        self.cache = cache
        self.decoders = decoders
        self.videos = videos
    }

    /// What makes two wishes the same.
    private struct WorkKey: Hashable, Sendable {
        let uri: String
        let version: ThumbnailSource.Version
        let size: ThumbnailSize
        let isCached: Bool
    }

    /// How many callers wait for a thumbnail that is made for another one.
    package var sharingCount: Int { work.waitingCount }

    /// The types that thumbnails can be made of on this machine.
    package func supportedTypes() async -> [MediaType] {
        await decoders.supportedTypes() + videos.supportedTypes
    }

    /// The thumbnail of a file as it is now.
    ///
    /// A cache that cannot be read or written costs time, never the thumbnail. Cancelling the
    /// task drops work that has not begun and that nobody else waits for.
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
        let isCached = !cache.contains(path) && file.path.map { !cache.contains($0) } ?? true
        let source = ThumbnailSource(file, information, at: path, uri: uri, isCached: isCached)
        let outcome = await obtain(source, size, priority) { urgency in
            await find(source, size, urgency)
        }
        switch outcome {
        case .found(let picture?), .made(.picture(let picture, _), _): return picture
        case .made(.failed(let error), _): throw error
        case .noted: throw .damaged
        case nil: throw .cancelled
        case .found(nil), .made: throw .garbage
        }
    }

    /// Makes and stores a thumbnail where none is found, once for all who want it now.
    ///
    /// - Parameter look: Looks into the cache; nil when it has nothing of the file.
    /// - Returns: Nil when the task was cancelled.
    func obtain(
        _ source: ThumbnailSource, _ size: ThumbnailSize, _ priority: DecoderPool.Priority,
        client: String = "", look: (Urgency) async -> ThumbnailOutcome?
    ) async -> ThumbnailOutcome? {
        let key = WorkKey(
            uri: source.subject.uri, version: source.version, size: size,
            isCached: source.isCached)
        return await work.result(of: key, priority, hurry: { decoders.hurry($0) }) { urgency in
            if source.isCached, let found = await look(urgency) { return (found, false) }
            let made = await make(source, size, urgency, client)
            return (made, made.isForAll)
        }
    }

    private func make(
        _ source: ThumbnailSource, _ size: ThumbnailSize, _ urgency: Urgency, _ client: String
    ) async -> ThumbnailOutcome {
        let subject = source.isCached ? source.subject : nil
        let reply = await decode(
            .thumbnail(side: size.pixels, subject: subject), source, size, urgency, client)
        var isStored = false
        if source.isCached, source.isUnchanged {
            if case .picture(_, let png?) = reply {
                isStored = store(png, at: cache.path(of: source.subject.uri, size))
            } else if case .failed(let error) = reply, error.isLasting {
                await noteFailure(of: source, urgency, client)
            }
        }
        return .made(reply, isStored: isStored)
    }

    // MARK: - The cache

    /// What the cache, or a folder that came along with the file, has of this version of it.
    private func find(
        _ source: ThumbnailSource, _ size: ThumbnailSize, _ urgency: Urgency
    ) async -> ThumbnailOutcome? {
        let subject = source.subject
        let own = cache.path(of: subject.uri, size)
        if let found = await read(own, subject, urgency) { return .found(found) }
        for (path, name) in cache.sharedPaths(of: source.path, subject.uri, size) {
            let shared = ThumbnailSubject(
                uri: name, modified: subject.modified, byteCount: subject.byteCount)
            if let found = await read(path, shared, urgency) { return .found(found) }
        }
        let failure = cache.failurePath(of: subject.uri)
        return await read(failure, subject, urgency) == nil ? nil : .noted
    }

    /// A cached thumbnail, nil unless there is one of this version of the file.
    private func read(
        _ path: FilePath, _ subject: ThumbnailSubject, _ urgency: Urgency
    ) async -> RawPicture? {
        guard let file = try? Descriptor.openForReading(path),
            case .picture(let picture, _) = await decoders.run(
                .readThumbnail(subject), on: file, urgency: urgency)
        else { return nil }
        return picture
    }

    /// Stores a file of the cache, if that can be done; one that cannot be stored is made again next time.
    @discardableResult
    func store(_ png: Descriptor, at path: FilePath) -> Bool {
        guard let bytes = try? MappedMemory(sealed: png) else { return false }
        return (try? cache.write(bytes, to: path)) != nil
    }

    private func noteFailure(
        of source: ThumbnailSource, _ urgency: Urgency, _ client: String
    ) async {
        guard
            case .picture(_, let png?) = await decoders.run(
                .failureMark(source.subject), on: source.file, urgency: urgency, client: client)
        else { return }
        store(png, at: cache.failurePath(of: source.subject.uri))
    }
}

/// What became of the wish for one thumbnail.
enum ThumbnailOutcome: Sendable {
    /// The cache has it; the picture, where who looked wanted it.
    case found(RawPicture?)
    /// The cache says that it cannot be made.
    case noted
    case made(DecoderReply, isStored: Bool)

    /// Whether it is the same for everybody: what is good enough in the cache is not, and who gives
    /// up does that alone.
    var isForAll: Bool {
        switch self {
        case .found, .noted, .made(.failed(.cancelled), _): false
        case .made: true
        }
    }
}

extension DecodeError {
    /// Whether the same file will fail again, so that trying again is a waste.
    fileprivate var isLasting: Bool {
        switch self {
        case .damaged, .tooLarge, .crashed, .timedOut: true
        case .unsupported, .unreadable, .cancelled, .unavailable, .garbage: false
        }
    }
}
