// SPDX-License-Identifier: MIT

import Files
import Logging
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// Databases of earlier releases.
@Suite(.serialized) struct MigrationTests {
    private let home: TestHome
    /// In the database of version 1 the photo `a.jpg` was edited, so its id differs from the one
    /// that a new database would give it.
    private let edited = AssetID("0123456789abcdef0123456789abcdef")

    init() throws {
        home = try TestHome()
    }

    @Test func `a database of version 1 keeps the ids and what apps were given`() async throws {
        try home.add(as: "a.jpg")
        try home.add("png/rgb.png", as: "Sicily/b.png")
        try home.write(
            [0, 0, 0, 20] + Array("ftypisom\0\0\u{2}\0mp41".utf8),
            to: home.pictures.appending("Sicily").appending("c.mp4"))
        try home.write(Array("x\n".utf8), to: home.pictures.appending("notes.txt"))
        try await makeDatabase(version: 1)
        let library = try LiveLibrary(home)
        let status = try await library.settle(files: 4)
        #expect(status.skipped == 1)
        let edited = try #require(edited)
        #expect(try await library.reader.photos(in: .all).ids.contains(edited))
        #expect(try await library.reader.given([edited], to: "org.example.App") == [edited])
        await library.close()
    }

    @Test func `albums of a database of version 1 are counted before anything is indexed`()
        async throws
    {
        try await makeDatabase(version: 1)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try LibraryStore(at: home.database, logger: logger)
        let reader = LibraryReader(store)
        let albums = try await reader.albums().withoutLaterSmartAlbums
        #expect(albums.map(\.count) == [2, 2, 1, 1])
        #expect(albums.prefix(2).map(\.id) == [.all, SmartAlbum.recent.id])
        #expect(albums.suffix(2).map(\.title) == ["Pictures", "Sicily"])
        // All dates are equal, so the photo with the highest row id is the newest of its type.
        #expect(albums.map(\.cover).prefix(2).allSatisfy { $0 == edited })
        #expect(try await reader.status().files == 4)
        store.checkpoint()
    }

    /// What made a database of one version one of the next, as it was released.
    private static let steps = [
        """
        DROP TABLE album;
        CREATE TABLE album (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL,
            title TEXT NOT NULL, folder INTEGER UNIQUE REFERENCES folder(id) ON DELETE CASCADE
        ) STRICT;
        CREATE TABLE albumContent (
            album INTEGER NOT NULL REFERENCES album(id) ON DELETE CASCADE,
            mediaType TEXT NOT NULL, count INTEGER NOT NULL,
            cover INTEGER NOT NULL REFERENCES asset(id), PRIMARY KEY (album, mediaType)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO grdb_migrations VALUES ('2');
        """,
        """
        ALTER TABLE file ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE file ADD COLUMN former INTEGER REFERENCES asset(id);
        INSERT INTO grdb_migrations VALUES ('3');
        """,
        """
        ALTER TABLE given ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE asset ADD COLUMN favorite INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX assetFavorite ON asset(date, id) WHERE favorite = 1;
        CREATE TABLE member (
            album INTEGER NOT NULL REFERENCES album(id) ON DELETE CASCADE,
            position INTEGER NOT NULL, asset INTEGER NOT NULL REFERENCES asset(id),
            PRIMARY KEY (album, position)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX memberOnAsset ON member(asset, album);
        INSERT INTO grdb_migrations VALUES ('4');
        """,
    ]

    @Test func `photos of an earlier release get their texts, and keep their ids`() async throws {
        try home.add(as: "a.jpg")
        try home.add("png/rgb.png", as: "Sicily/b.png")
        try home.add("texts/details.jpg", as: "c.jpg")
        try home.write(
            Fixtures.bytes("sidecar/darktable.xmp"), to: home.pictures.appending("a.xmp"))
        let earlier = try LiveLibrary(home)
        _ = try await earlier.settle(files: 4)
        let ids = try await earlier.reader.photos(in: .all).ids
        let results = try await earlier.store.perform([
            .createAlbum(title: "Überfahrt"),
            .insert([.asset(ids[0])], into: .made(by: 0), index: nil),
        ])
        await earlier.close()
        try await change(EarlierSchema.script(to: 5))
        let library = try LiveLibrary(home)
        func find(_ text: String) async throws -> [AssetID] {
            try await library.reader.photos(
                in: .all, matching: SearchQuery(text, today: .today)
            ).ids
        }
        // Albums at once, photos in the background.
        #expect(try await find("uberfahrt") == [ids[0]])
        try await eventually("the texts") { try await find("summer has a place").count == 1 }
        try await eventually("the sidecar file") { try await find("harbour").count == 1 }
        try await eventually("the names") { try await find("b.png").count == 1 }
        _ = try await library.settle(files: 4)
        #expect(try await library.reader.photos(in: .all).ids == ids)
        let album = try #require(results.first?.album)
        #expect(try await library.reader.photos(in: album).ids == [ids[0]])
        await library.close()
    }

