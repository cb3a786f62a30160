// SPDX-License-Identifier: MIT

import Files
import Logging
import PhotoLibrary
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
}
