// SPDX-License-Identifier: MIT

import Files
import Foundation
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// What the library tells those who follow it.
@Suite(.serialized) struct FollowingTests {
    private let home: TestHome
    private let library: LiveLibrary
    /// The photos from the oldest to the newest.
    private let photos: [AssetID]

    init() async throws {
        home = try TestHome()
        for number in 1...4 {
            try home.add(as: "\(number).jpg", number: UInt8(number), at: 1_000_000 * number)
        }
        library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        photos = try await library.reader.photos(in: .all).ids.reversed()
    }

    // MARK: - Files

    @Test func `a folder that is moved changes albums, but no photo`() async throws {
        try home.add(as: "Sicily/5.jpg", number: 5, at: 5_000_000)
        _ = try await library.settle(files: 5)
        let old = try #require(try await albumID("Sicily"))
        let start = try await library.store.follow(.everything)
        try AtomicFile.rename(
            home.pictures.appending("Sicily"), to: home.pictures.appending("Etna"))
        let new = try await eventually("the new album") { try await albumID("Etna") }
        let summary = try await eventually("the end of the old album") {
            let summary = try await library.changes(since: start)
            return summary.albums.removed.isEmpty ? nil : summary
        }
        #expect(summary.assets == ChangedIDs())
        #expect(summary.albums.inserted == [new])
        #expect(summary.albums.removed == [old])
        await library.close()
    }

    @Test func `a photo is updated when its file is renamed, written or dated anew`() async throws {
        let path = home.pictures.appending("2.jpg")
        var start = try await library.store.follow(.everything)
        func expectUpdate(_ what: Comment) async throws {
            let summary = try await eventually("\(what)") {
                let summary = try await library.changes(since: start)
                return summary.assets == ChangedIDs() ? nil : summary
            }
            #expect(summary.assets.updated == [photos[1]], what)
            #expect(summary.assets.inserted.isEmpty && summary.assets.removed.isEmpty, what)
            // Until nothing more follows.
            _ = try await library.settle(files: 4)
            start = try await library.changes(since: start).generation
        }
        let renamed = home.pictures.appending("renamed.jpg")
        try AtomicFile.rename(path, to: renamed)
        try await expectUpdate("renamed")
        home.setDate(of: renamed, 9_000_000)
        try await expectUpdate("dated")
        try home.add("jpeg/baseline.jpg", as: "renamed.jpg", number: 77, at: 9_500_000)
        try await expectUpdate("written")
        await library.close()
    }

