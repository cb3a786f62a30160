// SPDX-License-Identifier: MIT

import Files
import Glibc
import PhotoLibrary
import SystemPackage
import TestSupport
import Testing

/// The library's own files are inside an indexed folder.
///
/// Closing any descriptor of the database releases SQLite's locks on it. The next program that opens
/// the database then truncates memory that this process has mapped, which ends the process.
@Suite(.serialized) struct OwnFilesTests {
    private let home: TestHome

    init() throws {
        home = try TestHome()
    }

    @Test func `a database inside Pictures keeps its locks, and is no file of the library`()
        async throws
    {
        try home.add(as: "a.jpg")
        let database = home.pictures.appending("data").appending("library.db")
        let library = try LiveLibrary(home, at: database)
        _ = try await library.settle(files: 1)
        #expect(try holdsLock(on: FilePath(database.string + "-shm")))
        await library.close()
    }

    @Test func `a link to the folder of the database does not release its locks`() async throws {
        try home.add(as: "a.jpg")
        symlink(
            home.database.removingLastComponent().string,
            home.pictures.appending("link").string)
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 1)
        #expect(try holdsLock(on: FilePath(home.database.string + "-shm")))
        await library.close()
    }

    @Test func `another name of the database does not release its locks`() async throws {
        let library = try LiveLibrary(home)
        _ = try await library.settle(files: 0)
        let memory = FilePath(home.database.string + "-shm")
        link(memory.string, home.pictures.appending("a.jpg").string)
        try home.add(as: "b.jpg")
        _ = try await library.settle(files: 2)
        #expect(try holdsLock(on: memory))
        await library.close()
    }

    /// Whether this process has a lock on a file.
    ///
    /// - Source: proc(5), `/proc/locks`.
    private func holdsLock(on path: FilePath) throws -> Bool {
        let inode = try path.stat().inode.rawValue
        let locks = try Descriptor.openForReading("/proc/locks").read(upTo: 1 << 20)
        return String(decoding: locks, as: UTF8.self).split(separator: "\n").contains { line in
            line.contains(" \(getpid()) ") && line.contains(":\(inode) ")
        }
    }
}
