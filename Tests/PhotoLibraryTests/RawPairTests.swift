// SPDX-License-Identifier: MIT

import Files
import Glibc
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// A camera's raw file and its picture are one photo.
@Suite(.serialized) struct RawPairTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    /// What the library shows: the names of the primary files with the media types, and the raw files.
    private struct Shown: Equatable, CustomStringConvertible {
        var names: [String] = []
        var raws: [String] = []
        var description: String { "\(names) + \(raws)" }
    }

    @Test func `a picture and its raw file are shown once, with both files`() async throws {
        try home.add("raw/nikon.nef", as: "Trip/a.NEF", at: 2_000_000)
        try home.add(as: "Trip/a.jpg", at: 2_000_000)
        // Neither has a partner: another stem, another folder, another type.
        try home.add("raw/sony.arw", as: "Trip/a.b.arw", at: 1_000_003)
        try home.add("raw/canon.cr2", as: "a.cr2", at: 1_000_002)
        try home.add("png/rgb.png", as: "a.png", at: 1_000_001)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        let photos = try await library.reader.photos(in: .all)
        try await expect(["a.jpg", "a.b.arw", "a.cr2", "a.png"], ["a.NEF"], library)
        let albums = try await library.reader.albums()
        #expect(albums.first { $0.title == "Trip" }?.count == 2)
        #expect(albums.first { $0.id == SmartAlbum.raw.id }?.count == 3)
        let raws = try await library.reader.photos(in: SmartAlbum.raw.id)
        #expect(raws.ids == Array(photos.ids.prefix(3)))
        let caption = try await library.reader.caption(of: photos.ids[0])
        #expect(caption?.kindText == "RAW + JPEG")
        for words in ["raw", "a nef", "photo jpg"] {
            let found = try await library.reader.photos(
                in: .all, matching: SearchQuery(words, today: .today))
            #expect(found.ids.contains(photos.ids[0]), "\(words)")
        }
        await library.close()
    }

    @Test func `a filter for a type of raw file finds the photo, and that file of it`()
        async throws
    {
        let raw = try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        try home.add("raw/nikon.nef", as: "a.nef", at: 1_000_000)
        let picture = try home.add(as: "a.jpg", at: 1_000_000)
        try home.add("jpeg/progressive.jpg", as: "b.jpg", at: 900_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        let id = try #require(try await library.id(of: picture))
        func filter(_ types: MediaType...) throws -> MediaFilter {
            try #require(MediaFilter(types.map { .exactly($0) }))
        }
        for (filter, type, path) in [
            (try filter(.adobeDNG), MediaType.adobeDNG, raw),
            (try filter(.nikonRaw, .png), .nikonRaw, home.pictures.appending("a.nef")),
            (try filter(.adobeDNG, .jpeg), .jpeg, picture),
            (.images, .jpeg, picture),
        ] {
            let found = try #require(
                try await library.reader.located([id], acceptedBy: [filter])[id])
            #expect(found.paths == [path], "\(filter)")
            #expect(found.asset.mediaType == type, "\(filter)")
            let shown = try await library.reader.version(of: id)
            #expect(found.isShown(in: shown))
            #expect(found.deliverable(after: shown) == FileVersion(try path.stat()), "\(filter)")
            let isPicture = path == picture
            #expect(found.isShown(in: FileVersion(try raw.stat())) == isPicture, "\(filter)")
            let count = isPicture ? 2 : 1
            #expect(try await library.reader.photos(in: .all, filter).count == count, "\(filter)")
            let albums = try await library.reader.albums(filter)
            #expect(albums.first { $0.id == .all }?.count == count, "\(filter)")
            #expect(albums.first { $0.id == .all }?.cover == id, "\(filter)")
        }
        #expect(try await library.reader.photos(in: .all, try filter(.canonRaw2)).count == 0)
        // The picture decides only if it is what the app receives.
        let either = [try filter(.adobeDNG), MediaFilter.images]
        #expect(try await library.reader.located([id], acceptedBy: either)[id]?.paths == [raw])
        await library.close()
    }

    @Test func `a picture and a raw file of different days that share a name are two photos`()
        async throws
    {
        try home.add("raw/canon.cr3", as: "a.cr3")
        // The clock of the one may be in another time zone.
        let path = try home.add("jpeg/dated.jpg", as: "a.jpg")
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        try await expect(["a.jpg"], ["a.cr3"], library)
        let id = try #require(try await library.id(of: path))
        var other = try Fixtures.bytes("jpeg/dated.jpg")
        let year = try #require(other.firstRange(of: Array("2026:".utf8)))
        other.replaceSubrange(year, with: "2021:".utf8)
        try home.write(other, to: path)
        _ = try await library.settle(photos: 2)
        _ = try await library.settle(files: 2)
        try await expect(["a.cr3", "a.jpg"], [], library)
        #expect(try await library.id(of: path) == id)
        await library.close()
    }

    /// As in a row of an earlier release, and on a file system that does not tell it.
    @Test func `without the time of the last change of the status, any version is delivered`()
        async throws
    {
        try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        try home.add(as: "a.jpg", at: 1_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        let dng = try #require(MediaFilter([.exactly(.adobeDNG)]))
        func deliverable() async throws -> (shown: FileVersion?, raw: FileVersion?) {
            let shown = try await library.reader.version(of: id)
            let located = try #require(
                try await library.reader.located([id], acceptedBy: [dng])[id])
            #expect(located.isShown(in: shown))
            return (shown, located.deliverable(after: shown))
        }
        let known = try await deliverable()
        #expect(known.shown != nil && known.raw != nil)
        let shell = try ChildProcess(
            "sqlite3",
            ["-cmd", ".timeout 10000", home.database.string, "UPDATE file SET changed = 0"],
            environment: home.environment, scratch: home.scratch)
        #expect(try await shell.exitStatus() == 0, "\(shell.errorText)")
        let unknown = try await deliverable()
        #expect(unknown.shown == nil && unknown.raw == nil)
        // The next comparison completes the rows.
        try home.add("png/rgb.png", as: "b.png")
        _ = try await library.settle(files: 3)
        #expect(try await deliverable() == known)
        await library.close()
    }

    @Test(arguments: [["a.jpg", "a.dng"], ["a.dng", "a.jpg"]])
    func `the photo that came first keeps its id when the other file arrives`(names: [String])
        async throws
    {
        let files = ["a.jpg": "jpeg/grey.jpg", "a.dng": "raw/adobe.dng"]
        let library = try LiveLibrary(home)
        var ids: [AssetID] = []
        for (index, name) in names.enumerated() {
            try home.add(try #require(files[name]), as: name)
            _ = try await library.settle(files: index + 1)
            ids += try await library.settle(photos: 1).ids
        }
        #expect(ids[0] == ids[1])
        try await expect(["a.jpg"], ["a.dng"], library)
        await library.close()
    }

    @Test(arguments: ["a.jpg", "a.dng"])
    func `a photo lives on with the file that is left, and takes the other one back`(lost: String)
        async throws
    {
        try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        try home.add(as: "a.jpg", at: 1_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        let (path, aside) = (home.pictures.appending(lost), home.scratch.appending("aside"))
        try AtomicFile.rename(path, to: aside)
        _ = try await library.settle(files: 1)
        try await expect([lost == "a.jpg" ? "a.dng" : "a.jpg"], [], library)
        #expect(try await library.settle(photos: 1).ids == [id])
        let type = try await library.reader.assets([id]).first?.mediaType
        #expect(type == (lost == "a.jpg" ? .adobeDNG : .jpeg))
        try AtomicFile.rename(aside, to: path)
        _ = try await library.settle(files: 2)
        try await expect(["a.jpg"], ["a.dng"], library)
        #expect(try await library.settle(photos: 1).ids == [id])
        await library.close()
    }

    @Test(arguments: [["a.jpg", "a.dng"], ["a.dng", "a.jpg"]])
    func `both files are renamed or moved, and the photo stays the same`(order: [String])
        async throws
    {
        try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        try home.add(as: "a.jpg", at: 1_000_000)
        try Directory.make(home.pictures.appending("Trip"))
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        let moves = [
            home.pictures.appending("b"), home.pictures.appending("Trip").appending("b"),
        ]
        var current = home.pictures.appending("a")
        for target in moves {
            for name in order {
                var (from, to) = (current, target)
                from.extension = FilePath(name).extension
                to.extension = FilePath(name).extension
                try AtomicFile.rename(from, to: to)
            }
            current = target
            var primary = target
            primary.extension = "jpg"
            try await eventually("the photo at \(target)") {
                try await library.reader.paths(of: id) == [primary]
            }
            _ = try await library.settle(files: 2)
            try await expect(["b.jpg"], ["b.dng"], library)
        }
        #expect(try await library.settle(photos: 1).ids == [id])
        await library.close()
    }

    @Test(arguments: ["a.jpg", "a.dng"])
    func `a file that gets another name is a photo of its own, until it has the old one again`(
        name: String
    ) async throws {
        try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        try home.add(as: "a.jpg", at: 1_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        let path = home.pictures.appending(name)
        var other = home.pictures.appending("b")
        other.extension = path.extension
        try AtomicFile.rename(path, to: other)
        let parted = try await library.settle(photos: 2)
        #expect(parted.ids.contains(id))
        // The picture is what had the id.
        #expect(try await library.reader.assets([id]).first?.mediaType == .jpeg)
        try AtomicFile.rename(other, to: path)
        #expect(try await library.settle(photos: 1).ids == [id])
        try await expect(["a.jpg"], ["a.dng"], library)
        await library.close()
    }

    @Test func `what people did with a raw file is true of the photo that it becomes`()
        async throws
    {
        try home.add("raw/adobe.dng", as: "b.dng")
        try home.add(as: "a.jpg")
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let dng = try #require(try await library.id(of: home.pictures.appending("b.dng")))
        let jpeg = try #require(try await library.id(of: home.pictures.appending("a.jpg")))
        let results = try await library.store.perform([
            .createAlbum(title: "Spring"), .insert([.asset(dng)], into: .made(by: 0), index: 0),
            .setFavorite([.asset(dng)], true),
        ])
        let album = try #require(results.first?.album)
        try AtomicFile.rename(
            home.pictures.appending("b.dng"), to: home.pictures.appending("a.dng"))
        #expect(try await library.settle(photos: 1).ids == [jpeg])
        #expect(try await library.reader.photos(in: album).ids == [jpeg])
        #expect(try await library.reader.photos(in: SmartAlbum.favorites.id).ids == [jpeg])
        await library.close()
    }

    @Test func `an edit of either file keeps the photo`() async throws {
        let dng = try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        let jpeg = try home.add(as: "a.jpg", at: 1_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let id = try #require(try await library.settle(photos: 1).ids.first)
        try home.write(Fixtures.bytes("orientation/6.jpg"), to: jpeg)
        try await eventually("the new shape") {
            try await library.reader.photos(in: .all).aspectRatios == [1.5]
        }
        try home.write(Fixtures.bytes("raw/adobe.dng") + [1], to: dng)
        try await eventually("the new raw file") {
            try await library.reader.located([id], .current, .raw)[id]?.files.first?.examined?
                .byteCount == Int64(Fixtures.bytes("raw/adobe.dng").count + 1)
        }
        _ = try await library.settle(files: 2)
        try await expect(["a.jpg"], ["a.dng"], library)
        #expect(try await library.settle(photos: 1).ids == [id])
        await library.close()
    }

    @Test func `copies of both files in another folder belong to the same photo`() async throws {
        for folder in ["A", "B"] {
            try home.add("raw/adobe.dng", as: "\(folder)/a.dng", at: 1_000_000)
            try home.add(as: "\(folder)/a.jpg", at: 1_000_000)
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        try await expect(["a.jpg"], ["a.dng", "a.dng"], library)
        removeTree(home.pictures.appending("A"))
        _ = try await library.settle(files: 2)
        try await expect(["a.jpg"], ["a.dng"], library)
        await library.close()
    }

    @Test(arguments: [["A/a.jpg", "B/b.dng"], ["B/b.dng", "A/a.jpg"]])
    func `a raw file without its picture is one photo with its copy elsewhere`(order: [String])
        async throws
    {
        let raw = try home.add("raw/adobe.dng", as: "A/a.dng", at: 1_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        for (index, name) in order.enumerated() {
            try home.add(name == "B/b.dng" ? "raw/adobe.dng" : "jpeg/grey.jpg", as: name)
            _ = try await library.settle(files: index + 2)
        }
        try await expect(["b.dng", "a.jpg"], ["a.dng"], library, inAnyOrder: true)
        let picture = home.pictures.appending("A").appending("a.jpg")
        let id = try #require(try await library.id(of: picture))
        let results = try await library.store.perform([
            .createAlbum(title: "Spring"), .insert([.asset(id)], into: .made(by: 0), index: 0),
            .setFavorite([.asset(id)], true),
        ])
        let album = try #require(results.first?.album)
        try AtomicFile.remove(picture)
        let left = try await library.settle(photos: 1).ids
        _ = try await library.settle(files: 2)
        let copy = home.pictures.appending("B").appending("b.dng")
        #expect(Set(try await library.reader.paths(of: left[0])) == [raw, copy])
        #expect(try await library.reader.photos(in: album).ids == left)
        #expect(try await library.reader.photos(in: SmartAlbum.favorites.id).ids == left)
        // It is the photo that a new library finds.
        let fresh = try LiveLibrary(home, at: home.scratch.appending("fresh.db"))
        #expect(try await fresh.settle(photos: 1).ids == left)
        await fresh.close()
        // The picture alone is joined to the file beside it.
        try home.add(as: "A/a.jpg")
        _ = try await library.settle(files: 3)
        try await expect(["b.dng", "a.jpg"], ["a.dng"], library, inAnyOrder: true)
        await library.close()
    }

    @Test func `a link to a raw file in another folder is a photo of its own`() async throws {
        let raw = try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        try home.add(as: "a.jpg", at: 1_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let trip = home.pictures.appending("Trip")
        try Directory.make(trip)
        #expect(link(raw.string, trip.appending("b.dng").string) == 0)
        _ = try await library.settle(photos: 2)
        _ = try await library.settle(files: 3)
        try await expect(["b.dng", "a.jpg"], ["a.dng"], library, inAnyOrder: true)
        await library.close()
    }

    @Test func `a raw file that is damaged for a while leaves the picture and comes back`()
        async throws
    {
        let raw = try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        try home.add(as: "a.jpg", at: 1_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        let ids = try await library.settle(photos: 1).ids
        try home.write(Array("no raw file\n".utf8), to: raw)
        try await eventually("the picture alone") {
            try await library.reader.located(ids, .current, .raw)[ids[0]]?.files == []
        }
        #expect(try await library.settle(photos: 1).ids == ids)
        try home.write(Fixtures.bytes("raw/adobe.dng"), to: raw)
        try await eventually("both") {
            try await library.reader.located(ids, .current, .raw)[ids[0]]?.paths == [raw]
        }
        #expect(try await library.settle(photos: 1).ids == ids)
        await library.close()
    }

    @Test func `a stem that very many files share is no shot`() async throws {
        try home.add("raw/adobe.dng", as: "a.dng", at: 1_000_000)
        try home.add(as: "a.jpg", at: 1_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 1)
        for number in 1...70 { try home.add(as: "a.\(number)", number: UInt8(number)) }
        _ = try await library.settle(files: 72)
        _ = try await library.settle(photos: 72)
        #expect(try await library.reader.photos(in: SmartAlbum.raw.id).count == 1)
        await library.close()
    }

    private func expect(
        _ names: [String], _ raws: [String], _ library: LiveLibrary, inAnyOrder: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let expected = Shown(names: names, raws: raws)
        var shown = Shown()
        let ids = try await library.reader.photos(in: .all).ids
        shown.names = try await library.names()
        if inAnyOrder { shown.names.sort(by: >) }
        let located = try await library.reader.located(ids, .current, .raw)
        for id in ids {
            shown.raws += located[id]?.paths.compactMap { $0.lastComponent?.string } ?? []
        }
        #expect(shown == expected, sourceLocation: sourceLocation)
        let count = try await library.reader.albums().first { $0.id == .all }?.count
        #expect(count == names.count, sourceLocation: sourceLocation)
    }
}