    @Test func `a photo is updated when its sidecar file comes, changes or goes`() async throws {
        let app = "org.example.App"
        try await library.store.noteGiven([photos[2]], whole: [photos[2]], to: app)
        _ = try await library.store.follow(.given(to: app))
        var start = try await library.store.follow(.everything)
        let ofApp = try await library.store.follow(.given(to: app))
        func expectUpdate(_ what: Comment) async throws {
            let summary = try await eventually("\(what)") {
                let summary = try await library.changes(since: start)
                return summary.assets == ChangedIDs() ? nil : summary
            }
            #expect(summary.assets.updated == [photos[1]], what)
            #expect(summary.assets.inserted.isEmpty && summary.assets.removed.isEmpty, what)
            #expect(summary.albums == ChangedIDs(), what)
            start = summary.generation
        }
        let sidecar = home.pictures.appending("2.jpg.xmp")
        let text = String(decoding: try Fixtures.bytes("sidecar/darktable.xmp"), as: UTF8.self)
        try home.write(Array(text.utf8), to: sidecar)
        try await expectUpdate("new")
        try home.write(Array(text.replacing("rope", with: "anchor").utf8), to: sidecar)
        try await expectUpdate("changed")
        try AtomicFile.remove(sidecar)
        try await expectUpdate("gone")
        #expect(
            try await library.reader.changes(since: ofApp, in: .given(to: app), limit: 10)
                == ChangeSummary(generation: ofApp, hasMore: false))
        await library.close()
    }

    @Test func `another name of a photo, or what is none, is no change`() async throws {
        let start = try await library.store.follow(.everything)
        try home.add(as: "again.jpg", number: 1, at: 500)
        try home.write(Array("text".utf8), to: home.pictures.appending("notes.txt"))
        _ = try await library.settle(files: 6)
        #expect(try await library.changes(since: start).assets == ChangedIDs())
        // As long as it has one name, it is there.
        try AtomicFile.remove(home.pictures.appending("1.jpg"))
        try await eventually("the other name") {
            try await library.reader.paths(of: photos[0]).map(\.lastComponent?.string)
                == ["again.jpg"]
        }
        #expect(try await library.changes(since: start).assets.removed.isEmpty)
        await library.close()
    }

    // MARK: - Summaries

    @Test func `what came and went again is not told`() async throws {
        let start = try await library.store.follow(.everything)
        let album = try #require(
            try await library.store.perform([.createAlbum(title: "x")]).first?.album)
        _ = try await library.store.perform([.setFavorite([.asset(photos[0])], true)])
        _ = try await library.store.perform([.setFavorite([.asset(photos[0])], false)])
        _ = try await library.store.perform([.deleteAlbum(.album(album))])
        let summary = try await library.changes(since: start)
        #expect(summary.albums.inserted.isEmpty && summary.albums.removed.isEmpty)
        // Who asked in between had seen the photo otherwise.
        #expect(summary.assets.updated == [photos[0]])
        #expect(summary.generation == start + 6)
        let within = try await library.changes(since: start + 3)
        #expect(within.albums.removed == [SmartAlbum.favorites.id, album])
        await library.close()
    }

    @Test func `an album is told of what its photos do`() async throws {
        let results = try await library.store.perform([
            .createAlbum(title: "Sicily"),
            .insert([.asset(photos[0]), .asset(photos[1])], into: .made(by: 0), index: nil),
        ])
        let album = try #require(results.first?.album)
        var start = try await library.store.follow(.everything)
        // It looks the same to the album.
        _ = try await library.store.perform([.setFavorite([.asset(photos[0])], true)])
        #expect(try await library.changes(since: start).albums.updated.contains(album) == false)
        start = try await library.changes(since: start).generation
        try AtomicFile.remove(home.pictures.appending("1.jpg"))
        let summary = try await eventually("the removal") {
            let summary = try await library.changes(since: start)
            return summary.assets.removed.isEmpty ? nil : summary
        }
        #expect(summary.assets.removed == [photos[0]])
        #expect(summary.albums.updated.contains(album))
        // It was the only favorite.
        #expect(summary.albums.removed == [SmartAlbum.favorites.id])
        await library.close()
    }

    // MARK: - Logs

    @Test func `without followers nothing is noted`() async throws {
        _ = try await library.store.perform([.setFavorite(photos.map { .asset($0) }, true)])
        #expect(try await sql("SELECT count(*) FROM change") == "0\n")
        #expect(try await library.reader.changes(since: 0, in: .everything, limit: 9) == nil)
        _ = try await library.store.follow(.given(to: "org.example.App"))
        _ = try await library.store.perform([.setFavorite(photos.map { .asset($0) }, false)])
        // That app sees none of these.
        #expect(try await sql("SELECT count(*) FROM change") == "0\n")
        await library.close()
    }

    @Test func `a log is trimmed, and who is behind starts over`() async throws {
        let start = try await library.store.follow(.everything)
        // As if there had been many changes.
        _ = try await sql(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 54999)
            INSERT INTO change SELECT log.id, log.head + i, NULL, 'all', 1, 1
            FROM n, changeLog AS log;
            UPDATE changeLog SET head = head + 54999;
            """)
        #expect(try await library.changes(since: start).albums.updated == [.all])
        // One photo, its favorites, and no more room.
        _ = try await library.store.perform([.setFavorite([.asset(photos[0])], true)])
        let head = start + 54_999 + 2
        #expect(try await library.reader.changes(since: start, in: .everything, limit: 1) == nil)
        #expect(
            try await library.reader.changes(since: head - 50_001, in: .everything, limit: 1)
                == nil)
        #expect(try await library.changes(since: head - 50_000).generation > start)
        #expect(try await library.changes(since: head - 2).assets.updated == [photos[0]])
        #expect(try await sql("SELECT count(*) FROM change") == "50000\n")
        await library.close()
    }

    @Test func `a log that nobody has used for a month is gone`() async throws {
        let start = try await library.store.follow(.given(to: "org.example.Old"))
        _ = try await library.store.follow(.everything)
        _ = try await sql("UPDATE changeLog SET used = used - 86400 * 29")
        // Used again, it is kept.
        #expect(try await library.store.follow(.given(to: "org.example.Old")) == start)
        _ = try await sql("UPDATE changeLog SET used = used - 86400 * 2")
        #expect(try await library.store.follow(.given(to: "org.example.Old")) == start)
        #expect(try await sql("SELECT app FROM changeLog") == "org.example.Old\n")
        for number in 0..<70 {
            _ = try await library.store.follow(.given(to: "org.example.App\(number)"))
        }
        #expect(try await sql("SELECT count(*) FROM changeLog") == "64\n")
        await library.close()
    }

    @Test func `views have numbers of their own`() async throws {
        let app = LibraryView.given(to: "org.example.App")
        let start = try await library.store.follow(app)
        let all = try await library.store.follow(.everything)
        _ = try await library.store.perform([.setFavorite(photos.map { .asset($0) }, true)])
        #expect(try await library.store.follow(app) == start)
        #expect(try await library.store.follow(.everything) == all + 5)
        try await library.store.noteGiven(
            [photos[1], photos[2]], whole: [photos[1]], to: "org.example.App")
        // Given again, it is no news.
        try await library.store.noteGiven([photos[1]], whole: [photos[1]], to: "org.example.App")
        let given = try #require(try await library.reader.changes(since: start, in: app, limit: 9))
        #expect(given.assets.inserted == [photos[1]])
        #expect(given.albums.updated == [.all])
        #expect(given.generation == start + 4)
        // Now it is given the whole of the other one.
        try await library.store.noteGiven([photos[2]], whole: [photos[2]], to: "org.example.App")
        _ = try await library.store.perform([.setFavorite(photos.map { .asset($0) }, false)])
        let next = try #require(
            try await library.reader.changes(since: start + 4, in: app, limit: 9))
        #expect(next.assets.inserted == [photos[2]])
        #expect(next.assets.updated == [photos[1]])
        // A number of one view is none of another.
        #expect(try await library.reader.changes(since: all, in: app, limit: 9) == nil)
        #expect(try await library.reader.changes(since: start, in: .everything, limit: 9) == nil)
        await library.close()
    }

    @Test func `a limited app is told of the moments of its photos, and of no others`() async throws
    {
        // The photos are of 12 January, 24 January, 4 February and 16 February 1970.
        let name = "org.example.App"
        let app = LibraryView.given(to: name)
        var start = try await library.store.follow(app)
        func changes() async throws -> ChangeSummary {
            let summary = try #require(
                try await library.reader.changes(since: start, in: app, limit: 99))
            start = summary.generation
            return summary
        }
        try await library.store.noteGiven(
            [photos[0], photos[0], photos[2]], whole: [photos[0], photos[2]], to: name)
        var moments = try await changes().moments
        #expect(
            moments.inserted.map(\.rawValue)
                == [
                    "moment-1970-01", "moment-1970-01-12", "moment-1970-02", "moment-1970-02-04",
                ])
        #expect(moments.updated.isEmpty && moments.removed.isEmpty)
        // A second one of a month; and a part of a photo, which is none in the library.
        try await library.store.noteGiven(
            [photos[1], photos[3]], whole: [photos[1]], to: name)
        moments = try await changes().moments
        #expect(moments.inserted.map(\.rawValue) == ["moment-1970-01-24"])
        #expect(moments.updated.map(\.rawValue) == ["moment-1970-01"])
        // Its file goes, and so does one that the app was not given.
        for number in [2, 4] {
            try AtomicFile.remove(home.pictures.appending("\(number).jpg"))
        }
        try await eventually("the removal") {
            try await library.reader.photos(in: .all).ids.count == 2
        }
        moments = try await changes().moments
        #expect(moments.removed.map(\.rawValue) == ["moment-1970-01-24"])
        #expect(moments.updated.map(\.rawValue) == ["moment-1970-01"])
        #expect(moments.inserted.isEmpty)
        // Edited, a photo leaves one day for another.
        try home.add("jpeg/baseline.jpg", as: "1.jpg", number: 77, at: 4_000_100)
        try await eventually("the new date") {
            let days = try await library.reader.moments(
                .day, .everything, in: app, from: 0, limit: 9)
            return days.total == 2 && days.moments[0].id.rawValue == "moment-1970-02-16"
        }
        moments = try await changes().moments
        #expect(moments.inserted.map(\.rawValue) == ["moment-1970-02-16"])
        #expect(moments.updated.map(\.rawValue) == ["moment-1970-02"])
        #expect(moments.removed.map(\.rawValue) == ["moment-1970-01", "moment-1970-01-12"])
        // What looks the same is not told.
        _ = try await library.store.perform([.setFavorite([.asset(photos[0])], true)])
        #expect(try await changes().moments == ChangedIDs())
        await library.close()
    }

    // MARK: - Everything

    /// Does what people and apps do, in any order, and follows it as an app would.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `an app that follows has what an app that reads everything has`(seed: UInt64) async throws
    {
        var random = SeededGenerator(state: seed)
        var files = 4
        var generation = try await library.store.follow(.everything)
        var (assets, albums, moments): Contents
        (generation, (assets, albums, moments)) = try await state(since: generation)
        for step in 0..<25 {
            let user = try await library.reader.albums(.everything, withEmpty: true)
                .filter { $0.kind == .user }.map(\.id)
            let all = try await library.reader.photos(in: SmartAlbum.recent.id).ids
            let some = all.filter { _ in Bool.random(using: &random) }
                .map { LibraryChange.Photo.asset($0) }
            let names = names(in: home.pictures).filter { $0.string.hasSuffix(".jpg") }
            let file = names.randomElement(using: &random)
            let folder = home.pictures.appending("Sicily")
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1:
                let place = Bool.random(using: &random) ? "" : "Sicily/"
                try home.add(
                    as: "\(place)new\(step).jpg", number: UInt8(100 + step),
                    at: Int.random(in: 1..<9_000_000, using: &random))
                files += 1
            case 2:
                guard let file else { continue }
                try AtomicFile.remove(home.pictures.appending(file))
                files -= 1
            case 3:
                guard let file else { continue }
                try home.add("jpeg/baseline.jpg", as: file.string, number: UInt8(200 + step))
            case 4:
                guard let file else { continue }
                try Directory.make(folder)
                try AtomicFile.rename(
                    home.pictures.appending(file), to: folder.appending("moved\(step).jpg"))
            case 5:
                _ = try await library.store.perform([
                    .setFavorite(some, Bool.random(using: &random))
                ])
            case 6:
                _ = try await library.store.perform([
                    .createAlbum(title: "\(step)"), .insert(some, into: .made(by: 0), index: 0),
                ])
            case 7:
                guard let album = user.randomElement(using: &random) else { continue }
                _ = try await library.store.perform([
                    .remove(some, from: .album(album)),
                    .insert(Array(some.prefix(1)), into: .album(album), index: 0),
                    .renameAlbum(.album(album), title: "\(step)"),
                ])
            default:
                guard let album = user.randomElement(using: &random) else { continue }
                _ = try await library.store.perform([.deleteAlbum(.album(album))])
            }
            // What is read last is told as well.
            try await eventually("step \(step) of \(seed)") {
                _ = try await library.settle(files: files)
                let summary = try await library.changes(since: generation)
                let now = try await contents()
                return summary.explains((assets, albums, moments), now)
                    && !isBehindDisk(now.assets)
            }
            (generation, (assets, albums, moments)) = try await state(since: generation)
        }
        await library.close()
    }

    // MARK: -

    fileprivate typealias Contents = (
        assets: [AssetID: ListedAsset], albums: [AlbumID: [AnyHashable]],
        moments: [AlbumID: [AnyHashable]]
    )

    /// Everything that an app reads, and the number of the last change before it.
    ///
    /// A file that gets its time after its content may change the library twice.
    private func state(since first: UInt64) async throws -> (generation: UInt64, contents: Contents)
    {
        var generation = first
        return try await eventually("a moment without changes") {
            generation = try await library.changes(since: generation).generation
            let contents = try await contents()
            let isCurrent = try await library.changes(since: generation).generation == generation
            return isCurrent ? (generation, contents) : nil
        }
    }

    /// Everything that an app reads.
    private func contents() async throws -> Contents {
        let reader = library.reader
        var (assets, albums, moments): Contents = ([:], [:], [:])
        func list(_ album: Album) async throws -> [AnyHashable] {
            let page = try await reader.page(
                of: album.id, .everything, in: .everything, from: 0, limit: 1000)
            let listed = page?.assets ?? []
            for asset in listed { assets[asset.asset.id] = asset }
            return [album, listed.map(\.asset.id)]
        }
        for album in try await reader.albums(.everything, in: .everything) {
            albums[album.id] = try await list(album)
        }
        for unit in Moment.Unit.allCases {
            let (found, _) = try await reader.moments(
                unit, .everything, in: .everything, from: 0, limit: 1000)
            for moment in found { moments[moment.id] = try await list(moment) }
        }
        return (assets, albums, moments)
    }

    /// Whether the library does not know yet what is in the folder.
    private func isBehindDisk(_ assets: [AssetID: ListedAsset]) -> Bool {
        let folders = [home.pictures, home.pictures.appending("Sicily")]
        let sizes = folders.flatMap { folder in
            names(in: folder).filter { $0.string.hasSuffix(".jpg") }.map { name in
                (try? folder.appending(name).stat())?.size ?? 0
            }
        }
        return Set(sizes) != Set(assets.values.map(\.byteCount))
    }

    private func albumID(_ title: String) async throws -> AlbumID? {
        try await library.reader.albums().first { $0.title == title }?.id
    }

    private func sql(_ text: String) async throws -> String {
        let child = try ChildProcess(
            "sqlite3", ["-cmd", ".timeout 5000", home.database.string, text],
            environment: home.environment, scratch: home.scratch)
        #expect(try await child.exitStatus() == 0, "\(child.errorText)")
        return child.outputText
    }
}

extension LiveLibrary {
    /// What has changed for apps that see everything.
    fileprivate func changes(since generation: UInt64) async throws -> ChangeSummary {
        try #require(
            try await reader.changes(since: generation, in: .everything, limit: 100_000))
    }
}

extension ChangeSummary {
    /// Whether it names each difference of two states as what it is, and nothing that is in neither.
    fileprivate func explains(
        _ old: FollowingTests.Contents, _ new: FollowingTests.Contents
    ) -> Bool {
        assets.explains(old.assets, new.assets) && albums.explains(old.albums, new.albums)
            && moments.explains(old.moments, new.moments)
    }
}

extension ChangedIDs {
    fileprivate func explains<Value: Equatable>(_ old: [ID: Value], _ new: [ID: Value]) -> Bool {
        let changed = new.filter { id, value in old[id].map { $0 != value } ?? false }
        return Set(inserted) == Set(new.keys).subtracting(old.keys)
            && Set(removed) == Set(old.keys).subtracting(new.keys)
            && Set(updated).isSuperset(of: changed.keys)
            && Set(updated).isSubset(of: Set(new.keys).intersection(old.keys))
    }
}

/// Numbers that are the same in each run.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    /// - Source: SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
