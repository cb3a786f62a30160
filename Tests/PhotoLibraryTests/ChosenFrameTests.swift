// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// Pictures of a burst that lists do not show, for those who choose one of them.
@Suite(.serialized) struct ChosenFrameTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    /// A library with a burst of three pictures, of which the camera took the second for the best, and another
    /// photo.
    private func library() async throws -> (LiveLibrary, Burst) {
        for (index, name) in ["a.jpg", "b.jpg", "c.jpg"].enumerated() {
            let fixture = name == "b.jpg" ? "burst/primary.jpg" : "burst/google.jpg"
            let path = home.pictures.appending(name)
            try home.write(Fixtures.bytes(fixture) + [UInt8(index)], to: path)
            home.setDate(of: path, 1_000_000 + index)
        }
        try home.add(as: "plain.jpg", at: 900_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        let shown = try #require(
            try await library.settle(photos: 1, in: SmartAlbum.bursts.id).ids.first)
        let burst = try #require(try await library.reader.burst(of: shown, .images))
        return (library, burst)
    }

    private func names(_ ids: [AssetID], _ library: LiveLibrary) async throws -> [String] {
        var names: [String] = []
        for id in ids {
            names += try await library.reader.paths(of: id).compactMap { $0.lastComponent?.string }
        }
        return names
    }

    @Test func `a burst has all of its pictures, by whichever of them it is asked for`()
        async throws
    {
        let (library, burst) = try await library()
        #expect(try await names(burst.frames.ids, library) == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(burst.shown == burst.frames.ids[1])
        for id in burst.frames.ids {
            #expect(try await library.reader.burst(of: id, .images) == burst)
        }
        let plain = try #require(try await library.id(of: home.pictures.appending("plain.jpg")))
        #expect(try await library.reader.burst(of: plain, .images) == nil)
        let unknown = try #require(AssetID(bytes: Array(repeating: 0, count: 16)))
        #expect(try await library.reader.burst(of: unknown, .images) == nil)
        // An app that takes none of them gets none.
        let others = try #require(MediaFilter([.exactly(.png)]))
        #expect(try await library.reader.burst(of: burst.shown, others) == nil)
        await library.close()
    }

    @Test func `each picture is compared with the rules of an app`() async throws {
        let (library, burst) = try await library()
        var wanted = PhotoFilter()
        wanted.newerThan = 1_000_001
        let frames = try #require(
            try await library.reader.burst(of: burst.shown, .images, wanted: wanted)
        ).frames
        #expect((0..<3).map { frames.brokenRule(at: $0) == nil } == [false, false, true])
        _ = try await library.store.perform([.setFavorite([.asset(burst.shown)], true)])
        var favorites = PhotoFilter()
        favorites.isFavorite = true
        let all = try #require(
            try await library.reader.burst(of: burst.shown, .images, wanted: favorites)
        ).frames
        #expect((0..<3).allSatisfy { all.brokenRule(at: $0) == nil })
        let facts = try await library.reader.facts(of: burst.frames.ids)
        #expect(burst.frames.ids.allSatisfy { facts[$0]?.isFavorite == true })
        let remarks = try await library.reader.remarks(of: burst.frames.ids)
        #expect(burst.frames.ids.allSatisfy { remarks[$0]?.isFavorite == true })
        await library.close()
    }

    @Test func `a picture that lists do not show has its facts and its file`() async throws {
        let (library, burst) = try await library()
        let hidden = burst.frames.ids[2]
        let path = home.pictures.appending("c.jpg")
        let asset = try #require(try await library.reader.assets([hidden]).first)
        #expect(asset.id == hidden)
        #expect(asset.frameOf == burst.shown)
        #expect(asset.resources == [.primary])
        #expect(asset.date == 1_000_002)
        let located = try await library.reader.located([hidden], acceptedBy: [.images])
        #expect(located[hidden]?.paths == [path])
        let version = try await library.reader.version(of: hidden)
        #expect(version == located[hidden]?.files.first?.seen)
        #expect(
            try await library.reader.facts(of: [hidden])[hidden]?.byteCount == version?.byteCount)
        #expect(try await library.reader.assets([burst.shown]).first?.frameOf == nil)
        #expect(try await library.reader.photos(in: .all).index(of: hidden) == nil)
        // Its file goes, and so does it.
        try AtomicFile.remove(path)
        try await eventually("its end") {
            try await library.reader.assets([hidden]).isEmpty
        }
        #expect(try await library.reader.burst(of: hidden, .images) == nil)
        await library.close()
    }

    @Test func `an app sees the picture that it was given, and no other one`() async throws {
        let (library, burst) = try await library()
        let hidden = burst.frames.ids[2]
        let view = LibraryView.given(to: "org.example.App")
        let start = try await library.store.follow(view)
        let all = burst.frames.ids
        #expect(try await library.reader.given(all, to: "org.example.App") == [])
        try await library.store.noteGiven([hidden], whole: [hidden], to: "org.example.App")
        #expect(try await library.reader.given(all, to: "org.example.App") == [hidden])
        #expect(try await library.reader.listed(all, in: view).map(\.asset.id) == [hidden])
        let page = try #require(
            try await library.reader.page(of: .all, .images, in: view, from: 0, limit: 9))
        #expect(page.assets.map(\.name) == ["c.jpg"])
        #expect(page.total == 1)
        for unit in Moment.Unit.allCases {
            let (moments, total) = try await library.reader.moments(
                unit, .images, in: view, from: 0, limit: 9)
            #expect(moments.map(\.count) == [1] && total == 1)
            #expect(moments.first?.cover == hidden)
            let id = try #require(moments.first?.id)
            let page = try #require(
                try await library.reader.page(of: id, .images, in: view, from: 0, limit: 9))
            #expect(page.assets.map(\.asset.id) == [hidden])
        }
        for (text, found) in [("c", [hidden]), ("a", []), ("2023", []), ("burst", [])] {
            let search = SearchQuery(text, today: .today)
            let page = try #require(
                try await library.reader.page(
                    of: .all, .images, in: view, matching: search, from: 0, limit: 9))
            #expect(page.assets.map(\.asset.id) == found, "\(text)")
        }
        let changes = try await library.reader.changes(since: start, in: view, limit: 99)
        #expect(changes?.assets.inserted == [hidden])
        // For everybody else the burst is one photo.
        let whole = try #require(
            try await library.reader.page(of: .all, .images, in: .everything, from: 0, limit: 9))
        #expect(whole.total == 2)
        #expect(try await library.reader.given(all, to: "org.example.Other") == [])
        await library.close()
    }

    @Test func `an app that was given a photo keeps it when another picture is shown for it`()
        async throws
    {
        let path = home.pictures.appending("b.jpg")
        try home.write(Fixtures.bytes("burst/google.jpg") + [1], to: path)
        home.setDate(of: path, 1_000_005)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        let view = LibraryView.given(to: "org.example.App")
        try await library.store.noteGiven([id], whole: [id], to: "org.example.App")
        let (start, all) = (
            try await library.store.follow(view), try await library.store.follow(.everything)
        )
        try home.write(
            Fixtures.bytes("burst/primary.jpg") + [2], to: home.pictures.appending("a.jpg"))
        _ = try await library.settle(files: 2)
        let shown = try #require(
            try await library.settle(photos: 1, in: SmartAlbum.bursts.id).ids.first)
        #expect(shown != id)
        let seen = try #require(
            try await library.reader.changes(since: start, in: view, limit: 99))
        #expect(seen.assets.removed == [])
        #expect(try await library.reader.listed([id], in: view).map(\.asset.id) == [id])
        let everybody = try #require(
            try await library.reader.changes(since: all, in: .everything, limit: 99))
        #expect(everybody.assets.removed == [id])
        try AtomicFile.remove(path)
        try await eventually("its end") {
            try await library.reader.changes(since: start, in: view, limit: 99)?.assets.removed
                == [id]
        }
        await library.close()
    }

    @Test(arguments: ["burst", "Serie", "Serienbilder", "fotoserie", "连拍", "Bursts"])
    func `a word of the person's language finds bursts`(word: String) async throws {
        let (library, burst) = try await library()
        let found = try await library.reader.photos(
            in: .all, matching: SearchQuery(word, today: .today))
        #expect(found.ids == [burst.shown])
        await library.close()
    }
}
