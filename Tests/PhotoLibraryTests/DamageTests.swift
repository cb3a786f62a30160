// SPDX-License-Identifier: MIT

import Files
import Glibc
import Logging
import PhotoLibrary
import Photos
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
