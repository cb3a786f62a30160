// SPDX-License-Identifier: MIT

import Files
import Foundation
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// What people and apps did survives the loss of the database.
@Suite(.serialized) struct UserDataTests {
    private let home: TestHome
    private var folder: FilePath { home.data.appending("photo-portal") }
    private var file: FilePath { folder.appending("library.json") }

    init() throws {
        home = try TestHome()
        for number in 1...5 {
            try home.add(as: "\(number).jpg", number: UInt8(number), at: 1_000_000 * number)
        }
    }

    @Test(arguments: [false, true])
    func `albums, favorites and what apps were given come back`(isDamaged: Bool) async throws {
        let (album, empty, photos) = try await arrange()
        if isDamaged {
            try home.write([UInt8](repeating: 0xFF, count: 50_000), to: home.database)
        } else {
            for name in names(in: folder) where name.string.hasPrefix("library.db") {
                try AtomicFile.remove(folder.appending(name))
            }
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        #expect(
            try await library.reader.photos(in: album).ids == [photos[4], photos[0], photos[2]])
        #expect(try await library.reader.photos(in: SmartAlbum.favorites.id).ids == [photos[1]])
        #expect(
            try await library.reader.given(photos, to: "org.example.App")
                == [photos[0], photos[3]])
        // Only one of them as a whole.
        let seen = try await library.reader.page(
            of: .all, .everything, in: .given(to: "org.example.App"), from: 0, limit: 10)
        #expect(seen?.assets.map(\.asset.id) == [photos[3]])
        let albums = try await library.reader.albums(withEmpty: true).filter { $0.kind == .user }
        #expect(albums.map(\.id) == [empty, album])
        #expect(albums.map(\.title) == ["Empty", "Sicily"])
        #expect(albums.map(\.count) == [0, 3])
        #expect(albums.last?.cover == photos[4])
        // The facts of photos that waited for their files are known.
        let first = try await library.reader.assets([photos[0]]).first
        #expect(first?.mediaType == .jpeg)
        #expect(first?.size?.isEmpty == false)
        #expect(library.messages.all.contains { $0.contains("were restored") })
        await library.close()
    }

    @Test func `a photo that was edited is the same after the loss`() async throws {
        let (album, _, photos) = try await arrange()
        var library = try LiveLibrary(home)
        // Edited in place: another content, the same id.
        try home.add("jpeg/baseline.jpg", as: "3.jpg", number: 77, at: 9_000_000)
        try await eventually("the edited photo") {
            try await library.reader.photos(in: .all).ids.first == photos[2]
        }
        _ = try await library.store.perform([.setFavorite([.asset(photos[0])], true)])
        await library.close()
        await library.store.finishUserData()
        for name in names(in: folder) where name.string.hasPrefix("library.db") {
            try AtomicFile.remove(folder.appending(name))
        }
        library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        #expect(
            try await library.reader.photos(in: album).ids == [photos[4], photos[0], photos[2]])
        await library.close()
    }

    @Test func `a file that cannot be read is renamed, and the library works`() async throws {
        try home.write(Array("{\"version\": 1, \"albums\": [".utf8), to: file)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        #expect(names(in: folder).contains { $0.string.hasPrefix("library.json.corrupt-") })
        #expect(library.messages.all.contains { $0.contains("cannot be read") })
        await library.close()
    }

    @Test func `what is not valid in an edited file is left out`() async throws {
        let photos = try await photos()
        try home.write(
            Array(
                """
                {"version": 1, "favorites": ["x", "\(photos[0])", "\(photos[0])"],
                 "given": {"a": {"whole": ["y"], "part": []}}, "edited": {"z": "z"},
                 "albums": [
                    {"id": "all", "title": "All", "photos": []},
                    {"id": "user-1", "title": "", "photos": []},
                    {"id": "user-2", "title": "a\\u202eb", "photos": []},
                    {"id": "user-3", "title": "Sicily", "photos": ["\(photos[1])", "", "\(photos[1])"]},
                    {"id": "user-3", "title": "Again", "photos": []}]}
                """.utf8), to: file)
        for name in names(in: folder) where name.string.hasPrefix("library.db") {
            try AtomicFile.remove(folder.appending(name))
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        let albums = try await library.reader.albums(withEmpty: true).filter { $0.kind == .user }
        #expect(albums.map(\.title) == ["Sicily"])
        #expect(albums.map(\.count) == [1])
        #expect(try await library.reader.photos(in: SmartAlbum.favorites.id).ids == [photos[0]])
        await library.close()
    }

    @Test(arguments: [
        #""version": 99"#, #""version": 1, "rating": {}"#, #""version": 1, "edited": 5"#,
        #""version": 1, "given": {"a": {"whole": 7}}"#,
    ])
    func `what a later release wrote is read as far as possible, and a copy is kept`(
        rest: String
    ) async throws {
        let photos = try await photos()
        let text = """
            {"favorites": ["\(photos[0])"], \(rest),
             "albums": [{"id": "user-3", "title": "Sicily", "photos": ["\(photos[1])"]}]}
            """
        try home.write(Array(text.utf8), to: file)
        for name in names(in: folder) where name.string.hasPrefix("library.db") {
            try AtomicFile.remove(folder.appending(name))
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        #expect(try await library.reader.photos(in: SmartAlbum.favorites.id).ids == [photos[0]])
        let album = try #require(AlbumID("user-3"))
        #expect(try await library.reader.photos(in: album).ids == [photos[1]])
        let copy = try #require(
            names(in: folder).first { $0.string.hasPrefix("library.json.kept-") })
        #expect(
            try Descriptor.openForReading(folder.appending(copy)).read(upTo: 1 << 20)
                == Array(text.utf8))
        await library.close()
    }

    @Test func `one wrong value costs no other, and too much is left out`() async throws {
        let photos = try await photos()
        let titles = ["\(String(repeating: "x", count: 2000))", "Etna"]
        let albums = titles.enumerated().map { number, title in
            #"{"id": "user-\#(number)", "title": "\#(title)", "photos": []}"#
        }
        try home.write(
            Array(
                """
                {"version": 1, "favorites": [5, "\(photos[0])", null],
                 "albums": [{"id": 3}, \(albums.joined(separator: ", "))]}
                """.utf8), to: file)
        for name in names(in: folder) where name.string.hasPrefix("library.db") {
            try AtomicFile.remove(folder.appending(name))
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        let found = try await library.reader.albums(withEmpty: true).filter { $0.kind == .user }
        #expect(found.map(\.title) == ["Etna"])
        #expect(try await library.reader.photos(in: SmartAlbum.favorites.id).ids == [photos[0]])
        await library.close()
    }

    @Test func `a file that never ends is not read`() async throws {
        try home.write([], to: folder.appending("other"))
        #expect(symlink("/dev/zero", file.string) == 0)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        #expect(library.messages.all.contains { $0.contains("cannot be read") })
        await library.close()
    }

    @Test func `the file is written soon, is the person's alone, and can be read by others`()
        async throws
    {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        let photos = try await library.reader.photos(in: .all).ids
        _ = try await library.store.perform([
            .createAlbum(title: "Sicily"),
            .insert(photos.map { .asset($0) }, into: .made(by: 0), index: nil),
        ])
        let content = try await eventually("the file") {
            try? Descriptor.openForReading(file).read(upTo: 1 << 20)
        }
        #expect(try file.stat().permissions == .ownerReadWrite)
        let json = try #require(
            (JSONSerialization.jsonObject(with: Data(content)) as? [String: Any])?["albums"]
                as? [[String: Any]])
        #expect(json.first?["title"] as? String == "Sicily")
        #expect(json.first?["photos"] as? [String] == photos.map(\.description))
        // What it says today can be read tomorrow.
        _ = try await library.store.perform([.createAlbum(title: "Etna")])
        let kept = folder.appending("library.json.yesterday")
        try await eventually("yesterday's file") {
            (try? Descriptor.openForReading(kept).read(upTo: 1 << 20)) == content
        }
        _ = try await library.store.perform([.createAlbum(title: "Stromboli")])
        await library.store.finishUserData()
        #expect(try Descriptor.openForReading(kept).read(upTo: 1 << 20) == content)
        await library.close()
    }

    // MARK: -

    /// The photos from the oldest to the newest.
    private func photos() async throws -> [AssetID] {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        let photos = try await library.reader.photos(in: .all).ids
        await library.close()
        return photos.reversed()
    }

    /// Makes two albums, a favorite and two gifts.
    private func arrange() async throws -> (album: AlbumID, empty: AlbumID, photos: [AssetID]) {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        let photos: [AssetID] = try await library.reader.photos(in: .all).ids.reversed()
        let results = try await library.store.perform([
            .createAlbum(title: "Sicily"),
            .insert(
                [.asset(photos[4]), .asset(photos[0]), .asset(photos[2])], into: .made(by: 0),
                index: nil),
            .createAlbum(title: "Empty"), .setFavorite([.asset(photos[1])], true),
        ])
        try await library.store.noteGiven(
            [photos[0], photos[3]], whole: [photos[3]], to: "org.example.App")
        await library.store.finishUserData()
        await library.close()
        return (
            try #require(results[0].album), try #require(results[2].album), photos
        )
    }
}
