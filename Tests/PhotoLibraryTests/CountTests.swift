// SPDX-License-Identifier: MIT

import Files
import Glibc
import ImageWork
import Logging
import Photos
import Processes
import SystemPackage
import TestSupport
import Testing

@testable import PhotoLibrary

/// Counts and covers change with each transaction and are never recalculated.
///
/// After any sequence of changes they must equal a fresh count.
@Suite(.serialized) struct CountTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `after random changes of the disk the stored counts are those of a fresh count`(
        seed: UInt64
    ) async throws {
        let home = try TestHome()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try LibraryStore(at: home.database, logger: logger)
        let decoders = DecoderPool(
            program: FilePath(Programs.path("photo-portal-decoder")), workers: 2)
        let indexer = Indexer(
            store: store, decoders: decoders,
            roots: LibraryRoots(pictures: [home.pictures], others: [home.downloads]),
            logger: logger)
        let reader = LibraryReader(store)
        var disk = try RandomDisk(home, seed: seed)
        // Those that several photos had.
        var terms = ""
        for step in 0..<40 {
            var steps = try disk.change().joined(separator: ", ")
            steps += try await changeAlbums(store, reader, &disk)
            if step % 3 == 0 { await indexer.walk() } else { await indexer.update(disk.folders) }
            let note = "seed \(seed), step \(step): \(steps)"
            let stored = try await Snapshot(reader)
            try await expectConsistent(stored, reader, "\(note)")
            let columns = try Self.columns(in: home)
            terms += try Self.rows(of: "SELECT text FROM term WHERE count > 1", in: home)
            try store.write("count") { try AlbumTable.recount(in: $0) }
            #expect(try await Snapshot(reader) == stored, "\(note)")
            #expect(try Self.columns(in: home) == columns, "\(note)")
            let mistakes = try Self.mistakes(in: home)
            #expect(mistakes == "", "\(note)")
        }
        #expect(disk.changes > 80)
        #expect(!terms.isEmpty)
        decoders.close()
        store.checkpoint()
    }

    /// What the database says of each photo that follows from its files.
    private static func columns(in home: TestHome) throws -> String {
        try rows(
            of:
                "SELECT id, file, rawTypes, isLive, inAll, isScreenshot, isSelfie FROM asset ORDER BY id",
            in: home)
    }

    /// The photos that are there whose place, and the terms whose count, is not what follows from the photos.
    private static func mistakes(in home: TestHome) throws -> String {
        try rows(
            of: """
                SELECT id FROM asset WHERE file IS NOT NULL AND hasPlace <> coalesce((
                    SELECT hasPlace FROM assetDetails WHERE asset = id), 0);
                WITH named(kind, text, count) AS (
                    SELECT 0, value, count(DISTINCT asset)
                        FROM assetDetails, json_each(keywords) GROUP BY value
                    UNION ALL SELECT 1, camera, count(*)
                        FROM assetDetails WHERE camera IS NOT NULL GROUP BY camera
                    UNION ALL SELECT 2, lens, count(*)
                        FROM assetDetails WHERE lens IS NOT NULL GROUP BY lens)
                SELECT * FROM (
                    SELECT kind, text, count FROM term EXCEPT SELECT * FROM named)
                UNION ALL SELECT * FROM (
                    SELECT * FROM named EXCEPT SELECT kind, text, count FROM term);
                """, in: home)
    }

    private static func rows(of statement: String, in home: TestHome) throws -> String {
        let output = try ProgramOutput.capture(
            "sqlite3", ["-readonly", home.database.string, statement], timeout: .seconds(20))
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `two spellings of a keyword that look alike are counted as two`() async throws {
        let home = try TestHome()
        for (index, keyword) in ["Caf\u{E9}", "Cafe\u{301}"].enumerated() {
            try home.write(
                picture(with: [keyword]), to: home.pictures.appending("\(index).jpg"))
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(photos: 2)
        let names = try Self.rows(of: "SELECT count FROM term WHERE kind = 0", in: home)
        #expect(names == "1\n1\n")
        #expect(try Self.mistakes(in: home) == "")
        removeTree(home.pictures.appending("1.jpg"))
        _ = try await library.settle(photos: 1)
        #expect(try Self.rows(of: "SELECT count FROM term WHERE kind = 0", in: home) == "1\n")
        #expect(try Self.mistakes(in: home) == "")
        await library.close()
    }

    /// Performs a random change set, which may be refused, and describes it.
    private func changeAlbums(
        _ store: LibraryStore, _ reader: LibraryReader, _ disk: inout RandomDisk
    ) async throws -> String {
        let photos = try await reader.photos(in: SmartAlbum.recent.id, .everything).ids
        let albums = try await reader.albums(withEmpty: true).filter { $0.kind == .user }
        let change = disk.change(of: photos, albums.map(\.id))
        do {
            _ = try await store.perform([change])
        } catch {
            guard case .refused(_, .noPosition) = error else { throw error }
        }
        return ", \(change)"
    }

    /// All counts and covers that readers see.
    private struct Snapshot: Equatable {
        var status: LibraryStatus
        var albums: [MediaFilter: [Album]] = [:]

        init(_ reader: LibraryReader) async throws {
            status = try await reader.status()
            for filter in try Self.filters {
                albums[filter] = try await reader.albums(filter, withEmpty: true)
            }
        }

        private static var filters: [MediaFilter] {
            get throws {
                let png = MediaFilter.Pattern.exactly(.png)
                return try [
                    [.anyImage], [.anyVideo], [.anyImage, .anyVideo], [png], [png, .anyVideo],
                ].map { try #require(MediaFilter($0)) }
            }
        }
    }

    /// Compares counts and covers with the photos that the albums show.
    private func expectConsistent(
        _ snapshot: Snapshot, _ reader: LibraryReader, _ note: Comment
    ) async throws {
        #expect(snapshot.status.pending == 0, note)
        for (filter, albums) in snapshot.albums {
            for album in albums {
                let photos = try await reader.photos(in: album.id, filter)
                #expect(album.count == photos.count, note)
                #expect(album.cover == photos.ids.first, note)
            }
        }
    }
}

/// Folders whose files change at random, in the same way for the same seed.
private struct RandomDisk {
    private let home: TestHome
    private var random: Generator
    private let contents: [[UInt8]]
    private(set) var changes = 0

    init(_ home: TestHome, seed: UInt64) throws {
        self.home = home
        random = Generator(state: seed)
        contents = try [
            Fixtures.bytes("jpeg/grey.jpg"), Fixtures.bytes("jpeg/grey.jpg") + [1],
            Fixtures.bytes("jpeg/dated.jpg"), Fixtures.bytes("png/rgb.png"),
            Fixtures.bytes("png/rgba.png"), Fixtures.bytes("orientation/6.jpg"),
            [0, 0, 0, 20] + Array("ftypisom\0\0\u{2}\0mp41".utf8),
            [0, 0, 0, 20] + Array("ftypisom\0\0\u{2}\0mp41".utf8) + [1],
            Array("no picture".utf8),
            // With places and cameras, and with keywords.
            Fixtures.bytes("location/exif.jpg"), Fixtures.bytes("location/exif.jpg") + [1],
            picture(with: ["sea"]), picture(with: ["sea", "sun"]),
        ]
        for folder in folders { try Directory.make(folder) }
    }

    /// The folders in which files appear.
    var folders: Set<FilePath> {
        [
            home.pictures, home.pictures.appending("a"), home.pictures.appending("b"),
            home.pictures.appending("a").appending("deep"), home.downloads,
        ]
    }

    /// Makes some changes and returns a description of them.
    mutating func change() throws -> [String] {
        try (0...random.number(below: 5)).map { _ in
            changes += 1
            let path = name()
            let target = name()
            switch random.number(below: 9) {
            case 0, 1, 2:
                try write(path)
                return "write \(path)"
            case 3:
                unlink(path.string)
                return "delete \(path)"
            case 4, 5:
                rename(path.string, target.string)
                return "rename \(path) to \(target)"
            case 6:
                link(path.string, target.string)
                return "link \(path) to \(target)"
            case 7:
                home.setDate(of: path, date())
                return "touch \(path)"
            default:
                return try changeFolder()
            }
        }
    }

    /// A change set of one operation.
    mutating func change(of photos: [AssetID], _ albums: [AlbumID]) -> LibraryChange {
        let some = photos.filter { _ in random.number(below: 3) == 0 }
            .map { LibraryChange.Photo.asset($0) }
        guard let album = albums.isEmpty ? nil : albums[random.number(below: albums.count)] else {
            return .createAlbum(title: "\(random.number(below: 3))")
        }
        return switch random.number(below: 7) {
        case 0: .ensureAlbum(title: "\(random.number(below: 3))")
        case 1: .remove(some, from: .album(album))
        case 2: .setFavorite(some, random.number(below: 2) == 0)
        case 3: .insert(some, into: .album(album), index: nil)
        case 4 where random.number(below: 4) == 0: .deleteAlbum(.album(album))
        default: .insert(some, into: .album(album), index: random.number(below: 4))
        }
    }

    private mutating func changeFolder() throws -> String {
        let folder = home.pictures.appending("a")
        let away = home.scratch.appending("away")
        if folder.isThere {
            rename(folder.string, away.string)
            return "move a away"
        }
        if away.isThere { rename(away.string, folder.string) } else { try Directory.make(folder) }
        return "move a back"
    }

    private mutating func write(_ path: FilePath) throws {
        guard path.removingLastComponent().isThere else { return }
        try home.write(contents[random.number(below: contents.count)], to: path)
        home.setDate(of: path, date())
    }

    /// Few names, so that collisions are frequent.
    private mutating func name() -> FilePath {
        let folders = self.folders.sorted { $0.string < $1.string }
        return folders[random.number(below: folders.count)].appending(
            "\(random.number(below: 4))")
    }

    /// Few dates, so that many photos share one.
    private mutating func date() -> Int { 1_000_000 + random.number(below: 3) }
}

/// A small picture with keywords.
private func picture(with keywords: [String]) throws -> [UInt8] {
    let picture = try Fixtures.bytes("jpeg/grey.jpg")
    let items = keywords.map { "<rdf:li>\($0)</rdf:li>" }.joined()
    let metadata = Array(
        """
        http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject>
        <rdf:Bag>\(items)</rdf:Bag>
        </dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8)
    let length = metadata.count + 2
    let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + metadata
    return picture.prefix(2) + segment + picture.dropFirst(2)
}

extension FilePath {
    fileprivate var isThere: Bool { (try? stat()) != nil }
}

/// Xorshift numbers.
private struct Generator {
    var state: UInt64

    mutating func number(below limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(limit))
    }
}
