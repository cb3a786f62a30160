// SPDX-License-Identifier: MIT

import Logging
import PhotoLibrary
import SystemPackage
import TestSupport

/// A library of 1,000,000 photos in 1,000 folders and of 19 years, with keywords from a small vocabulary.
///
/// There are no files.
struct MillionPhotos {
    static let count = 1_000_000

    let home: TestHome
    private let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    init() async throws {
        home = try TestHome()
        // Makes the tables.
        try LibraryStore(at: home.database, logger: logger).checkpoint()
        let filled = try await fill(Self.filling)
        guard filled == "\(Self.count)\n" else {
            throw NeverHappened(description: "the library was not filled: \(filled)")
        }
    }

    /// Opens the library as the service does.
    func store() throws -> LibraryStore {
        try LibraryStore(at: home.database, logger: logger)
    }

    /// Runs statements that belong to no measurement; returns what they print.
    @discardableResult func fill(_ statements: String) async throws -> String {
        let script = home.scratch.appending("fill.sql")
        try home.write(Array(statements.utf8), to: script)
        return try await run("sqlite3", [home.database.string, ".read \(script)"])
    }

    /// What SQLite alone takes for statements, in milliseconds, and the last integer that they answer.
    func peer(_ statements: String...) async throws -> (time: Double, answer: Int) {
        // The first round reads the database into SQLite's own cache.
        let output = try await run(
            Photographs.folder("peers").appending("statements").string,
            [home.database.string, "2"] + statements)
        let fields = output.split(separator: "\n").last?.split(separator: " ") ?? []
        return (
            fields.first.flatMap { Double($0) } ?? .nan, fields.last.flatMap { Int($0) } ?? -1
        )
    }

    private func run(_ program: String, _ words: [String]) async throws -> String {
        let child = try ChildProcess(
            program, words, environment: home.environment, scratch: home.scratch)
        guard try await child.exitStatus(within: .seconds(600)) == 0 else {
            throw NeverHappened(description: "\(program): \(child.errorText)")
        }
        return child.outputText
    }

    /// The albums are counted when the library is opened next.
    private static let filling = """
        BEGIN;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO folder (id, path, kind)
            SELECT i, CAST('/home/somebody/Pictures/' || i AS BLOB), 0 FROM n;
        CREATE TEMP TABLE n AS
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            SELECT i FROM n;
        INSERT INTO asset (id, key, fingerprint, mediaType, width, height, date, hasCaptureDate, file,
            inAll, day) SELECT i, randomblob(16), randomblob(16), 'image/jpeg', 4000, 3000,
            1780000000 - i * 600, 1, i, 1,
            CAST(strftime('%Y%m%d', 1780000000 - i * 600, 'unixepoch') AS INTEGER) FROM n;
        INSERT INTO file (id, folder, name, device, inode, size, modified, status, asset, changed)
            SELECT i, i / 1001 + 1, CAST(printf('IMG_%07d.jpg', i) AS BLOB), 1, i, 4000000,
            (1780000000 - i * 600) * 1000000000, 1, i, 1 FROM n;
        INSERT INTO search (rowid, name, title, caption, keywords, camera)
            SELECT i, printf('IMG_%07d.jpg', i), '', '',
            printf('word%d topic%d', i % 3000, i % 700) || iif(i % 50 = 0, ' island', ''),
            'Maker Model ' || (i % 20) FROM n;
        INSERT INTO term (kind, text, count)
            SELECT 0, 'word' || (i % 3000), count(*) FROM n GROUP BY i % 3000
            UNION ALL SELECT 0, 'topic' || (i % 700), count(*) FROM n GROUP BY i % 700
            UNION ALL SELECT 0, 'island', count(*) FROM n WHERE i % 50 = 0
            UNION ALL SELECT 1, 'Maker Model ' || (i % 20), count(*) FROM n GROUP BY i % 20;
        INSERT INTO termSearch (rowid, text) SELECT id, text FROM term;
        DELETE FROM state WHERE key = 'albumRules';
        COMMIT;
        SELECT count(*) FROM search;
        """
}
