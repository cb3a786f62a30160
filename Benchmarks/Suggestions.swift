// SPDX-License-Identifier: MIT

import PhotoLibrary
import Photos
import TestSupport

/// Suggestions in a library of 1,000,000 photos: for a key that begins 3,000 keywords, for one that begins
/// 20 cameras with 50,000 photos each, for the same behind a word that 20,000 photos have, and for months.
struct Suggestions {
    private static let rounds = 9
    /// As in SuggestionSearch.
    private static let (mostMatches, mostTerms, mostLookedAt) = (512, 8, 2000)

    func measure() async throws -> [Row] {
        let library = try await MillionPhotos()
        // Counts the albums.
        try library.store().checkpoint()
        let reader = try LibraryReader(at: library.home.database)
        var rows: [Row] = []
        for (name, text) in [
            ("the first key", "w"), ("cameras", "mak"), ("after another word", "island mak"),
            ("months", "oct"),
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
        // The first round reads the database into the kernel's cache.
        for round in -1..<Self.rounds {
            let time = try await milliseconds {
                let suggestions = try await reader.suggestions(
                    for: text, in: .all, .everything, smartAlbums: [:])
                guard !suggestions.isEmpty else {
                    throw NeverHappened(description: "nothing was suggested for \(text)")
                }
            }
            let peer = try await library.peer(Self.statement(for: text))
            guard round >= 0 else { continue }
            ours.append(time)
            theirs.append(peer.time)
        }
        return .lessIsBetter(
            "suggestions in 1,000,000 photos, \(name)", unit: "ms", ours: median(ours),
            peer: "SQLite alone", theirs: median(theirs))
    }

    /// The terms that begin with the last word, and their photos; or the photos of the latest Octobers.
    private static func statement(for text: String) -> String {
        let words = text.split(separator: " ").map(String.init)
        guard let last = words.last, last != "oct" else {
            // The latest photo was taken in May 2026.
            return (2022...2025).map { year in
                """
                SELECT count(*) FROM (SELECT 1 FROM asset WHERE file IS NOT NULL AND inAll = 1
                AND date >= unixepoch('\(year)-10-01') AND date < unixepoch('\(year)-11-01')
                LIMIT 501)
                """
            }.joined(separator: " UNION ALL ")
        }
        let others = words.dropLast().map {
            " AND asset.id IN (SELECT rowid FROM search WHERE search MATCH '\"\($0)\"')"
        }
        return """
            SELECT (SELECT count(*) FROM (
                SELECT 1 FROM (
                    SELECT rowid AS named FROM search
                    WHERE search MATCH iif(kind = 0, 'keywords', 'camera') || ' : "' || text || '"'
                    ORDER BY rowid DESC LIMIT \(mostLookedAt))
                CROSS JOIN asset ON asset.id = named
                WHERE file IS NOT NULL AND inAll = 1\(others.joined()) LIMIT 501))
            FROM (
                SELECT kind, text FROM (
                    SELECT rowid AS match FROM termSearch WHERE termSearch MATCH '"\(last)"*'
                    LIMIT \(mostMatches))
                CROSS JOIN term ON term.id = match ORDER BY count DESC, text LIMIT \(mostTerms))
            """
    }
}
