// SPDX-License-Identifier: MIT

import Desktop
import Files
import Logging
import PhotoLibrary
import Photos
import PickModel
import Processes
import SystemPackage

/// The library as one window reads it, on a queue of its own, and the files that the person brought from
/// elsewhere.
actor LibrarySource {
    private nonisolated let queue = SerialQueue(label: "library-source")
    private var reader: LibraryReader?
    /// Reads for suggestions, so that neither a search nor a thumbnail waits for them.
    private var suggester: LibraryReader?
    /// The files from outside the library, by their ids in this window.
    var others: [AssetID: OtherFile] = [:]
    /// The files that an app shows, by their ids in this window.
    var shown: [AssetID: ShownFile] = [:]
    /// The list of the last load, which the next one may only have to complete.
    private var listing: PhotoListing?
    /// The watch that ``prepare(_:limit:_:_:)`` began.
    private var earlyChanges: AsyncStream<Void>?
    /// What ``prepare(_:limit:_:_:)`` reads.
    private var early:
        (query: PhotoQuery, limit: Int, reading: Task<Result<PhotoList, LibraryError>, Never>)?
    private let logger = Logger(label: "library-source")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    /// Begins to watch the library; see ``PhotoLibrary/LibraryChanges``.
    func changes() -> AsyncStream<Void> {
        defer { earlyChanges = nil }
        return earlyChanges ?? LibraryChanges().stream()
    }

    /// Everything that a window shows of the library.
    ///
    /// - Parameters:
    ///   - known: All photos of the query, if they have just been read.
    ///   - chosen: The photos to look for among those that have gone.
    ///   - accepted: A photo of another type counts as gone.
    func contents(
        _ query: PhotoQuery, known: PhotoList? = nil, chosen: [AssetID], accepted: MediaFilter
    ) async throws(LibraryError) -> LibraryContents {
        let reader = try opened()
        let albums = try await reader.albums(query.filter)
            .withoutRepetitions(keeping: query.album)
        let status = try await reader.status()
        let photos: PhotoList
        if let known {
            photos = known
        } else if let search = query.search {
            photos = try await reader.photos(
                in: query.album, query.filter, matching: search, wanted: query.wanted)
        } else {
            let listing = try await reader.listing(
                in: query.album, query.filter, wanted: query.wanted,
                completing: status.isIndexing ? listing : nil)
            self.listing = listing
            photos = listing.photos
        }
        let existing = try await reader.assets(chosen).filter {
            accepted.acceptedType(of: $0) != nil
        }
        var standIns = try await standIns(for: chosen, reader)
        for asset in existing { if let shown = asset.frameOf { standIns[asset.id] = shown } }
        return LibraryContents(
            albums: albums, photos: photos, status: status,
            gone: Set(chosen).subtracting(existing.map(\.id)).subtracting(others.keys),
            frames: standIns)
    }

    /// The photos of the library that are those among some photos that the person brought: one of the camera
    /// is in the library a moment later.
    private func standIns(
        for chosen: [AssetID], _ reader: LibraryReader
    ) async throws(LibraryError) -> [AssetID: AssetID] {
        let brought = chosen.compactMap { others[$0] }
        let known = try await reader.assets(ofFiles: brought.map(\.version))
        var standIns: [AssetID: AssetID] = [:]
        for (file, asset) in zip(brought, known) {
            if let asset { standIns[file.id] = asset.frameOf ?? asset.id }
        }
        return standIns
    }

    /// The newest photos that match a query.
    func photos(_ query: PhotoQuery, limit: Int) async throws(LibraryError) -> PhotoList {
        if let early, early.query == query, early.limit == limit {
            self.early = nil
            return try await early.reading.value.get()
        }
        return try await opened().photos(
            in: query.album, query.filter, matching: query.search, wanted: query.wanted,
            limit: limit)
    }

    /// Reads the newest photos, and begins to load their thumbnails, before ``photos(_:limit:)`` is
    /// asked for them.
    ///
    /// - Parameter layout: The size of the thumbnails that the grid will need.
    func prepare(
        _ query: PhotoQuery, limit: Int, _ thumbnails: EarlyThumbnails,
        _ layout: @Sendable (PhotoList) -> [(index: Int, pixels: Int)]
    ) async {
        // Before the library is read, so that no change falls between the two.
        earlyChanges = LibraryChanges().stream()
        let reading = Task { () async -> Result<PhotoList, LibraryError> in
            do throws(LibraryError) {
                return .success(
                    try await self.opened().photos(
                        in: query.album, query.filter, wanted: query.wanted, limit: limit))
            } catch {
                return .failure(error)
            }
        }
        early = (query, limit, reading)
        // An error is reported to whoever asks for the photos.
        guard case .success(let photos) = await reading.value else { return }
        for (index, pixels) in layout(photos) {
            guard !Task.isCancelled, let path = await path(of: photos.ids[index]) else { return }
            thumbnails.begin(photos.ids[index], at: path, pixels: pixels)
        }
    }

    func album(ofFolder path: FilePath) async throws(LibraryError) -> AlbumID? {
        try await opened().album(ofFolder: path)
    }

    /// The best path of a photo that the library knows; nil if it is unknown.
    func path(of id: AssetID) async -> FilePath? {
        await paths(of: id).first
    }

    /// The titles of the albums that people put a photo into; none if that cannot be found out.
    func titles(ofAlbumsWith id: AssetID) async -> [String] {
        guard others[id] == nil, shown[id] == nil else { return [] }
        do {
            return try await opened().titles(ofAlbumsWith: id)
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            return []
        }
    }

    /// The burst that a photo is a picture of; nil if it is of none.
    func burst(
        of id: AssetID, _ filter: MediaFilter, wanted: PhotoFilter
    ) async throws(LibraryError) -> Burst? {
        guard others[id] == nil else { return nil }
        do {
            return try await opened().burst(of: id, filter, wanted: wanted)
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            throw error
        }
    }

    /// What a tile says about a photo; nil if it is unknown, or if nobody wants to know any more.
    func caption(of id: AssetID) async -> PhotoCaption? {
        guard !Task.isCancelled else { return nil }
        do {
            return try await opened().caption(of: id)
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            return nil
        }
    }

    /// The version of a photo that the library knows; nil if that cannot be found out.
    func version(of id: AssetID) async -> FileVersion? {
        if let other = others[id] { return other.version }
        do {
            return try await opened().version(of: id)
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            return nil
        }
    }

    /// The versions of photos that the library knows.
    func versions(of ids: [AssetID]) async -> [AssetID: FileVersion] {
        let own = Dictionary(
            ids.compactMap { id in others[id].map { (id, $0.version) } }
        ) { $1 }
        guard own.count < ids.count else { return own }
        do {
            return try await opened().versions(of: ids).merging(own) { $1 }
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            return own
        }
    }

    /// What the library knows of a photo; nil if it is unknown.
    func listed(_ id: AssetID) async -> ListedAsset? {
        if let other = others[id] { return other.listed }
        guard shown[id] == nil else { return nil }
        do {
            return try await opened().listed([id], in: .everything).first
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            return nil
        }
    }

    /// The types of the files of chosen photos of the library that an app receives; see
    /// ``files(of:acceptedBy:copying:onReady:)``.
    func mediaTypes(
        of items: [PickedItem], acceptedBy filters: [MediaFilter]
    ) async -> [MediaType] {
        let ids = items.compactMap { item in
            if case .asset(let id) = item.reference { id } else { nil }
        }
        return await assets(ids).map { filters.acceptedType(of: $0) ?? $0.mediaType }
    }

    /// The photos with these ids that the library knows, in the same order.
    func assets(_ ids: [AssetID]) async -> [Asset] {
        let own = ids.compactMap { others[$0]?.asset }
        guard own.count < ids.count else { return own }
        do {
            let known = try await opened().assets(ids)
            guard !own.isEmpty else { return known }
            let assets = Dictionary((known + own).map { ($0.id, $0) }) { $1 }
            return ids.compactMap { assets[$0] }
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            return own
        }
    }

    /// The paths of a photo that the library knows, best first; none if it is unknown.
    func paths(of id: AssetID) async -> [FilePath] { await files(of: id).map(\.path) }

    /// The files with these paths.
    func files(of id: AssetID) async -> [LocatedFile] {
        if let other = others[id] { return other.located?.files ?? [] }
        guard shown[id] == nil else { return [] }
        do {
            return try await opened().files(of: id)
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            return []
        }
    }

    /// The files of a photo that an app receives; nil if the photo is unknown.
    func located(_ id: AssetID, acceptedBy filters: [MediaFilter]) async -> LocatedAsset? {
        if let other = others[id] { return other.located }
        do {
            return try await opened().located([id], acceptedBy: filters)[id]
        } catch {
            if !Task.isCancelled { logger.error("\(error)") }
            return nil
        }
    }

    /// What the unfinished word of a search may become; nothing if that cannot be found out, or if nobody
    /// wants to know any more.
    ///
    /// - Parameter smartAlbums: The titles of smart albums; nil if no other album may be shown.
    func suggestions(
        _ query: PhotoQuery, smartAlbums: [SmartAlbum: String]?
    ) async -> [SearchSuggestion] {
        guard !Task.isCancelled else { return [] }
        do throws(LibraryError) {
            if suggester == nil { suggester = try LibraryReader(at: LibraryLocation.current) }
            return try await suggester?.suggestions(
                for: query.searchText, in: query.album, query.filter, smartAlbums: smartAlbums)
                ?? []
        } catch {
            if !Task.isCancelled, error.code != .missing { logger.error("\(error)") }
            return []
        }
    }

    private func opened() throws(LibraryError) -> LibraryReader {
        if let reader { return reader }
        // The service may have moved it since the last attempt.
        let opened = try LibraryReader(at: LibraryLocation.current)
        reader = opened
        return opened
    }
}
