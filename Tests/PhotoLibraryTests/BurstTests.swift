// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// The pictures of a burst are one photo.
@Suite(.serialized) struct BurstTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    /// Adds pictures with the same identifier, a second apart, of which the camera marked some.
    private func addBurst(_ names: [String], primary: Set<String> = [], from date: Int = 1_000_000)
        throws
    {
        for (index, name) in names.enumerated() {
            let fixture = primary.contains(name) ? "primary" : "google"
            try add(fixture, as: name, number: index + 1, at: date + index)
        }
    }

    /// Adds a picture with its date: the library never sees it with another one.
    private func add(_ fixture: String, as name: String, number: Int, at date: Int) throws {
        let (draft, path) = (
            home.scratch.appending("draft"), home.pictures.appending(FilePath(name).components)
        )
        try home.write(Fixtures.bytes("burst/\(fixture).jpg") + [UInt8(number)], to: draft)
        home.setDate(of: draft, date)
        try Directory.make(path.removingLastComponent())
        try AtomicFile.rename(draft, to: path)
    }

    @Test func `a burst is shown once, by the picture that the camera took for the best`()
        async throws
    {
        try addBurst(["Trip/a.jpg", "Trip/b.jpg", "Trip/c.jpg"], primary: ["Trip/b.jpg"])
        try home.add(as: "plain.jpg", at: 900_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        let photos = try await library.settle(photos: 2)
        try await expect(["b.jpg", "plain.jpg"], library)
        let burst = try #require(photos.ids.first)
        #expect(try await frames(of: burst, library) == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(try await frames(of: photos.ids[1], library) == ["plain.jpg"])
        #expect(try await library.reader.photos(in: SmartAlbum.bursts.id).ids == [burst])
        let albums = try await library.reader.albums()
        #expect(albums.first { $0.id == .all }?.count == 2)
        #expect(albums.first { $0.id == SmartAlbum.recent.id }?.count == 2)
        #expect(albums.first { $0.id == SmartAlbum.bursts.id }?.cover == burst)
        #expect(albums.first { $0.title == "Trip" }?.count == 1)
        #expect(albums.first { $0.title == "Trip" }?.cover == burst)
        let folder = try #require(albums.first { $0.title == "Trip" }?.id)
        #expect(try await library.reader.photos(in: folder).ids == [burst])
        #expect(try await library.reader.caption(of: burst)?.kindText == "BURST 3")
        let asset = try await library.reader.assets([burst]).first
        #expect(asset?.resources == [.primary, .burst])
        #expect(asset?.frames == 3)
        #expect(
            try await library.reader.located([burst], .original, .burst)[burst]?.paths.map(\.last)
                == ["a.jpg", "c.jpg"])
        await library.close()
    }

    @Test(arguments: ["burst/apple.jpg", "burst/apple.heic"])
    func `of a burst without a mark, the first picture is shown`(fixture: String) async throws {
        let type = FilePath(fixture).extension ?? ""
        for number in 1...3 {
            try home.add(fixture, as: "IMG_000\(number).\(type)", number: UInt8(number))
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        try await expect(["IMG_0001.\(type)"], library)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        #expect(
            try await frames(of: id, library) == (1...3).map { "IMG_000\($0).\(type)" })
        await library.close()
    }

    @Test(arguments: [
        ["IMG_20240101_120000_BURST002.jpg", "IMG_20240101_120000_BURST001_COVER.jpg"],
        ["IMG_20240101_120000_BURST10.jpg", "IMG_20240101_120000_BURST9.jpg"],
        [
            "00001IMG_00001_BURST20240101120000123.jpg",
            "00000IMG_00000_BURST20240101120000123.jpg",
        ],
    ])
    func `names alone join pictures of one size in one folder`(names: [String]) async throws {
        for (index, name) in names.enumerated() {
            try home.add(as: name, number: UInt8(index + 1), at: 1_000_000)
        }
        // Of another burst, and in another folder.
        try home.add("png/rgb.png", as: "IMG_20230101_120000_BURST001.png", at: 900_000)
        try home.add(as: "Other/\(names[0])", number: 9, at: 800_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        let burst = try #require(
            try await library.settle(photos: 1, in: SmartAlbum.bursts.id).ids.first)
        #expect(try await library.reader.paths(of: burst).map(\.last) == [names[1]])
        #expect(try await library.reader.photos(in: .all).count == 3)
        await library.close()
    }

    @Test func `pictures of different sizes, and in different folders, are no burst`()
        async throws
    {
        try home.add("burst/google.jpg", as: "a.jpg", number: 1)
        try home.add("burst/google.jpg", as: "Best/b.jpg", number: 2)
        try home.add("jpeg/grey.jpg", as: "IMG_20240101_120000_BURST001.jpg")
        try home.add("jpeg/baseline.jpg", as: "IMG_20240101_120000_BURST002.jpg")
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        #expect(try await library.reader.photos(in: .all).count == 4)
        #expect(try await library.reader.photos(in: SmartAlbum.bursts.id).count == 0)
        await library.close()
    }

    @Test func `a burst is found by the names of all of its pictures`() async throws {
        try addBurst(["dawn.jpg", "dusk.jpg"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        func find(_ text: String) async throws -> [AssetID] {
            try await library.reader.photos(
                in: .all, matching: SearchQuery(text, today: .today)
            ).ids
        }
        #expect(try await find("dawn") == [id])
        #expect(try await find("dusk") == [id])
        try AtomicFile.rename(
            home.pictures.appending("dusk.jpg"), to: home.pictures.appending("midnight.jpg"))
        try await eventually("the new name") { try await find("midnight") == [id] }
        #expect(try await find("dusk") == [])
        await library.close()
    }

    // MARK: - What changes

    @Test func `what people did with the pictures is true of the burst`() async throws {
        try addBurst(["a.jpg", "b.jpg"])
        try home.add(as: "plain.jpg", at: 900_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        let first = try #require(try await library.id(of: home.pictures.appending("a.jpg")))
        let plain = try #require(try await library.id(of: home.pictures.appending("plain.jpg")))
        let made = try await library.store.perform([
            .createAlbum(title: "Spring"),
            .insert([.asset(plain), .asset(first)], into: .made(by: 0), index: nil),
            .setFavorite([.asset(first)], true),
        ])
        let album = try #require(made.first?.album)
        // The best picture comes later, goes, and comes back.
        let best = home.pictures.appending("c.jpg")
        try addBurst(["c.jpg"], primary: ["c.jpg"], from: 1_000_009)
        try await eventually("the best picture") {
            try await library.names(in: album) == ["plain.jpg", "c.jpg"]
        }
        _ = try await library.settle(files: 4)
        try await expect(["c.jpg", "plain.jpg"], library)
        #expect(try await library.names(in: SmartAlbum.favorites.id) == ["c.jpg"])
        let shown = try await library.reader.photos(in: .all).ids
        let aside = home.scratch.appending("aside")
        try AtomicFile.rename(best, to: aside)
        try await eventually("the next picture") {
            try await library.names(in: album) == ["plain.jpg", "a.jpg"]
        }
        _ = try await library.settle(files: 3)
        #expect(try await library.names(in: SmartAlbum.favorites.id) == ["a.jpg"])
        let counts = try await library.reader.albums().first { $0.id == album }
        #expect(counts?.count == 2)
        try AtomicFile.rename(aside, to: best)
        try await eventually("the best picture again") {
            try await library.names(in: album) == ["plain.jpg", "c.jpg"]
        }
        #expect(try await library.reader.photos(in: .all).ids == shown)
        #expect(try await library.names(in: SmartAlbum.favorites.id) == ["c.jpg"])
        await library.close()
    }

    /// Of two folders with pictures of one burst, one lost its favorite.
    @Test func `what people did stays true if two folders lose their first pictures at once`()
        async throws
    {
        try addBurst(["A/a1.jpg", "A/a2.jpg", "B/b1.jpg", "B/b2.jpg"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        try await expect(["b1.jpg", "a1.jpg"], library)
        let firsts = ["A/a1.jpg", "B/b1.jpg"].map {
            home.pictures.appending(FilePath($0).components)
        }
        for path in firsts {
            let id = try #require(try await library.id(of: path))
            _ = try await library.store.perform([.setFavorite([.asset(id)], true)])
        }
        await library.close()
        for path in firsts { try AtomicFile.remove(path) }
        let later = try LiveLibrary(home)
        _ = try await later.settle(files: 2)
        #expect(
            Set(try await later.names(in: SmartAlbum.favorites.id)) == ["a2.jpg", "b2.jpg"])
        await later.close()
    }

    @Test func `a burst that is renamed and moved keeps its id, and so do its pictures`()
        async throws
    {
        try addBurst(["Trip/a.jpg", "Trip/b.jpg", "Trip/c.jpg"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        try AtomicFile.rename(
            home.pictures.appending("Trip"), to: home.pictures.appending("Journey"))
        for name in ["a", "b", "c"] {
            try AtomicFile.rename(
                home.pictures.appending("Journey").appending("\(name).jpg"),
                to: home.pictures.appending("Journey").appending("x\(name).jpg"))
        }
        try await eventually("the new names") {
            let frames = try await frames(of: id, library)
            return frames == ["xa.jpg", "xb.jpg", "xc.jpg"]
        }
        #expect(try await library.settle(photos: 1).ids == [id])
        // Each picture is a photo of its own when it is alone, with the id that it had.
        for name in ["xb", "xc"] {
            let file = home.pictures.appending("Journey").appending("\(name).jpg")
            try Directory.make(home.pictures.appending(name))
            try AtomicFile.rename(file, to: home.pictures.appending(name).appending("p.jpg"))
        }
        let alone = try await library.settle(photos: 3).ids
        _ = try await library.settle(photos: 0, in: SmartAlbum.bursts.id)
        #expect(alone.contains(id))
        await library.close()
        let fresh = try LiveLibrary(home, at: home.scratch.appending("fresh.db"))
        _ = try await fresh.settle(files: 3)
        #expect(try await Set(fresh.settle(photos: 3).ids) == Set(alone))
        await fresh.close()
    }

    @Test func `a burst whose first picture goes is shown by the next, until one is left`()
        async throws
    {
        try addBurst(["a.jpg", "b.jpg", "c.jpg"])
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        for (name, next, count) in [("a.jpg", "b.jpg", 2), ("b.jpg", "c.jpg", 0)] {
            try AtomicFile.remove(home.pictures.appending(name))
            try await eventually("the next picture") {
                try await library.names() == [next]
            }
            let id = try #require(try await library.settle(photos: 1).ids.first)
            #expect(try await library.reader.assets([id]).first?.frames == count)
        }
        #expect(try await library.reader.photos(in: SmartAlbum.bursts.id).count == 0)
        await library.close()
    }

    @Test func `a folder with a copy of one picture shows it`() async throws {
        try addBurst(["a.jpg", "b.jpg", "c.jpg"])
        try add("google", as: "Best/copy.jpg", number: 2, at: 1_000_001)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        let shown = try await library.settle(photos: 2).ids
        #expect(try await frames(of: shown[1], library) == ["a.jpg", "c.jpg"])
        let copied = try await library.reader.paths(of: shown[0]).map(\.last)
        #expect(Set(copied) == ["b.jpg", "copy.jpg"])
        let albums = try await library.reader.albums()
        let folder = try #require(albums.first { $0.title == "Best" })
        #expect(folder.count == 1)
        #expect(try await library.reader.photos(in: folder.id).count == 1)
        try AtomicFile.remove(home.pictures.appending("Best").appending("copy.jpg"))
        try await eventually("one photo") { try await library.names() == ["a.jpg"] }
        await library.close()
    }

    @Test func `a picture with a raw file is a frame with both`() async throws {
        for number in 1...2 {
            let name = "IMG_20240101_120000_BURST00\(number)"
            try home.add(as: "\(name).jpg", number: UInt8(number), at: 1_000_000)
            try home.add("raw/adobe.dng", as: "\(name).dng", number: UInt8(number), at: 1_000_000)
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        try await expect(["IMG_20240101_120000_BURST001.jpg"], library)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        let resources = try await library.reader.assets([id]).first?.resources
        #expect(resources == [.primary, .raw, .burst])
        #expect(try await library.reader.caption(of: id)?.kindText == "BURST 2 · RAW + JPEG")
        let others = try await library.reader.located([id], .original, .burst)[id]
        #expect(
            others?.paths.map(\.last)
                == ["IMG_20240101_120000_BURST002.dng", "IMG_20240101_120000_BURST002.jpg"])
        await library.close()
    }

    @Test func `all pictures are gone and restored, and it is the same photo`() async throws {
        let names = ["a.jpg", "b.jpg", "c.jpg"]
        try addBurst(names)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        let made = try await library.store.perform([
            .createAlbum(title: "Spring"), .insert([.asset(id)], into: .made(by: 0), index: nil),
        ])
        let album = try #require(made.first?.album)
        for name in names {
            try AtomicFile.rename(
                home.pictures.appending(name), to: home.scratch.appending(name))
        }
        try await library.store.noteGone(names.map { home.pictures.appending($0) }, of: [id])
        _ = try await library.settle(photos: 0)
        for name in names.reversed() {
            try AtomicFile.rename(
                home.scratch.appending(name), to: home.pictures.appending(name))
        }
        _ = try await library.settle(files: 3)
        try await eventually("the burst") {
            try await library.reader.photos(in: album).ids == [id]
        }
        #expect(try await frames(of: id, library) == names)
        await library.close()
    }

    @Test func `followers learn that pictures have become one photo`() async throws {
        try addBurst(["a.jpg"], from: 1_000_005)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        let former = try #require(try await library.settle(photos: 1).ids.first)
        let start = try await library.store.follow(.everything)
        try add("google", as: "0.jpg", number: 9, at: 1_000_000)
        _ = try await library.settle(files: 2)
        let shown = try #require(try await library.settle(photos: 1).ids.first)
        #expect(shown != former)
        let changes = try await library.reader.changes(since: start, in: .everything, limit: 99)
        #expect(changes?.assets.inserted == [shown])
        #expect(changes?.assets.removed == [former])
        await library.close()
    }

    @Test(arguments: 1...5)
    func `after any changes, the library shows what a new one would`(seed: UInt64) async throws {
        var random = Lottery(state: seed)
        let names = ["a", "b", "c", "d"].flatMap { ["\($0).jpg", "X/\($0).jpg"] }
        try Directory.make(home.pictures.appending("X"))
        let library = try LiveLibrary(home)
        for _ in 1...25 {
            let chosen = names.shuffled(using: &random)
            let paths = chosen.map { home.pictures.appending(FilePath($0).components) }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try? AtomicFile.remove(paths[0])
            case 1: try? AtomicFile.rename(paths[0], to: paths[1])
            default:
                let number = Int.random(in: 1...3, using: &random)
                let fixture = Bool.random(using: &random) ? "google" : "primary"
                try add(fixture, as: chosen[0], number: number, at: 1_000_000 + number)
            }
            if Bool.random(using: &random) { _ = try await library.settle(files: countFiles()) }
        }
        _ = try await library.settle(files: countFiles())
        let fresh = try LiveLibrary(home, at: home.scratch.appending("fresh.db"))
        _ = try await fresh.settle(files: countFiles())
        let expected = try await shown(in: fresh)
        try await eventually("the photos", is: expected) { try await shown(in: library) }
        await library.close()
        await fresh.close()
    }

    // MARK: -

    private func countFiles() throws -> Int {
        try [home.pictures, home.pictures.appending("X")].map { folder in
            try Directory.entries(of: folder).filter { $0.name.string.hasSuffix(".jpg") }.count
        }.reduce(0, +)
    }

    /// The names of the files of each photo that is shown, and of the others of its burst.
    private func shown(in library: LiveLibrary) async throws -> Set<[String]> {
        var shown: Set<[String]> = []
        for id in try await library.reader.photos(in: .all).ids {
            let own = try await library.reader.paths(of: id).map(\.string).sorted()
            let others = try await library.reader.located([id], .original, .burst)[id]
            let names = others?.paths.map { "+ \($0)" }.sorted() ?? []
            shown.insert(own + names)
        }
        return shown
    }

    private func frames(of id: AssetID, _ library: LiveLibrary) async throws -> [String] {
        try await library.reader.frames(of: id).compactMap { $0.first?.path.last }
    }

    /// Checks the names of all photos that are shown, newest first.
    private func expect(
        _ names: [String], _ library: LiveLibrary,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let shown = try await library.names()
        #expect(shown == names, sourceLocation: sourceLocation)
    }
}

extension FilePath {
    fileprivate var last: String { lastComponent?.string ?? "" }
}
