// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

/// The table `state`: what the writer is doing, for readers in other processes.
enum StateRecord {
    enum Key: String {
        case isIndexing
        case files
        case pending
        case skipped
    }

    static func set(_ key: Key, _ value: Int, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)",
            arguments: [key.rawValue, value])
    }

    /// Stores how many files there are of which status.
    static func countFiles(in database: Database) throws {
        var counts: [Int: Int] = [:]
        for row in try Row.fetchAll(
            database, sql: "SELECT status, count(*) AS count FROM file GROUP BY status")
        {
            counts[try row.get("status")] = try row.get("count")
        }
        func count(_ status: Schema.FileStatus) -> Int { counts[status.rawValue] ?? 0 }
        try set(.files, counts.values.reduce(0, +), in: database)
        try set(.pending, count(.pending), in: database)
        try set(.skipped, count(.notPicture) + count(.unreadable), in: database)
    }

    static func status(in database: Database) throws -> LibraryStatus {
        var values: [String: Int] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT key, value FROM state") {
            values[try row.get("key")] = try row.get("value")
        }
        func value(_ key: Key) -> Int { values[key.rawValue] ?? 0 }
        return LibraryStatus(
            isIndexing: value(.isIndexing) != 0, files: value(.files), pending: value(.pending),
            skipped: value(.skipped))
    }
}