    @Test func `what photos of an earlier release say is in lists at once`() async throws {
        try home.add("texts/details.jpg", as: "a.jpg")
        try home.add("png/rgb.png", as: "b.png")
        try home.write(
            Fixtures.bytes("sidecar/darktable.xmp"), to: home.pictures.appending("b.xmp"))
        let earlier = try LiveLibrary(home)
        _ = try await earlier.settle(files: 3)
        func details(_ reader: LibraryReader) async throws -> [PhotoDetails]? {
            try await reader.page(of: .all, .everything, in: .everything, from: 0, limit: 9)?
                .assets.map(\.details)
        }
        let before = try await details(earlier.reader)
        #expect(before?.contains { $0.isEmpty } == false)
        await earlier.close()
        try await change(EarlierSchema.script(to: 10))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try LibraryStore(at: home.database, logger: logger)
        #expect(try await details(LibraryReader(store)) == before)
        store.checkpoint()
    }

    @Test func `raw files and pictures of an earlier release become one photo`() async throws {
        try home.add(as: "a.jpg")
        let raw = try home.add("raw/adobe.dng", as: "b.dng")
        let earlier = try LiveLibrary(home)
        _ = try await earlier.settle(files: 2)
        let picture = try #require(try await earlier.id(of: home.pictures.appending("a.jpg")))
        let former = try #require(try await earlier.id(of: raw))
        _ = try await earlier.store.perform([.setFavorite([.asset(former)], true)])
        await earlier.close()
        try AtomicFile.rename(raw, to: home.pictures.appending("a.dng"))
        try await change(
            EarlierSchema.script(to: 9)
                + "UPDATE file SET name = CAST('a.dng' AS BLOB) WHERE name = CAST('b.dng' AS BLOB);"
        )
        let library = try LiveLibrary(home)
        #expect(try await library.settle(photos: 1).ids == [picture])
        #expect(try await library.settle(photos: 1, in: SmartAlbum.raw.id).ids == [picture])
        #expect(try await library.settle(photos: 1, in: SmartAlbum.favorites.id).ids == [picture])
        await library.close()
    }

    @Test func `Live Photos and motion photos of an earlier release are found`() async throws {
        try home.add("live/photo.jpg", as: "a.jpg")
        try home.add("live/video.mov", as: "a.mov")
        let motion = try home.add("motion/google.jpg", as: "b.jpg")
        let earlier = try LiveLibrary(home, readsVideos: true)
        _ = try await earlier.settle(files: 3)
        let ids = try await earlier.settle(photos: 2, in: SmartAlbum.live.id).ids
        let id = try #require(try await earlier.id(of: motion))
        await earlier.close()
        // The release had a photo for each file.
        try await change(
            """
            INSERT INTO asset (key, fingerprint, mediaType, width, height, date, hasCaptureDate, file)
                SELECT fingerprint, fingerprint, mediaType, width, height, date, hasCaptureDate, file
                FROM resource;
            UPDATE file SET asset = (SELECT id FROM asset WHERE asset.file = file.id) WHERE role = 2;

            """ + EarlierSchema.script(to: 9))
        let library = try LiveLibrary(home, readsVideos: true)
        #expect(Set(try await library.settle(photos: 2, in: SmartAlbum.live.id).ids) == Set(ids))
        #expect(ids.contains(id))
        #expect(try await library.settle(photos: 2).ids.count == 2)
        _ = try await library.settle(files: 3)
        #expect(try await library.reader.photos(in: .all, .everything).count == 2)
        await library.close()
    }

