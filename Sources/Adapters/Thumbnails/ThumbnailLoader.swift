// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
package import ImageWork
package import Photos
internal import Processes
package import SystemPackage

/// Gets thumbnails from the desktop's cache, or decodes the file and fills the cache.
///
/// Callers that ask for the same thumbnail at the same time share the work, also through copies of
/// a loader.
package struct ThumbnailLoader: Sendable {
    package let cache: ThumbnailCache
    let decoders: DecoderPool
    private let work = SharedWork<WorkKey, ThumbnailOutcome>()

    /// How long a disk may take to answer.
    static let patience = Duration.seconds(10)

    package init(
        cache: ThumbnailCache = ThumbnailCache(), decoders: DecoderPool
    ) {
        self.cache = cache
        self.decoders = decoders
    }

    /// Identifies requests that can share their work.
    private struct WorkKey: Hashable, Sendable {
        let uri: String
        let version: FileVersion
        let size: ThumbnailSize
        let isCached: Bool
    }

    /// The number of callers that wait for a thumbnail another caller has requested.
    package var sharingCount: Int { work.waitingCount }

    /// The types of files that thumbnails can be made of on this machine.
    package func supportedTypes() async -> [MediaType] {
        await decoders.supportedTypes()
    }

    /// Returns the thumbnail of the current version of a file.
    ///
    /// If the cache cannot be read or written, the thumbnail is made every time. Cancelling the
    /// task drops work that has not begun and that no other caller waits for.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the file.
    ///   - size: The square that the thumbnail fits in; a smaller picture is not enlarged.
    /// - Throws: ``ImageWork/DecodeError``, also `.unreadable` when the file cannot be opened, for
    ///   any reason.
    /// - Isolation: none; no thread of the caller waits for a disk.
    @concurrent
    package func thumbnail(
        of path: FilePath, _ size: ThumbnailSize, priority: DecoderPool.Priority
    ) async throws(DecodeError) -> RawPicture {
        try await versioned(path, size, priority: priority).picture
    }

    /// Returns the thumbnail of a file and the version of the file that it shows; otherwise like
    /// ``thumbnail(of:_:priority:)``.
    ///
    /// - Parameter client: Who wants it; see ``ImageWork/DecoderPool/run(_:on:priority:client:)``.
    @concurrent
    package func versioned(
        _ path: FilePath, _ size: ThumbnailSize, priority: DecoderPool.Priority,
        client: String = ""
    ) async throws(DecodeError) -> (picture: RawPicture, version: FileVersion) {
        let opened = await FileCalls.shared.run(on: path) { [cache] _ in
            ThumbnailSource(opening: path, cache).map {
                ($0, CacheFiles(of: $0, size, in: cache))
            }
        }
        guard let opened else { throw .cancelled }
        guard let (source, files) = opened else { throw .unreadable }
        let outcome = await obtain(source, size, priority, client: client) { urgency in
            await find(source, size, files, urgency)
        }
        switch outcome {
        case .found(let picture?), .made(.success(let picture), _):
            return (picture, source.version)
        case .made(.failure(let error), _): throw error
        case .noted: throw .damaged
        case nil: throw .cancelled
        case .found(nil): throw .garbage
        }
    }

    /// Decodes a picture that is none of the person's, such as an icon; the cache has no part in it.
    ///
    /// - Parameter side: The longest side of the result in pixels.
    /// - Throws: ``ImageWork/DecodeError``, `.unreadable` when the file cannot be opened in time.
    @concurrent
    package func picture(of path: FilePath, side: Int) async throws(DecodeError) -> RawPicture {
        guard case .success(let opened)? = await FileCalls.shared.open(path, within: Self.patience),
            opened.information.type == .regular
        else { throw .unreadable }
        return try await decoders.run(.pixels(side: side), on: opened.file, priority: .visible)
    }

    /// Makes and stores a thumbnail if none is found, once for all callers that want it now.
    ///
    /// - Parameter look: Searches the cache; returns nil when the cache has nothing for the file.
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
        do throws(DecodeError) {
            guard source.isCached else {
                let picture = try await decoders.run(
                    .pixels(side: size.pixels), on: source.file, urgency: urgency, client: client)
                return .made(.success(picture), isStored: false)
            }
            let made = try await decoders.run(
                .thumbnail(side: size.pixels, of: source.subject), on: source.file,
                urgency: urgency, client: client)
            let isStored = await FileCalls.shared.run(
                on: source.path, within: Self.patience
            ) { _ in
                source.isUnchanged
                    && store(made.entry, at: cache.path(of: source.subject.uri, size))
            }
            return .made(.success(made.picture), isStored: isStored ?? false)
        } catch {
            if source.isCached, error.isLasting { await noteFailure(of: source, urgency, client) }
            return .made(.failure(error), isStored: false)
        }
    }

    // MARK: - The cache

    /// Returns the entry for this version from the cache, or from a shared repository beside the
    /// file.
    private func find(
        _ source: ThumbnailSource, _ size: ThumbnailSize, _ files: CacheFiles, _ urgency: Urgency
    ) async -> ThumbnailOutcome? {
        let subject = source.subject
        if let file = files.thumbnail,
            let found = await read(file, subject, source, urgency)
        {
            return .found(found)
        }
        for (path, name) in cache.sharedPaths(of: source.path, subject.uri, size) {
            guard case .success(let entry)? = await FileCalls.shared.open(path) else { continue }
            let shared = ThumbnailSubject(
                uri: name, modified: subject.modified, byteCount: subject.byteCount)
            if let found = await read(entry.file, shared, source, urgency) {
                return .found(found)
            }
        }
        guard let file = files.failure, await read(file, subject, source, urgency) != nil
        else { return nil }
        return .noted
    }

    /// Reads a cache entry, which is as trustworthy as the file that it shows; nil unless it can be
    /// read and is of this version of the file.
    private func read(
        _ entry: Descriptor, _ subject: ThumbnailSubject, _ source: ThumbnailSource,
        _ urgency: Urgency
    ) async -> RawPicture? {
        // An entry that cannot be read is made again.
        try? await decoders.run(
            .readThumbnail(subject), on: entry, urgency: urgency,
            origin: await decoders.origin(of: source.file))
    }

    /// Stores a cache entry if possible.
    ///
    /// A full or read-only disk is not an error here: the thumbnail is made again next time.
    ///
    /// - Returns: Whether it was stored.
    /// - Isolation: blocks as long as the file system does.
    @discardableResult
    func store(_ entry: CacheEntry, at path: FilePath) -> Bool {
        guard let bytes = try? MappedMemory(sealed: entry.png) else { return false }
        return (try? cache.write(bytes, to: path)) != nil
    }

    private func noteFailure(
        of source: ThumbnailSource, _ urgency: Urgency, _ client: String
    ) async {
        let isUnchanged = await FileCalls.shared.run(on: source.path, within: Self.patience) { _ in
            source.isUnchanged
        }
        guard isUnchanged == true,
            // Without a mark the file is tried again next time.
            let mark = try? await decoders.run(
                .failureMark(source.subject), on: source.file, urgency: urgency, client: client)
        else { return }
        let path = cache.failurePath(of: source.subject.uri)
        _ = await FileCalls.shared.run(on: path) { _ in store(mark, at: path) }
    }
}

