// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos

/// The photos among which suggestions find something, and their numbers up to a limit.
struct SuggestedPhotos {
    /// The most photos of an album that are all read.
    private static let mostRead = 2000
    /// The most photos of a term that are looked at, those first that the library learnt of last.
    private static let mostLookedAt = 2000

    private enum Photos {
        /// All of them: their rows, and their dates, the latest first.
        case read(rows: [Int64], dates: [Int64])
        case found(FoundPhotos)
    }

    private let photos: Photos
    private let database: Database
    /// Whether there are other words.
    private let isSearch: Bool

    /// - Parameter rest: What the search means without the unfinished word.
    init(
        _ album: AlbumContents, _ filter: MediaFilter, _ rest: SearchQuery, _ database: Database
    ) throws {
        self.database = database
        isSearch = !rest.isEmpty
        let size =
            try AlbumTable.id(of: album, in: database).flatMap { row in
                try Int.fetchOne(
                    database.cachedStatement(
                        sql: "SELECT sum(count) FROM albumContent WHERE album = ?"),
                    arguments: [row])
            } ?? 0
        let isSmall = min(size, album.limit ?? size) <= Self.mostRead
        let found = try FoundPhotos(
            album, filter, in: .everything, matching: rest, looksAtFew: !isSmall, in: database)
        guard isSmall else {
            photos = .found(found)
            return
        }
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, date FROM asset WHERE \(found.condition)
                ORDER BY date DESC LIMIT \(Self.mostRead)
                """, arguments: found.arguments)
        photos = .read(
            rows: try rows.map { try $0.decode(atIndex: 0) },
            dates: try rows.map { try $0.decode(atIndex: 1) })
    }

    /// How many there are, at most one more than is counted.
    func count() throws -> Int {
        switch photos {
        case .read(let rows, _): rows.count
        case .found(let found): try found.count(in: database)
        }
    }

    /// When they were taken.
    func dates() throws -> SuggestedPhotoDates {
        switch photos {
        case .read(_, let dates): return .read(dates, isComplete: true)
        case .found(let found):
            guard isSearch else { return .found(found, database) }
            // What a search finds is looked up once, and not for each year.
            let dates = try Int64.fetchAll(
                database,
                sql: """
                    SELECT date FROM asset WHERE \(found.condition)
                    ORDER BY date DESC LIMIT \(Self.mostRead)
                    """, arguments: found.arguments)
            return .read(dates, isComplete: dates.count < Self.mostRead)
        }
    }

    // MARK: - Words

    /// How many match each of these queries of FTS5, at most one more than is counted.
    ///
    /// In one statement, so that the rest of the search is looked up once.
    func counts(matching matches: [String]) throws -> [Int] {
        guard !matches.isEmpty else { return [] }
        let condition: String
        let arguments: StatementArguments
        var range = Int64.min...Int64.max
        switch photos {
        case .read(let rows, _):
            guard let first = rows.min(), let last = rows.max() else { return [] }
            condition = "asset.id IN (SELECT value FROM json_each(?))"
            arguments = [rows.rowList]
            // The photos of a folder often follow one another.
            range = first...last
        case .found(let found): (condition, arguments) = (found.condition, found.arguments)
        }
        return try Int.fetchAll(
            database,
            sql: """
                SELECT (SELECT count(*) FROM (
                    SELECT 1 FROM (
                        SELECT rowid AS named FROM search
                        WHERE search MATCH candidate.value AND rowid BETWEEN ? AND ?
                        ORDER BY rowid DESC LIMIT ?)
                    CROSS JOIN asset ON asset.id = named WHERE \(condition) LIMIT ?))
                FROM json_each(?) AS candidate ORDER BY candidate.key
                """,
            arguments: [range.lowerBound, range.upperBound, Self.mostLookedAt] + arguments + [
                SearchSuggestion.mostCounted + 1,
                String(decoding: try JSONEncoder().encode(matches), as: UTF8.self),
            ])
    }
}

extension FoundPhotos {
    /// How many there are that meet another condition as well, at most one more than is counted.
    func count(
        _ condition: String = "TRUE", _ arguments: StatementArguments = [], in database: Database
    ) throws -> Int {
        try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM (
                    SELECT 1 FROM asset WHERE \(self.condition) AND \(condition) LIMIT ?)
                """, arguments: self.arguments + arguments + [SearchSuggestion.mostCounted + 1])
            ?? 0
    }
}
