// SPDX-License-Identifier: MIT

import Files
import Glibc
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// The photos that a walk through the folders finds.
@Suite(.serialized) struct IndexingTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `files of a terabyte without content delay no other photo`() async throws {
        for name in ["formats/blocks.webp", "formats/blocks.jp2", "jpeg/grey.jpg", "png/rgb.png"] {
            let copy = try home.add(name, as: "huge-\(name.filter { $0 != "/" })")
            try #require(truncate(copy.string, 1 << 40) == 0)
        }
        // Uncompressed pictures with the same beginning and end.
        for name in ["one.bmp", "two.bmp"] {
            let copy = try home.add("formats/blocks.bmp", as: name)
            try #require(truncate(copy.string, 1 << 40) == 0)
        }
        for suffix in ["jpg", "heic", "tif", "dng", "mp4", "svg", "psd", "cr3"] {
            let path = home.pictures.appending("empty.\(suffix)")
            try home.write([], to: path)
            try #require(truncate(path.string, 1 << 40) == 0)
        }
        try home.add(as: "small.jpg", number: 9, at: 1_000)
        let start = ContinuousClock.now
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 15)
        // By then a call to the disk would have been given up, which is no way to get here.
        #expect(start.duration(to: .now) < .seconds(10))
        #expect(try await library.id(of: home.pictures.appending("small.jpg")) != nil)
        await library.close()
    }

    @Test func `photos come newest first, by the camera's date where there is one`() async throws {
        try home.add(as: "old.jpg", number: 1, at: 1_000_000_000)
        try home.add(as: "new.jpg", number: 2, at: 1_900_000_000)
        // Taken on 3 May 2026 at 14:10:59 +02:00, although the file is much older.
        try home.add("jpeg/dated.jpg", as: "dated.jpg", at: 900_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        #expect(try await library.names() == ["new.jpg", "dated.jpg", "old.jpg"])
        let photos = try await library.reader.photos(in: .all)
        #expect(photos.taken[1] == 1_777_810_259)
        let assets = try await library.reader.assets(photos.ids)
        #expect(assets.map(\.hasCaptureDate) == [false, true, false])
        await library.close()
    }

    @Test func `photos with equal dates keep their order after a restart`() async throws {
        for number in UInt8(1)...20 {
            try home.add(as: "\(number).jpg", number: number, at: 1_000_000)
        }
        var orders: [[AssetID]] = []
        for _ in 0..<2 {
            let library = try LiveLibrary(home)
            _ = try await library.settle(files: 20)
            orders.append(try await library.reader.photos(in: .all).ids)
            await library.close()
        }
        #expect(orders[0].count == 20)
        #expect(orders[0] == orders[1])
    }

    @Test func `sizes are those of the upright picture`() async throws {
        try home.add("orientation/6.jpg", as: "turned.jpg")
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        let photos = try await library.reader.photos(in: .all)
        let asset = try #require(try await library.reader.assets(photos.ids).first)
        #expect(asset.size == PixelSize(width: 48, height: 32))
        #expect(asset.mediaType == .jpeg)
        #expect(photos.aspectRatios == [1.5])
        await library.close()
    }

    @Test func `hidden, marked and excluded folders are left out`() async throws {
        try home.add(as: "seen.jpg", number: 1)
        try home.add(as: ".hidden.jpg", number: 2)
        try home.add(as: ".hidden/a.jpg", number: 3)
        try home.add(as: "private/b.jpg", number: 4)
        try home.add(as: "private/deeper/c.jpg", number: 5)
        try home.write([], to: home.pictures.appending("private").appending(".nomedia"))
        try home.add(as: "elsewhere/d.jpg", number: 6)
        let library = try LiveLibrary(home, excluded: [home.pictures.appending("elsewhere")])
        _ = try await library.settle(files: 1)
        #expect(try await library.names() == ["seen.jpg"])
        await library.close()
    }

    @Test func `files that are not pictures are skipped and counted`() async throws {
        try home.add(as: "seen.jpg")
        try home.add("broken/empty.jpg", as: "empty.jpg")
        try home.add("broken/text.jpg", as: "text.jpg")
        try home.write(Array("notes".utf8), to: home.pictures.appending("notes.txt"))
        try Directory.make(home.pictures.appending("folder.jpg"))
        mkfifo(home.pictures.appending("fifo.jpg").string, 0o600)
        symlink("nowhere", home.pictures.appending("dangling.jpg").string)
        let library = try LiveLibrary(home)
        let status = try await library.settle(files: 4)
        #expect(status.skipped == 3)
        #expect(try await library.names() == ["seen.jpg"])
        await library.close()
    }

    @Test func `a picture with an unusual name is recognized by its content`() async throws {
        try home.add("png/rgb.png", as: "really-a-png.jpg")
        try home.add(as: "no-extension")
        try home.write(
            [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8),
            to: home.pictures.appending("later.heic"))
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        let photos = try await library.reader.photos(in: .all)
        let types = try await library.reader.assets(photos.ids).map(\.mediaType.rawValue)
        #expect(Set(types) == ["image/png", "image/jpeg", "image/heic"])
        await library.close()
    }

    @Test func `links and copies are one photo, and loops end`() async throws {
        let original = try home.add(as: "a/original.jpg")
        try home.add(as: "a/copy.jpg")
        link(original.string, home.pictures.appending("a").appending("hard.jpg").string)
        symlink(original.string, home.pictures.appending("a").appending("soft.jpg").string)
        symlink(home.pictures.string, home.pictures.appending("a").appending("loop").string)
        symlink("self", home.pictures.appending("self").string)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        let photos = try await library.reader.photos(in: .all)
        #expect(photos.count == 1)
        #expect(try await library.reader.paths(of: photos.ids[0]).count == 4)
        await library.close()
    }

    @Test func `pictures of one size that differ somewhere are two photos`() async throws {
        // Uncompressed, so that equal ends do not imply equal content.
        var bytes = Array("BM".utf8) + [UInt8](repeating: 7, count: 200_000)
        try home.write(bytes, to: home.pictures.appending("a.bmp"))
        bytes[100_000] = 8
        try home.write(bytes, to: home.pictures.appending("b.bmp"))
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 2)
        #expect(try await library.reader.photos(in: .all).count == 2)
        await library.close()
    }

    @Test func `names of any bytes are found and resolve to their files`() async throws {
        for (number, name) in [[0x61, 0x20, 0x25], [0x0A], [0xFF, 0xFE], [0xC3, 0xA4]].enumerated()
        {
            let characters = name.map { CInterop.PlatformChar(truncatingIfNeeded: $0) } + [0]
            let component = try #require(FilePath.Component(platformString: characters))
            try home.write(
                Fixtures.bytes("jpeg/grey.jpg") + [UInt8(number)],
                to: home.pictures.appending(component))
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        let photos = try await library.reader.photos(in: .all)
        #expect(photos.count == 4)
        for id in photos.ids {
            let path = try #require(try await library.reader.paths(of: id).first)
            #expect((try? path.stat()) != nil)
        }
        await library.close()
    }

    @Test func `albums have counts and covers, and downloads are a separate album`() async throws {
        try home.add(as: "Sicily/a.jpg", number: 1, at: 1_000_000)
        try home.add(as: "Sicily/b.jpg", number: 2, at: 3_000_000)
        try home.add(as: "Sicily/Etna/c.jpg", number: 3, at: 2_000_000)
        try home.write(
            Fixtures.bytes("png/rgb.png"), to: home.downloads.appending("d.png"))
        try home.write(Array("x".utf8), to: home.pictures.appending("Empty").appending("notes"))
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 5)
        let albums = try await library.reader.albums().withoutLaterSmartAlbums
        #expect(
            albums.map { "\($0.title.isEmpty ? $0.id.rawValue : $0.title) \($0.count)" }
                == ["all 3", "recent 4", "Downloads 1", "Etna 1", "Sicily 2"])
        let sicily = try #require(albums.first { $0.title == "Sicily" })
        #expect(try await library.names(in: sicily.id) == ["b.jpg", "a.jpg"])
        #expect(
            sicily.cover
                == (try await library.id(
                    of: home.pictures.appending("Sicily").appending("b.jpg"))))
        #expect(try await library.names(in: SmartAlbum.recent.id).contains("d.png"))
        #expect(try await !library.names().contains("d.png"))
        await library.close()
    }

    @Test func `a filter accepts only its types`() async throws {
        try home.add(as: "a.jpg", number: 1)
        try home.add("png/rgb.png", as: "b.png")
        try home.write(
            [0, 0, 0, 20] + Array("ftypisom\0\0\u{2}\0mp41".utf8),
            to: home.pictures.appending("c.mp4"))
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 3)
        func count(_ patterns: String...) async throws -> Int {
            let filter = try #require(MediaFilter(patterns.compactMap { MediaFilter.Pattern($0) }))
            return try await library.reader.photos(in: .all, filter).count
        }
        #expect(try await count("image/*") == 2)
        #expect(try await count("video/*") == 1)
        #expect(try await count("image/png") == 1)
        #expect(try await count("image/png", "video/*") == 2)
        #expect(try await library.reader.albums(.images).first?.count == 2)
        await library.close()
    }

    @Test func `albums count only the requested types, and show one of them`() async throws {
        try home.add(as: "Sicily/a.jpg", number: 1, at: 3_000_000)
        try home.add("png/rgb.png", as: "Sicily/b.png", at: 2_000_000)
        try home.add("png/rgba.png", as: "Sicily/c.png", at: 1_000_000)
        try home.add(as: "Malta/d.jpg", number: 2, at: 4_000_000)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 4)
        let png = try #require(MediaFilter.Pattern("image/png"))
        let albums = try await library.reader.albums(try #require(MediaFilter([png])))
            .withoutLaterSmartAlbums
        #expect(
            albums.map { "\($0.title.isEmpty ? $0.id.rawValue : $0.title) \($0.count)" }
                == ["all 2", "recent 2", "Sicily 2"])
        let newest = try await library.id(
            of: home.pictures.appending("Sicily").appending("b.png"))
        #expect(albums.allSatisfy { $0.cover == newest })
        let none = try #require(MediaFilter.Pattern("image/webp"))
        let empty = try await library.reader.albums(try #require(MediaFilter([none])))
        #expect(empty.map(\.id) == [.all, SmartAlbum.recent.id])
        #expect(empty.allSatisfy { $0.count == 0 && $0.cover == nil })
        await library.close()
    }

    @Test func `an album that does not exist has no photos`() async throws {
        try home.add(as: "a.jpg")
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        let nowhere = try #require(AlbumID("folder-0000"))
        #expect(try await library.reader.photos(in: nowhere).isEmpty)
        await library.close()
    }
}
