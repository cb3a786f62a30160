// SPDX-License-Identifier: MIT

import PhotoLibrary
import Photos
import TestSupport

/// A search in a library of 1,000,000 photos, after the first key and after the fifth, and after a word:
/// the first 100 photos and their number.
///
/// Every photo has a word that begins with the first key, and one in fifty one that begins with the first
/// five.
struct Searches {
    private static let rounds = 5

    func measure() async throws -> [Row] {
        let library = try await MillionPhotos()
        let reader = try LibraryReader(at: library.home.database)
        var rows: [Row] = []
        for (name, text) in [
            ("the first key", "i"), ("the fifth key", "islan"), ("two words", "island img"),
        ] {
            rows.append(try await compare(name, text, reader, library))
        }
        return rows
    }

    private func compare(
        _ name: String, _ text: String, _ reader: LibraryReader, _ library: MillionPhotos
    ) async throws -> Row {
        var ours: [Double] = []
        var theirs: [Double] = []
        var totals: Set<Int> = []
        // The first round reads the database into the kernel's cache.
        for round in -1..<Self.rounds {
            let time = try await milliseconds {
                let page = try await reader.page(
                    of: .all, .everything, in: .everything,
                    matching: SearchQuery(text, today: .today), from: 0, limit: 100)
                totals.insert(page?.total ?? 0)
            }
            let peer = try await peer(text, library)
            totals.insert(peer.answer)
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

    private func peer(
        _ text: String, _ library: MillionPhotos
    ) async throws -> (time: Double, answer: Int) {
        let words = text.split(separator: " ").joined(separator: "\" AND \"")
        let match = "'\"\(words)\"*'"
        let found = "id IN (SELECT rowid FROM search WHERE search MATCH \(match)) AND inAll = 1"
        return try await library.peer(
            """
            SELECT key, mediaType, width, height, date, name, size FROM asset
            JOIN file ON file.id = asset.file WHERE asset.\(found)
            ORDER BY date DESC, asset.id DESC LIMIT 100
            """,
            "SELECT count(*) FROM asset WHERE \(found)")
    }
}
