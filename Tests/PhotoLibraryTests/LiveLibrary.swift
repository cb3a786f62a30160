// SPDX-License-Identifier: MIT

import Glibc
import ImageWork
import Logging
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport

/// A library of the folders in a test's home, kept up to date by a real indexer.
final class LiveLibrary: Sendable {
    let home: TestHome
    let store: LibraryStore
    let reader: LibraryReader
    /// What it has logged.
    let messages = Recorder<String>()
    private let decoders: DecoderPool
    private let indexer: Indexer
    private let indexing: Task<Void, Never>

    /// Starts a library.
    ///
    /// - Parameters:
    ///   - database: Its database; nil for the usual one of the home.
    ///   - others: Roots beside those of the home.
    ///   - decoder: The program that examines files.
    ///   - readsVideos: Whether it learns more of videos than their type.
    ///   - patience: How long a disk may stand still.
    ///   - savesPower: Whether the computer runs on its battery at first.
    init(
        _ home: TestHome, at database: FilePath? = nil, others: [FilePath] = [],
        excluded: Set<FilePath> = [],
        decoder: FilePath = FilePath(Programs.path("photo-portal-decoder")),
        readsVideos: Bool = false, patience: Duration = .seconds(10), savesPower: Bool = false
    ) throws {
        self.home = home
        let logger = Logger(label: "test") { [messages] _ in RecordingLog(messages: messages) }
        store = try LibraryStore(at: database ?? home.database, logger: logger)
        reader = LibraryReader(store)
        decoders = DecoderPool(
            program: decoder,
            heif: FilePath(Programs.path("photo-portal-heif")),
            videos: readsVideos ? FilePath(Programs.path("photo-portal-video")) : nil, workers: 2)
        indexer = Indexer(
            store: store, decoders: decoders,
            roots: LibraryRoots(
                pictures: [home.pictures], others: [home.downloads] + others, excluded: excluded),
            logger: logger, patience: patience)
        indexing = Task { [indexer] in
            await indexer.setSavesPower(savesPower)
            await indexer.run()
        }
    }

    func setSavesPower(_ saves: Bool) async {
        await indexer.setSavesPower(saves)
    }

    /// Does what the service does whenever an app asks for photos.
    func request() async {
        await indexer.refreshIfIncomplete()
    }

    /// Stops everything, in the same way as the service.
    func close() async {
        indexing.cancel()
        await indexing.value
        decoders.close()
        store.checkpoint()
    }

    /// Waits until the library has examined this many files.
    func settle(files: Int) async throws -> LibraryStatus {
        try await eventually("library of \(files) files") {
            let status = try await reader.status()
            let isSettled = !status.isIndexing && status.pending == 0 && status.files == files
            return isSettled ? status : nil
        }
    }

    /// Waits until an album has this many photos.
    func settle(photos count: Int, in album: AlbumID = .all) async throws -> PhotoList {
        try await eventually("\(count) photos in \(album)") {
            let photos = try await reader.photos(in: album)
            return photos.count == count ? photos : nil
        }
    }

    /// The names of an album's files, newest first.
    func names(in album: AlbumID = .all) async throws -> [String] {
        var names: [String] = []
        for id in try await reader.photos(in: album).ids {
            names.append(try await reader.paths(of: id).first?.lastComponent?.string ?? "?")
        }
        return names
    }

    func id(of path: FilePath) async throws -> AssetID? {
        for id in try await reader.photos(in: .all).ids
        where try await reader.paths(of: id).contains(path) {
            return id
        }
        return nil
    }
}

extension [Album] {
    /// The folders, `all` and `recent`, for tests that know the number of photos in each.
    var withoutLaterSmartAlbums: [Album] {
        filter { $0.kind != .smart || [.all, SmartAlbum.recent.id].contains($0.id) }
    }
}

extension TestHome {
    /// Copies a fixture to the Pictures folder and sets its modification time.
    ///
    /// Pictures of the same content are one photo; `number` makes this one different.
    @discardableResult
    func add(
        _ fixture: String = "jpeg/grey.jpg", as name: String, number: UInt8 = 0, at seconds: Int = 0
    ) throws -> FilePath {
        let path = pictures.appending(FilePath(name).components)
        try write(Fixtures.bytes(fixture) + (number > 0 ? [number] : []), to: path)
        if seconds > 0 { setDate(of: path, seconds) }
        return path
    }
}

/// Keeps messages for a test.
private struct RecordingLog: LogHandler {
    let messages: Recorder<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(messages: Recorder<String>) {
        self.messages = messages
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        messages.note("\(event.message)")
    }
}

/// A time in which this process can open no more files.
final class DescriptorLimit {
    private var old = rlimit()

    init() {
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &old)
        // Descriptors above the limit stay open.
        set(rlimit(rlim_cur: 3, rlim_max: old.rlim_max))
    }

    deinit { lift() }

    /// Ends it.
    func lift() { set(old) }

    private func set(_ limit: rlimit) {
        var limit = limit
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