    @Test func `bursts of an earlier release become one photo each`() async throws {
        try home.add("burst/google.jpg", as: "a.jpg", number: 1, at: 1_000_000)
        try home.add("burst/primary.jpg", as: "b.jpg", number: 2, at: 1_000_001)
        for number in 1...2 {
            try home.add(
                as: "IMG_20240101_120000_BURST00\(number).jpg", number: UInt8(number), at: 900_000)
        }
        let earlier = try LiveLibrary(home)
        _ = try await earlier.settle(files: 4)
        let ids = try await earlier.settle(photos: 2, in: SmartAlbum.bursts.id).ids
        await earlier.close()
        try await change(EarlierSchema.script(to: 12))
        let library = try LiveLibrary(home)
        #expect(try await library.settle(photos: 2, in: SmartAlbum.bursts.id).ids == ids)
        #expect(try await library.settle(photos: 2).ids == ids)
        let albums = try await library.reader.albums().withoutLaterSmartAlbums
        #expect(albums.map(\.count) == [2, 2, 2])
        await library.close()
    }

    @Test(arguments: [1, 2, 3, 4])
    func `a database of any version gets bursts`(version: Int) async throws {
        try home.add(as: "a.jpg")
        try home.add("png/rgb.png", as: "Sicily/b.png")
        for number in 1...3 {
            try home.add("burst/apple.jpg", as: "IMG_000\(number).jpg", number: UInt8(number))
        }
        try await makeDatabase(version: 1, Self.steps.prefix(version - 1).joined())
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        #expect(try await library.reader.photos(in: SmartAlbum.bursts.id).count == 1)
        #expect(try await library.reader.photos(in: .all, .everything).count == 3)
        await library.close()
    }

    @Test(arguments: [1, 2, 3, 4])
    func `a database of any version gets colours and moments`(version: Int) async throws {
        try home.add("preview/matching.jpg", as: "a.jpg", at: 1_700_000_000)
        // The database has this picture already, with another date than its file has now.
        try home.add("png/rgb.png", as: "Sicily/b.png", at: 1_600_000_000)
        try await makeDatabase(version: 1, Self.steps.prefix(version - 1).joined())
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        try await eventually("the colour") {
            try await library.reader.photos(in: .all).colours.map { $0 != nil } == [true, false]
        }
        let days = try await library.reader.moments(
            .day, .everything, in: .everything, from: 0, limit: 9)
        #expect(days.moments.map(\.id.rawValue) == ["moment-2023-11-14", "moment-2020-09-13"])
        await library.close()
    }

    @Test(arguments: EarlierSchema.versions)
    func `photos of an earlier release are in moments at once, and get their colours later`(
        version: Int
    ) async throws {
        try home.add("preview/matching.jpg", as: "a.jpg", at: 1_700_000_000)
        try home.add("raw/adobe.dng", as: "a.dng", at: 1_700_000_000)
        try home.add("png/rgb.png", as: "b.png", at: 1_600_000_000)
        let earlier = try LiveLibrary(home)
        _ = try await earlier.settle(files: 3)
        let list = try await earlier.settle(photos: 2)
        #expect(list.colours.contains { $0 != nil })
        func days(_ reader: LibraryReader) async throws -> [Album] {
            try await reader.moments(.day, .everything, in: .everything, from: 0, limit: 9).moments
        }
        let before = try await days(earlier.reader)
        #expect(before.count == 2)
        await earlier.close()
        try await change(EarlierSchema.script(to: version))
        let library = try LiveLibrary(home)
        #expect(try await days(library.reader).map(\.id) == before.map(\.id))
        try await eventually("the colours") {
            try await library.reader.photos(in: .all) == list
        }
        _ = try await library.settle(files: 3)
        #expect(try await days(library.reader) == before)
        await library.close()
    }

    @Test func `photos of an earlier release are in the new smart albums at once`() async throws {
        try home.add("texts/front-camera.jpg", as: "a.jpg")
        try home.add("png/rgb.png", as: "Screenshot.png")
        let earlier = try LiveLibrary(home)
        _ = try await earlier.settle(files: 2)
        await earlier.close()
        try await change(EarlierSchema.script(to: 8))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try LibraryStore(at: home.database, logger: logger)
        let albums = try await LibraryReader(store).albums()
        for album in [SmartAlbum.selfies, .screenshots] {
            #expect(albums.first { $0.id == album.id }?.count == 1, "\(album)")
        }
        store.checkpoint()
    }

