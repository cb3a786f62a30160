// SPDX-License-Identifier: MIT

import Files
import Glibc
import Logging
import PhotoLibrary
import Photos
import Processes
import SystemPackage
import TestSupport
import Testing

/// A database that is damaged, missing or not writable.
@Suite(.serialized) struct DamageTests {
    private let home: TestHome
    private var folder: FilePath { home.data.appending("photo-portal") }

    init() throws {
        home = try TestHome()
        try home.add(as: "a.jpg")
    }

    @Test(arguments: [
        Array("This is not a database, it is a text.".utf8),
        [UInt8](repeating: 0xFF, count: 100_000),
    ])
    func `an invalid database is moved aside and replaced`(content: [UInt8]) async throws {
        try home.write(content, to: home.database)
        try await expectRebuild()
        let aside = try #require(names(in: folder).first { $0.string.contains("corrupt") })
        #expect(
            try Descriptor.openForReading(folder.appending(aside)).read(upTo: 1 << 20) == content)
    }

    @Test func `a truncated database is moved aside and replaced`() async throws {
        try await makeLibrary()
        var bytes = try Descriptor.openForReading(home.database).read(upTo: 1 << 22)
        for index in 4096..<bytes.count { bytes[index] = 0xA5 }
        try home.write(bytes, to: home.database)
        try await expectRebuild()
        #expect(names(in: folder).contains { $0.string.contains("corrupt") })
    }

    @Test func `a database that cannot be moved aside stays, and the error says why`() throws {
        // With the word and the time added, it is longer than a name can be.
        let name = String(repeating: "n", count: 255 - "-journal".count)
        try home.write(Array("This is no database.".utf8), to: folder.appending(name))
        let error = #expect(throws: LibraryError.self) {
            try LiveLibrary(home, at: folder.appending(name))
        }
        #expect(error?.code == .unwritable)
        #expect(try "\(#require(error))".contains("\(Errno.fileNameTooLong)"))
        #expect(names(in: folder).contains { $0.string == name })
    }

    @Test func `a link to something else than a file changes nothing of that`() throws {
        let device = home.scratch.appending("device")
        try Directory.make(folder)
        #expect(mkfifo(device.string, 0o666) == 0)
        #expect(chmod(device.string, 0o666) == 0)
        #expect(symlink(device.string, home.database.string) == 0)
        #expect(throws: LibraryError.self) { try LiveLibrary(home) }
        #expect(try device.stat().permissions.rawValue & 0o777 == 0o666)
    }

    @Test func `an empty file is a new database`() async throws {
        try home.write([], to: home.database)
        try await expectRebuild()
    }

    @Test func `a reader of a missing library gives a clear error`() {
        let error = #expect(throws: LibraryError.self) { try LibraryReader(at: home.database) }
        #expect(error?.code == .missing)
    }

    @Test func `a folder that cannot be created is a clear error`() throws {
        try home.write([1], to: folder)
        let error = #expect(throws: LibraryError.self) { try LiveLibrary(home) }
        #expect(error?.code == .unwritable)
    }

    @Test func `delivered photos are recorded per app`() async throws {
        try await makeLibrary()
        let library = try LiveLibrary(home)
        let photos = try await library.settle(photos: 1)
        let never = try #require(AssetID("00000000000000000000000000000000"))
        try await library.store.noteGiven(photos.ids, whole: [], to: "org.example.App")
        try await library.store.noteGiven([never], whole: [], to: "org.example.App")
        let asked = photos.ids + [never]
        #expect(try await library.reader.given(asked, to: "org.example.App") == photos.ids)
        #expect(try await library.reader.given(asked, to: "org.example.Other") == [])
        await library.close()
    }

    /// What a library of 60 photos has, and the photos of its only album.
    private func makeLargeLibrary() async throws -> (album: AlbumID, photos: [AssetID]) {
        for number in 1...59 {
            try home.add(as: "\(number).jpg", number: UInt8(number), at: 1_000_000 * number)
        }
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 60)
        let photos = try await library.reader.photos(in: .all).ids
        let results = try await library.store.perform([
            .createAlbum(title: "Everything"),
            .insert(photos.map { .asset($0) }, into: .made(by: 0), index: nil),
        ])
        await library.store.finishUserData()
        await library.close()
        return (try #require(results[0].album), photos)
    }

    private func sqlite(_ statement: String) throws -> String {
        String(
            decoding: try ProgramOutput.capture(
                "sqlite3",
                // It would protect the tables that belong to others.
                ["-cmd", ".dbconfig defensive off", home.database.string, statement],
                timeout: .seconds(60)),
            as: UTF8.self)
    }

    /// Fills a part of a page with photos with zeros.
    private func damagePage(from start: Int) throws {
        let page = try #require(
            Int(
                try sqlite(
                    "SELECT max(pageno) FROM dbstat WHERE name = 'asset' AND pagetype = 'leaf'"
                ).filter(\.isNumber)))
        var bytes = try Descriptor.openForReading(home.database).read(upTo: 1 << 24)
        for index in (page - 1) * 4096 + start..<page * 4096 { bytes[index] = 0 }
        try home.write(bytes, to: home.database)
    }

    private func expectEverything(_ album: AlbumID, _ photos: [AssetID]) async throws {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 60)
        #expect(names(in: folder).contains { $0.string.contains("db.corrupt") })
        #expect(try await library.reader.photos(in: album).ids == photos)
        #expect(try await library.reader.photos(in: .all).ids == photos)
        await library.close()
    }

    /// SQLite reads the page without an error, and the photos in it are missing.
    @Test func `a page that was damaged with the machine is found, and nothing is lost`()
        async throws
    {
        let (album, photos) = try await makeLargeLibrary()
        // As a service leaves it that has not ended.
        _ = try sqlite("UPDATE state SET value = 7 WHERE key = 'boot'")
        try damagePage(from: 2048)
        try await expectEverything(album, photos)
    }

    @Test func `a page that is damaged for a while is found once a week`() async throws {
        let (album, photos) = try await makeLargeLibrary()
        _ = try sqlite("UPDATE state SET value = value - 700000 WHERE key = 'checked'")
        try damagePage(from: 2048)
        try await expectEverything(album, photos)
    }

    @Test func `damage that is found later ends the service, and the next one loses nothing`()
        async throws
    {
        let (album, photos) = try await makeLargeLibrary()
        let file = folder.appending("library.json")
        let kept = try Descriptor.openForReading(file).read(upTo: 1 << 20)
        try damagePage(from: 0)
        let library = try LiveLibrary(home)
        await #expect(throws: LibraryError.self) {
            try await library.reader.photos(in: .all)
        }
        let isTold = Task { for await _ in library.store.damageFindings { return } }
        await isTold.value
        #expect(library.messages.all.contains { $0.contains("is damaged") })
        // What is left of the library does not take the place of what it had.
        _ = try? await library.store.perform([.createAlbum(title: "Later")])
        await library.store.finishUserData()
        #expect(try Descriptor.openForReading(file).read(upTo: 1 << 20) == kept)
        await library.close()
        try await expectEverything(album, photos)
        // Once.
        let next = try LiveLibrary(home)
        _ = try await next.settle(files: 60)
        #expect(names(in: folder).count { $0.string.contains("db.corrupt") } <= 3)
        await next.close()
    }

    @Test(arguments: [
        "DROP TABLE grdb_migrations", "DROP TABLE member", "DELETE FROM search_config",
    ])
    func `tables of no release are replaced`(statement: String) async throws {
        let (album, photos) = try await makeLargeLibrary()
        _ = try sqlite(statement)
        try await expectEverything(album, photos)
    }

    /// A complete library, closed and with an empty log.
    private func makeLibrary() async throws {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        await library.close()
    }

    private func expectRebuild() async throws {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        #expect(try await library.reader.photos(in: .all).count == 1)
        await library.close()
    }
}