/// The cache entries of a thumbnail and of the failure to make it; nil for those that cannot be opened.
struct CacheFiles: Sendable {
    let thumbnail: Descriptor?
    let failure: Descriptor?

    /// Opens the entries that were written after the last change of a file.
    ///
    /// An entry names a date in whole seconds, and few programs write the size. Of two photos of one
    /// burst that get each other's names, only the time of the change of the status tells, which no
    /// program can set.
    ///
    /// - Isolation: blocks as long as the file system does.
    init(of source: ThumbnailSource, _ size: ThumbnailSize, in cache: ThumbnailCache) {
        let uri = source.subject.uri
        // Most of them do not exist; others are made again.
        thumbnail = Self.open(cache.path(of: uri, size), for: source)
        failure = Self.open(cache.failurePath(of: uri), for: source)
    }

    private static func open(_ path: FilePath, for source: ThumbnailSource) -> Descriptor? {
        guard let entry = try? FileCalls.shared.openNow(path) else { return nil }
        let written = entry.information.modifiedNanoseconds
        return source.version.isShown(byEntryOf: written, now: FileClock.now) ? entry.file : nil
    }
}

extension FileVersion {
    private static let second: Int64 = 1_000_000_000
    /// The longest time between two dates that a file system can tell apart, in nanoseconds; FAT counts
    /// in steps of two seconds.
    private static let coarsest = 2 * second

    /// Whether what was written at a time was written after this version had come to be.
    ///
    /// - Parameters:
    ///   - written: In nanoseconds since 1970.
    ///   - now: The same.
    package func isShown(byEntryOf written: Int64, now: Int64) -> Bool {
        // A time in the future, because a clock was wrong, tells nothing: neither that of an entry, nor
        // that of a photo, whose entries could never be newer.
        guard written <= now else { return false }
        guard changed <= now else { return true }
        // Where only whole seconds are stored, the change may have come after the entry.
        return changed % Self.second == 0 ? written >= changed + Self.coarsest : written >= changed
    }
}

/// The result of a request for one thumbnail.
enum ThumbnailOutcome: Sendable {
    /// The cache has it. The picture is nil when the caller only wanted to know that.
    case found(RawPicture?)
    /// The cache has a failure entry: the thumbnail cannot be made.
    case noted
    case made(Result<RawPicture, DecodeError>, isStored: Bool)

    /// Whether several callers can share the result.
    ///
    /// Callers judge a cache entry differently, and cancelling affects only the caller that
    /// cancels.
    var isForAll: Bool {
        switch self {
        case .found, .noted, .made(.failure(.cancelled), _): false
        case .made: true
        }
    }
}

extension DecodeError {
    /// Whether the same file will fail again, so that another try would be wasted.
    fileprivate var isLasting: Bool {
        switch self {
        case .damaged, .tooLarge, .crashed, .timedOut: true
        case .unsupported, .unreadable, .stalled, .cancelled, .unavailable, .garbage, .miswritten,
            .locationStays, .needsLibheif, .needsLibRaw:
            false
        }
    }
}
