// SPDX-License-Identifier: MIT

import Files
import Logging
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport
import Testing

/// A window that opens the library while the service creates it.
@Suite(.serialized) struct OpeningTests {
    @Test func `a reader does not prevent the creation of the library`() async throws {
        let home = try TestHome()
        try Directory.make(home.database.removingLastComponent())
        // Reads the empty file for a while, like a window that sees it appear.
        let reader = try ChildProcess(
            "sh",
            [
                "-c",
                "(echo 'BEGIN; SELECT count(*) FROM sqlite_master;'; sleep 0.5) | sqlite3 \(home.database)",
            ], environment: home.environment, scratch: home.scratch)
        try await eventually("the reader") { reader.outputText == "0\n" }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try LibraryStore(at: home.database, logger: logger)
        store.checkpoint()
        #expect(try await reader.exitStatus() == 0)
    }

    @Test(arguments: ["", "CREATE TABLE folder (id INTEGER PRIMARY KEY) STRICT"])
    func `a library that is still being created counts as missing, and can be opened later`(
        content: String
    ) async throws {
        let home = try TestHome()
        try Directory.make(home.database.removingLastComponent())
        try home.write([], to: home.database)
        let maker = try ChildProcess(
            "sqlite3", [home.database.string, content], environment: home.environment,
            scratch: home.scratch)
        #expect(try await maker.exitStatus() == 0)
        let error = #expect(throws: LibraryError.self) { try LibraryReader(at: home.database) }
        #expect(error?.code == .missing)
        try AtomicFile.remove(home.database)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = try LibraryStore(at: home.database, logger: logger)
        #expect(try await LibraryReader(at: home.database).albums().first?.count == 0)
        store.checkpoint()
    }
}
