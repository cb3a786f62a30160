// SPDX-License-Identifier: MIT

import PhotoLibrary
import Photos
import TestSupport

/// What apps ask for in a library of 1,000,000 photos: a page of 100 photos at the beginning and in the
/// middle, and the albums.
struct Pages {
    private static let rounds = 9

    func measure() async throws -> [Row] {
        let library = try await MillionPhotos()
        // Counts the albums.
        try library.store().checkpoint()
        let reader = try LibraryReader(at: library.home.database)
        var rows: [Row] = []
        for (name, offset) in [("first page", 0), ("page in the middle", 500_000)] {
            rows.append(
                try await compare(name, page(from: offset), library) {
                    let page = try await reader.page(
                        of: .all, .everything, in: .everything, from: offset, limit: 100)
                    guard page?.assets.count == 100, page?.total == MillionPhotos.count else {
                        throw NeverHappened(description: "the page has other photos")
                    }
                })
        }
        rows.append(
            try await compare("the albums", Self.albums, library) {
                let albums = try await reader.albums(.everything)
                guard albums.count > 1000 else {
                    throw NeverHappened(description: "there are \(albums.count) albums")
                }
            })
        return rows
    }

    /// What a list shows of each photo.
    private func page(from offset: Int) -> String {
        """
        SELECT asset.key, asset.mediaType, asset.width, asset.height, asset.date,
            asset.hasCaptureDate, asset.rawTypes, asset.isLive, asset.frames, asset.favorite,
            asset.isAnimated, asset.milliseconds, asset.colour, file.name,
            coalesce(adjustment.size, file.size), coalesce(adjustment.modified, file.modified),
            details.title, details.caption, details.keywords, details.rating, details.camera,
            details.lens, details.hasPlace
        FROM asset JOIN file ON file.id = asset.file
        LEFT JOIN adjustment ON adjustment.asset = asset.id
        LEFT JOIN assetDetails AS details ON details.asset = asset.id
        WHERE asset.id IN (
            SELECT id FROM asset WHERE file IS NOT NULL AND inAll = 1
            ORDER BY date DESC, id DESC LIMIT 100 OFFSET \(offset))
        ORDER BY date DESC, asset.id DESC
        """
    }

    private static let albums = """
        SELECT album.key, kind, title, albumContent.mediaType, count, asset.key, date FROM album
        LEFT JOIN albumContent ON albumContent.album = album.id LEFT JOIN asset ON asset.id = cover
        WHERE kind < \(Album.Kind.day.rawValue)
        """

    private func compare(
        _ name: String, _ statement: String, _ library: MillionPhotos,
        _ body: () async throws -> Void
    ) async throws -> Row {
        var ours: [Double] = []
        var theirs: [Double] = []
        // The first round reads the database into the kernel's cache.
        for round in -1..<Self.rounds {
            // The peer tells its second time as well.
            try await body()
            let time = try await milliseconds(body)
            let peer = try await library.peer(statement)
            guard round >= 0 else { continue }
            ours.append(time)
            theirs.append(peer.time)
        }
        return .lessIsBetter(
            "\(name) of 1,000,000 photos", unit: "ms", ours: median(ours), peer: "SQLite alone",
            theirs: median(theirs))
    }
}
