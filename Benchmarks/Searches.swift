// SPDX-License-Identifier: MIT

import Logging
import PhotoLibrary
import Photos
import SystemPackage
import TestSupport

/// A search in a library of 1,000,000 photos, after the first key and after the fifth, and after a word:
/// the first 100 photos and their number.
///
/// Every photo has a word that begins with the first key, and one in fifty one that begins with the first
/// five.
struct Searches {
    private static let count = 1_000_000
    private static let rounds = 5

    func measure() async throws -> [Row] {
        let home = try TestHome()
        let logger = Logger(label: "search") { _ in SwiftLogNoOpLogHandler() }
        // Makes the tables.
        try LibraryStore(at: home.database, logger: logger).checkpoint()
        let filled = try await sqlite(home, Self.filling)
        guard filled == "\(Self.count)\n" else {
            throw NeverHappened(description: "the library was not filled: \(filled)")
        }
        let reader = try LibraryReader(at: home.database)
        var rows: [Row] = []
        for (name, text) in [
            ("the first key", "i"), ("the fifth key", "islan"), ("two words", "island img"),
        ] {
            rows.append(try await compare(name, text, reader, home))
        }
        return rows
    }

    private func compare(
        _ name: String, _ text: String, _ reader: LibraryReader, _ home: TestHome
    ) async throws -> Row {
        var ours: [Double] = []
        var theirs: [Double] = []
        var totals: Set<Int> = []
        // The first rounds read the database into the kernel's cache.
        for round in -1..<Self.rounds {
            let time = try await milliseconds {
                let page = try await reader.page(
                    of: .all, .everything, in: .everything,
                    matching: SearchQuery(text, today: .today), from: 0, limit: 100)
                totals.insert(page?.total ?? 0)
            }
            let peer = try await peer(home, text)
            totals.insert(peer.total)
            guard round >= 0 else { continue }
            ours.append(time)
            theirs.append(peer.time)
        }
        guard totals.count == 1, totals != [0] else {
            throw NeverHappened(description: "other photos were found: \(totals)")
        }
        return .lessIsBetter(
            "search of 1,000,000 photos, \(name)", unit: "ms", ours: median(ours),
            peer: "SQLite alone", theirs: median(theirs))
    }

    private func peer(_ home: TestHome, _ text: String) async throws -> (time: Double, total: Int) {
        let output = try await run(
            home, Photographs.folder("peers").appending("search").string,
            [home.database.string, text.split(separator: " ").joined(separator: "\" AND \""), "2"])
        let fields = output.split(separator: "\n").last?.split(separator: " ") ?? []
        return (
            fields.first.flatMap { Double($0) } ?? .nan, fields.last.flatMap { Int($0) } ?? -1
        )
    }

    private func sqlite(_ home: TestHome, _ script: String) async throws -> String {
        let path = home.scratch.appending("fill.sql")
        try home.write(Array(script.utf8), to: path)
        return try await run(home, "sqlite3", [home.database.string, ".read \(path)"])
    }

    private func run(_ home: TestHome, _ program: String, _ words: [String]) async throws -> String
    {
        let child = try ChildProcess(
            program, words, environment: home.environment, scratch: home.scratch)
        guard try await child.exitStatus(within: .seconds(600)) == 0 else {
            throw NeverHappened(description: "\(program): \(child.errorText)")
        }
        return child.outputText
    }

    /// Photos in 1,000 folders, with keywords from a small vocabulary.
    private static let filling = """
        BEGIN;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        INSERT INTO folder (id, path, kind)
            SELECT i, CAST('/home/somebody/Pictures/' || i AS BLOB), 0 FROM n;
        CREATE TEMP TABLE n AS
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            SELECT i FROM n;
        INSERT INTO asset (id, key, fingerprint, mediaType, width, height, date, hasCaptureDate, file,
            inAll) SELECT i, randomblob(16), randomblob(16), 'image/jpeg', 4000, 3000,
            1780000000 - i * 600, 1, i, 1 FROM n;
        INSERT INTO file (id, folder, name, device, inode, size, modified, status, asset, changed)
            SELECT i, i / 1001 + 1, CAST(printf('IMG_%07d.jpg', i) AS BLOB), 1, i, 4000000,
            (1780000000 - i * 600) * 1000000000, 1, i, 1 FROM n;
        INSERT INTO search (rowid, name, title, caption, keywords, camera)
            SELECT i, printf('IMG_%07d.jpg', i), '', '',
            printf('word%d topic%d', i % 3000, i % 700) || iif(i % 50 = 0, ' island', ''),
            'Maker Model ' || (i % 20) FROM n;
        COMMIT;
        SELECT count(*) FROM search;
        """
}
