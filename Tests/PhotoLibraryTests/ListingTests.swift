// SPDX-License-Identifier: MIT

import Files
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// Lists that are brought up to date while the library is being indexed.
@Suite(.serialized) struct ListingTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    private func add(_ numbers: ClosedRange<UInt8>, in folder: String) throws {
        for number in numbers {
            try home.add(
                as: "\(folder)/\(number).jpg", number: number, at: 1_000_000 + Int(number % 7))
        }
    }

    @Test(arguments: ["all", "recent", "folder"])
    func `a list that is completed is the same as one that is read again`(
        album: String
    ) async throws {
        try add(1...20, in: "A")
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 20)
        let folder = try #require(
            try await library.reader.album(ofFolder: home.pictures.appending("A")))
        let id = album == "folder" ? folder : try #require(AlbumID(album))
        var list = try await library.reader.listing(in: id, .images)
        for round in UInt8(1)...3 {
            try add(round * 30...(round * 30 + 9), in: round == 2 ? "B" : "A")
            _ = try await library.settle(photos: 20 + Int(round) * 10)
            list = try await library.reader.listing(in: id, .images, completing: list)
            let expected = try await library.reader.photos(in: id)
            #expect(list.photos == expected)
        }
        // Photos that have gone are noticed, too.
        for number in 1...5 {
            try AtomicFile.remove(home.pictures.appending("A/\(number).jpg"))
        }
        _ = try await library.settle(photos: 45)
        list = try await library.reader.listing(in: id, .images, completing: list)
        let expected = try await library.reader.photos(in: id)
        #expect(list.photos == expected)
        await library.close()
    }

    /// While 100,000 photos were indexed, the window read the whole list again and again.
    @Test func `completing a list reads only the new photos`() async throws {
        try add(1...5, in: "A")
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 5)
        let old = try await library.reader.listing(in: SmartAlbum.all.id, .images)
        // A row that is read again has this date.
        let child = try ChildProcess(
            "sqlite3",
            [
                home.database.string,
                "PRAGMA busy_timeout = 5000; UPDATE asset SET date = 5 WHERE id = 3",
            ], environment: home.environment, scratch: home.scratch)
        #expect(try await child.exitStatus() == 0)
        try home.add(as: "new.jpg", number: 200, at: 2_000_000)
        _ = try await library.settle(photos: 6)
        let list = try await library.reader.listing(
            in: SmartAlbum.all.id, .images, completing: old)
        #expect(list.photos.count == 6)
        #expect(!list.photos.taken.contains(5))
        #expect(try await library.reader.photos(in: SmartAlbum.all.id).taken.contains(5))
        await library.close()
    }

    @Test func `the photo of a file is found as long as the file is the one that was examined`()
        async throws
    {
        try add(1...2, in: "A")
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        let path = home.pictures.appending("A/1.jpg")
        let version = FileVersion(try path.stat())
        let found = try await library.reader.assets(ofFiles: [version])
        let asset = try #require(found.first ?? nil)
        #expect(try await library.reader.paths(of: asset.id) == [path])
        // Another version of it, and files that the library does not have.
        let changed = FileVersion(
            device: version.device, inode: version.inode, byteCount: version.byteCount,
            modified: version.modified, changed: version.changed + 1)
        let unknown = FileVersion(
            device: .max, inode: .max, byteCount: .max, modified: .min, changed: .min)
        let all = try await library.reader.assets(ofFiles: [unknown, version, changed])
        #expect(all == [nil, asset, nil])
        #expect(try await library.reader.assets(ofFiles: []).isEmpty)
        await library.close()
    }
}
