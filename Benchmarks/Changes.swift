// SPDX-License-Identifier: MIT

import Files
import ImageWork
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport

/// What apps change in a library of 1,000,000 photos: an album of 10,000 is made, and a photo is added, so
/// that a loss of power loses nothing.
struct Changes {
    private static let rounds = 5
    /// One photo takes so little time that another program's writing to the disk shows.
    private static let photoRounds = 25

    func measure() async throws -> [Row] {
        let library = try await MillionPhotos()
        let store = try library.store()
        return [try await albums(store, library), try await photos(store, library)]
    }

    private func albums(_ store: LibraryStore, _ library: MillionPhotos) async throws -> Row {
        let list = try await LibraryReader(store).photos(in: .all, limit: 10_000)
        // The ids that an app names, for the peer.
        try await library.fill(
            """
            CREATE TABLE wanted AS
                SELECT row_number() OVER (ORDER BY date DESC, id DESC) AS place, key FROM asset
                WHERE file IS NOT NULL AND inAll = 1 ORDER BY date DESC, id DESC LIMIT 10000;
            """)
        let photos = list.ids.map { LibraryChange.Photo.asset($0) }
        var ours: [Double] = []
        var theirs: [Double] = []
        for round in -1..<Self.rounds {
            let time = try await milliseconds {
                _ = try await store.perform([
                    .createAlbum(title: "Round \(round)"),
                    .insert(photos, into: .made(by: 0), index: nil),
                ])
            }
            let peer = try await library.peer(
                "BEGIN IMMEDIATE",
                """
                INSERT INTO album (key, kind, title)
                VALUES ('user-' || hex(randomblob(16)), 2, 'Round')
                """,
                """
                INSERT INTO member (album, position, asset)
                SELECT (SELECT max(id) FROM album), place * 1048576, asset.id
                FROM wanted CROSS JOIN asset USING (key)
                """,
                """
                INSERT INTO albumContent (album, mediaType, count, cover)
                SELECT album, mediaType, count(*), (
                    SELECT asset FROM member AS cover WHERE album = member.album
                    ORDER BY position LIMIT 1)
                FROM member JOIN asset ON asset.id = asset
                WHERE album = (SELECT max(id) FROM album) GROUP BY mediaType
                """,
                "COMMIT")
            guard round >= 0 else { continue }
            ours.append(time)
            theirs.append(peer.time)
        }
        return .lessIsBetter(
            "album of 10,000 photos made, of 1,000,000", unit: "ms", ours: median(ours),
            peer: "SQLite alone", theirs: median(theirs))
    }

    private func photos(_ store: LibraryStore, _ library: MillionPhotos) async throws -> Row {
        let pool = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 1)
        defer { pool.close() }
        let roots = LibraryRoots(pictures: [library.home.pictures])
        let intake = PhotoIntake(store: store, roots: roots, decoders: pool, nameKey: [1])
        // Copying files and looking at them is no matter of the library's size. All of it is done before, because
        // the end of a decoder's process takes one of the cores for half of the time that is measured here.
        var arrivals: [Arrival] = []
        for photo in try await Photographs.make(Self.photoRounds + 1) {
            arrivals.append(
                try await intake.receive(
                    Descriptor.openForReading(photo), into: library.home.pictures, for: "app"))
        }
        var ours: [Double] = []
        var theirs: [Double] = []
        for (round, arrival) in arrivals.enumerated() {
            let draft = library.home.scratch.appending("draft-\(round).jpg")
            try library.home.write([UInt8](repeating: 0, count: 100_000), to: draft)
            try Descriptor.openForReading(draft).synchronize()
            let time = try await milliseconds {
                _ = try await store.perform(
                    [.createAsset(file: 0)], adding: [arrival], in: roots)
            }
            let peer = try await peer(
                library, round,
                "PUBLISH \(draft) \(library.home.pictures.appending("peer-\(round).jpg"))")
            guard round > 0 else { continue }
            ours.append(time)
            theirs.append(peer.time)
        }
        return .lessIsBetter(
            "photo added to 1,000,000, with its name", unit: "ms", ours: median(ours),
            peer: "SQLite alone, and rename(2)", theirs: median(theirs))
    }

    /// Adds two photos, with the rows that any library needs which lists, counts and finds them.
    ///
    /// Ours writes a note of the file on its way as well.
    private func peer(
        _ library: MillionPhotos, _ round: Int, _ publish: String
    ) async throws -> (time: Double, answer: Int) {
        // Dates that the library has, a week apart.
        let date = 1_704_110_400 + round * 7 * 86_400
        let day = "strftime('%Y-%m-%d', \(date), 'unixepoch')"
        return try await library.peer(
            "BEGIN IMMEDIATE",
            """
            INSERT INTO asset (key, fingerprint, mediaType, width, height, date, hasCaptureDate,
                file, inAll, day)
            VALUES (randomblob(16), randomblob(16), 'image/jpeg', 4000, 3000, \(date), 1,
                (SELECT max(id) + 1 FROM file), 1, CAST(replace(\(day), '-', '') AS INTEGER))
            """,
            """
            INSERT INTO file (folder, name, device, inode, size, modified, changed, status, asset)
            VALUES (1, randomblob(16), 1, abs(random()), 4000000, 0, 1, 1, last_insert_rowid())
            """,
            """
            INSERT INTO details (file, camera, hasPlace)
            VALUES (last_insert_rowid(), 'Maker Model 1', 0)
            """,
            """
            INSERT INTO assetDetails (asset, camera, hasPlace)
            SELECT asset, 'Maker Model 1', 0 FROM file WHERE id = last_insert_rowid()
            """,
            "UPDATE term SET count = count + 1 WHERE kind = 1 AND text = 'Maker Model 1'",
            """
            INSERT INTO search (rowid, name, title, caption, keywords, camera)
            VALUES (
                last_insert_rowid(), '20240101-120000-1a2b3c4d.jpg', '', '', '', 'Maker Model 1')
            """,
            """
            UPDATE albumContent SET count = count + 1
            WHERE mediaType = 'image/jpeg' AND album IN (
                SELECT id FROM album
                WHERE folder = 1 OR key IN (
                    'all', 'recent', 'moment-' || \(day), 'moment-' || substr(\(day), 1, 7)))
            """,
            "UPDATE state SET value = value + 1 WHERE key = 'files'",
            publish,
            "COMMIT")
    }
}