    @Test(arguments: [1, 2, 3, 4])
    func `a database of any version lets people make albums`(version: Int) async throws {
        try home.add(as: "a.jpg")
        try home.add("png/rgb.png", as: "Sicily/b.png")
        try await makeDatabase(version: 1, Self.steps.prefix(version - 1).joined())
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let edited = try #require(edited)
        #expect(try await library.reader.given([edited], to: "org.example.App") == [edited])
        // Whether it was given as a whole is not known.
        let seen = try await library.reader.page(
            of: .all, .everything, in: .given(to: "org.example.App"), from: 0, limit: 1)
        #expect(seen?.total == 0)
        let start = try await library.store.follow(.everything)
        let results = try await library.store.perform([
            .createAlbum(title: "Spring"), .insert([.asset(edited)], into: .made(by: 0), index: 0),
            .setFavorite([.asset(edited)], true),
        ])
        let changes = try await library.reader.changes(since: start, in: .everything, limit: 9)
        #expect(changes?.assets.updated == [edited])
        #expect(
            Set(changes?.albums.inserted ?? [])
                == Set([results.first?.album, SmartAlbum.favorites.id].compactMap(\.self)))
        let albums = try await library.reader.albums().withoutLaterSmartAlbums
        #expect(albums.map(\.title) == ["", "", "Spring", "Pictures", "Sicily"])
        #expect(albums.map(\.count) == [2, 2, 1, 1, 1])
        await library.close()
    }

    @Test(arguments: [1, 2, 3, 4])
    func `a database of any version gets Live Photos and motion photos`(version: Int) async throws {
        try home.add(as: "a.jpg")
        try home.add("png/rgb.png", as: "Sicily/b.png")
        try home.add("live/photo.jpg", as: "live.jpg")
        try home.add("live/video.mov", as: "live.mov")
        try home.add("motion/google.jpg", as: "motion.jpg")
        try await makeDatabase(version: 1, Self.steps.prefix(version - 1).joined())
        let library = try LiveLibrary(home, readsVideos: true)
        _ = try await library.settle(files: 5)
        #expect(try await library.reader.photos(in: SmartAlbum.live.id).count == 2)
        #expect(try await library.reader.photos(in: .all, .everything).count == 4)
        let edited = try #require(edited)
        #expect(try await library.reader.given([edited], to: "org.example.App") == [edited])
        await library.close()
    }

    @Test func `a walk that version 1 did not finish leaves no wrong counts behind`() async throws {
        // Version 1 deleted or moved files in one transaction, and corrected the photos in another.
        try await makeDatabase(
            version: 1,
            """
            UPDATE asset SET file = 4711, inAll = 0;
            INSERT INTO asset (key, fingerprint, mediaType, width, height, date, hasCaptureDate,
                file, inAll) VALUES (x'01', x'01', 'image/jpeg', 1, 1, 0, 0, 4711, 1);
            """)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try LibraryStore(at: home.database, logger: logger)
        let reader = LibraryReader(store)
        #expect(try await reader.albums().withoutLaterSmartAlbums.map(\.count) == [2, 2, 1, 1])
        #expect(try await reader.photos(in: .all).count == 2)
        store.checkpoint()
    }

    /// Makes a database like one that a release of that version created for this home.
    ///
    /// - Parameter changes: Later changes to it, as SQL.
    private func makeDatabase(version: Int, _ changes: String = "") async throws {
        let text = String(
            decoding: try Fixtures.bytes("library/version-\(version).sql"), as: UTF8.self)
        let digits = home.pictures.string.utf8.map { String($0, radix: 16) }.joined()
        try await change(text.replacing("@PICTURES@", with: digits) + changes)
    }

    /// Changes the database, or makes it, by a script.
    private func change(_ script: String) async throws {
        let path = home.scratch.appending("version.sql")
        try home.write(Array(script.utf8), to: path)
        try Directory.make(home.database.removingLastComponent())
        let maker = try ChildProcess(
            "sqlite3", [home.database.string, ".read \(path)"], environment: home.environment,
            scratch: home.scratch)
        #expect(try await maker.exitStatus() == 0, "\(maker.errorText)")
    }
}
