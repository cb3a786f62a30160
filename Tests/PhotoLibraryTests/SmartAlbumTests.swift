// SPDX-License-Identifier: MIT

import Files
import Logging
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// The rules for every smart album, including those that are added later.
@Suite(.serialized) struct SmartAlbumTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `the album that opens when an app names none is a smart album`() {
        #expect(SmartAlbum(AlbumID.all) == .all)
    }

    @Test(arguments: SmartAlbum.allCases)
    func `its id identifies it`(album: SmartAlbum) {
        #expect(SmartAlbum(album.id) == album)
    }

    @Test(arguments: SmartAlbum.allCases)
    func `the interface documents its id`(album: SmartAlbum) throws {
        let file = Programs.source.appending("dbus").appending(
            "org.freedesktop.portal.PhotoPicker.xml")
        let text = String(
            decoding: try Descriptor.openForReading(file).read(upTo: 1 << 20), as: UTF8.self)
        let option = try #require(text.split(separator: "* `album` ").dropFirst().first)
        let description = try #require(option.split(separator: "* `").first)
        #expect(description.contains("`\(album.id)`"))
    }

    @Test(arguments: [
        // The newest photos, and the videos of an app that takes nothing else, are all of them.
        (all: 5, others: ["recent": 5, "videos": 5, "raw": 4], offered: ["raw"]),
        // There are photos elsewhere as well.
        (all: 5, others: ["recent": 6], offered: ["recent"]),
        // At its limit, it may have the downloads of this week in place of old photos.
        (all: 200, others: ["recent": 200], offered: ["recent"]),
        // A person who likes everything looks for the album as well.
        (all: 2, others: ["favorites": 2], offered: ["favorites"]),
        // People made it.
        (all: 2, others: ["user-1": 2], offered: ["user-1"]),
    ])
    func `a smart album that repeats all photos is not offered, unless it is open`(
        all: Int, others: [String: Int], offered: [String]
    ) throws {
        func album(_ id: AlbumID, _ count: Int) -> Album {
            Album(
                id: id, kind: SmartAlbum(id) == nil ? .user : .smart, title: "", count: count,
                cover: nil)
        }
        let albums =
            try [album(.all, all)]
            + others.sorted { $0.key < $1.key }.map { id, count in
                album(try #require(AlbumID(id)), count)
            }
        #expect(
            albums.withoutRepetitions(keeping: .all).map(\.id.rawValue) == ["all"] + offered)
        for other in albums {
            #expect(albums.withoutRepetitions(keeping: other.id).contains(other))
        }
    }

    /// The conditions of all indexes are looked at for each photo that changes.
    @Test func `SQLite makes no table to store a photo, and reads raw files by an index`()
        async throws
    {
        try LibraryStore(at: home.database, logger: Logger(label: "test")).checkpoint()
        let storing = try await explain(
            """
            EXPLAIN INSERT INTO asset
                (key, fingerprint, mediaType, width, height, date, hasCaptureDate)
                VALUES (x'00', x'00', '', 1, 1, 1, 1);
            EXPLAIN UPDATE asset SET mediaType = '', date = 1, file = 1, rawTypes = NULL WHERE id = 1
            """)
        #expect(storing.contains("IdxInsert"))
        #expect(!storing.contains("OpenEphemeral"))
        let reading = try await explain(
            """
            EXPLAIN QUERY PLAN SELECT id FROM asset
            WHERE file IS NOT NULL AND (\(SmartAlbum.raw.rule.condition))
            ORDER BY date DESC, id DESC LIMIT 100
            """)
        #expect(reading.contains("assetRaw"), "\(reading)")
    }

    private func explain(_ statements: String) async throws -> String {
        let shell = try ChildProcess(
            "sqlite3", [home.database.string, statements], environment: home.environment,
            scratch: home.scratch)
        #expect(try await shell.exitStatus() == 0, "\(shell.errorText)")
        return shell.outputText
    }

    @Test(arguments: SmartAlbum.allCases)
    func `it has photos, a count and a cover, which follow the files`(album: SmartAlbum)
        async throws
    {
        let files = try addSamples()
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: files)
        if album == .favorites {
            let everything = try await library.reader.photos(in: SmartAlbum.recent.id, .everything)
            _ = try await library.store.perform([
                .setFavorite(everything.ids.map { .asset($0) }, true)
            ])
        }
        let full = try await expectCount(of: album, in: library)
        #expect(full.count > 0)
        // The file of the newest photo disappears, then all of them.
        let newest = try #require(full.cover)
        for path in try await library.reader.paths(of: newest) { try AtomicFile.remove(path) }
        _ = try await library.settle(files: files - 1)
        let fewer = try await expectCount(of: album, in: library)
        #expect(fewer.count == full.count - 1)
        #expect(fewer.cover != newest)
        removeTree(home.pictures)
        removeTree(home.downloads)
        _ = try await library.settle(files: 0)
        let empty = try await expectCount(of: album, in: library)
        #expect(empty.count == 0)
        #expect(empty.cover == nil)
        await library.close()
    }

    @Test func `a smart album has what its name promises`() async throws {
        _ = try addSamples()
        // No photograph, a photograph of usual shape, and no picture of a screen.
        try home.add("formats/blocks.jpg", as: "wide.jpg", number: 50)
        try home.add("dates/canon.jpg", as: "usual.jpg", number: 51)
        try home.write(
            Fixtures.bytes("formats/blocks.png"), to: home.downloads.appending("Screenshot.png"))
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 24)
        let albums: [(SmartAlbum, Set<String>)] = [
            (.videos, ["c.mp4", "d.mp4"]),
            (.screenshots, ["Screenshot from 2026-05-03.png", "截图 1.png"]),
            (.panoramas, ["f.jpg", "g.jpg"]), (.selfies, ["h.jpg", "i.jpg"]),
            (.animations, ["j.gif", "k.gif"]), (.live, ["n.jpg", "o.jpg"]),
            (
                .bursts,
                ["IMG_20240101_120000_BURST001.jpg", "IMG_20240101_120001_BURST001.jpg"]
            ),
            (.raw, ["l.cr2", "m.cr2"]),
        ]
        for (album, expected) in albums {
            #expect(try await names(in: album, library) == expected, "\(album)")
        }
        // A picture of a screen that gets another name is none any more.
        let moved = home.pictures.appending("Sicily").appending("window.png")
        try AtomicFile.rename(home.pictures.appending("截图 1.png"), to: moved)
        try await eventually("the album of the other one") {
            try await names(in: .screenshots, library) == ["Screenshot from 2026-05-03.png"]
        }
        await library.close()
    }

    @Test func `all and recent are there from the start, before any photo is`() async throws {
        let library = try LiveLibrary(home)
        let albums = try await library.reader.albums()
        #expect(albums.map(\.id) == [.all, SmartAlbum.recent.id])
        #expect(albums.allSatisfy { $0.kind == .smart && $0.count == 0 && $0.cover == nil })
        await library.close()
    }

    @Test func `the newest photos are those of the wanted types`() async throws {
        let newest = 200
        for number in 0..<newest + 5 {
            try home.write(
                Fixtures.bytes("jpeg/grey.jpg") + Array("\(number)".utf8),
                to: home.pictures.appending("\(number).jpg"))
            home.setDate(of: home.pictures.appending("\(number).jpg"), 1_000_000 + number)
        }
        try addVideo(as: "new.mp4", at: 2_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: newest + 6)
        let recent = try await expectCount(of: .recent, in: library, .images)
        #expect(recent.count == newest)
        #expect(try await library.names(in: SmartAlbum.recent.id).last == "5.jpg")
        await library.close()
    }

    @Test func `a request for pictures never shows a video as cover`() async throws {
        try home.add(as: "Sicily/old.jpg", at: 1_000_000)
        try addVideo(as: "Sicily/new.mp4", at: 2_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let picture = try await library.id(
            of: home.pictures.appending("Sicily").appending("old.jpg"))
        let albums = try await library.reader.albums(.images).withoutLaterSmartAlbums
        #expect(albums.count == 3)
        #expect(albums.allSatisfy { $0.cover == picture && $0.count == 1 })
        await library.close()
    }

    // MARK: -

    /// What each album has twice at least, in the Pictures and Downloads folders; the number of files.
    private func addSamples() throws -> Int {
        try addVideo(as: "Sicily/c.mp4", at: 3_000_000)
        try addVideo(as: "d.mp4", number: 1, at: 4_000_000)
        try home.write(Fixtures.bytes("png/rgba.png"), to: home.downloads.appending("e.png"))
        let pictures = [
            ("jpeg/grey.jpg", "a.jpg"), ("png/rgb.png", "Sicily/b.png"),
            ("png/grey.png", "Screenshot from 2026-05-03.png"), ("png/grey.png", "截图 1.png"),
            ("texts/panorama.jpg", "f.jpg"), ("texts/panorama.jpg", "g.jpg"),
            ("texts/front-camera.jpg", "h.jpg"), ("texts/front-camera.jpg", "i.jpg"),
            ("formats/moving.gif", "j.gif"), ("formats/moving.gif", "k.gif"),
            ("raw/canon.cr2", "l.cr2"), ("raw/canon.cr2", "m.cr2"),
        ]
        for (number, (fixture, name)) in pictures.enumerated() {
            try home.add(
                fixture, as: name, number: UInt8(number + 1), at: 1_000_000 + number)
        }
        // Videos end with their files, so that nothing can be added to make them different.
        try home.add("motion/google.jpg", as: "n.jpg", at: 1_000_100)
        try home.add("motion/micro.jpg", as: "o.jpg", at: 1_000_101)
        for burst in 0...1 {
            for number in 1...2 {
                try home.add(
                    as: "IMG_20240101_12000\(burst)_BURST00\(number).jpg",
                    number: UInt8(100 + 2 * burst + number), at: 1_000_200 + burst)
            }
        }
        return pictures.count + 9
    }

    private func names(in album: SmartAlbum, _ library: LiveLibrary) async throws -> Set<String> {
        var names: Set<String> = []
        for id in try await library.reader.photos(in: album.id, .everything).ids {
            names.insert(try await library.reader.paths(of: id).first?.lastComponent?.string ?? "")
        }
        return names
    }

    private func addVideo(as name: String, number: UInt8 = 0, at seconds: Int) throws {
        let path = home.pictures.appending(FilePath(name).components)
        try home.write(
            [0, 0, 0, 20] + Array("ftypisom\0\0\u{2}\0mp41".utf8) + [number], to: path)
        home.setDate(of: path, seconds)
    }

    /// Checks that the stored count and cover are those of the album's photos.
    @discardableResult
    private func expectCount(
        of album: SmartAlbum, in library: LiveLibrary, _ filter: MediaFilter? = nil
    ) async throws -> Album {
        let filter = try filter ?? #require(MediaFilter([.anyImage, .anyVideo]))
        let stored =
            try await library.reader.albums(filter).first { $0.id == album.id }
            ?? Album(id: album.id, kind: .smart, title: "", count: 0, cover: nil)
        let photos = try await library.reader.photos(in: album.id, filter)
        #expect(stored.count == photos.count)
        #expect(stored.cover == photos.ids.first)
        return stored
    }
}
