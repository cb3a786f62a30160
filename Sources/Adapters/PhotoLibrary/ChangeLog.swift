// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Glibc

/// The log of what changes in a view of the library that apps follow: a row of the table `changeLog`.
///
/// Its entries have consecutive numbers, the generations. The first one follows from the time when the
/// log was made, and no other log begins there, also in a database that was built anew. So a generation
/// of another log is before the first entry or after the last one.
///
/// A view that nobody follows has no log, and costs nothing when the library changes.
struct ChangeLog {
    /// The most entries that are kept.
    static let mostEntries: Int64 = 50_000
    /// The entries above this number that are removed together.
    private static let slack: Int64 = 5000
    /// The most logs; those that were not used for longest are removed.
    private static let mostLogs = 64
    /// How long nobody may use a log before it is removed, in seconds.
    private static let lifetime: Int64 = 30 * 24 * 3600
    /// How often its use is noted, in seconds.
    private static let useInterval: Int64 = 24 * 3600

    private let id: Int64
    /// The app whose view it is; nil for the view of everything.
    let app: String?
    /// The generation since which all changes are known.
    private(set) var oldest: Int64
    /// The generation of the last change.
    private(set) var head: Int64
    /// When it was last used: seconds since 1970.
    private let used: Int64

    private static let columns = "id, app, oldest, head, used"

    private init(_ row: Row) throws {
        id = try row.get("id")
        app = try row.get("app")
        oldest = try row.get("oldest")
        head = try row.get("head")
        used = try row.get("used")
    }

    static func all(in database: Database) throws -> [ChangeLog] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT \(columns) FROM changeLog")
        ).map { try ChangeLog($0) }
    }

    /// The log of a view; nil if nobody follows it.
    static func find(_ view: LibraryView, in database: Database) throws -> ChangeLog? {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT \(columns) FROM changeLog WHERE app IS ?"),
            arguments: [view.app]
        ).map { try ChangeLog($0) }
    }

    // MARK: - Use

    /// Whether its use must be noted again, so that it is kept.
    var mustNoteUse: Bool { !(0..<Self.useInterval).contains(Self.now - used) }

    /// Makes the log of a view, unless there is one, and notes that it is used.
    static func follow(_ view: LibraryView, in database: Database) throws -> ChangeLog? {
        try removeUnused(in: database)
        let first = newGeneration()
        try database.execute(
            sql: """
                INSERT INTO changeLog (app, oldest, head, used)
                SELECT ?1, ?2, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM changeLog WHERE app IS ?1)
                """, arguments: [view.app, first, now])
        try database.execute(
            sql: "UPDATE changeLog SET used = ? WHERE app IS ?", arguments: [now, view.app])
        try database.execute(
            sql: """
                DELETE FROM changeLog WHERE id NOT IN (
                    SELECT id FROM changeLog ORDER BY used DESC, id DESC LIMIT ?)
                """, arguments: [mostLogs])
        return try find(view, in: database)
    }

    /// Removes logs that nobody has used for long.
    private static func removeUnused(in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM changeLog WHERE used NOT BETWEEN ? AND ?",
            arguments: [now - lifetime, now + lifetime])
    }

    /// Removes all logs, because something has changed that they do not tell; all apps start over.
    static func removeAll(in database: Database) throws {
        try database.execute(sql: "DELETE FROM changeLog")
    }

    /// The generation with which a new log begins: the microseconds since 1970.
    ///
    /// Nothing changes a million times in a second, so no earlier log has reached it. It is below 2^53 until
    /// the year 2255, so that languages whose numbers are floating point keep it.
    private static func newGeneration() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        // A clock may say anything.
        let seconds = min(max(0, Int64(time.tv_sec)), 1 << 33)
        return seconds * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    private static var now: Int64 { Int64(time(nil)) }

    // MARK: - Entries

    /// A photo or an album that has changed.
    struct Entry {
        var asset: Data?
        var album: String?
        /// Whether the view had it before.
        var was: Bool
        /// Whether the view has it now.
        var isNow: Bool
    }

    /// Adds entries in their order.
    mutating func append(_ entries: [Entry], in database: Database) throws {
        guard !entries.isEmpty else { return }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO change (log, generation, asset, album, was, isNow)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        for entry in entries {
            head += 1
            try statement.execute(arguments: [
                id, head, entry.asset, entry.album, entry.was, entry.isNow,
            ])
        }
        if head - oldest > Self.mostEntries + Self.slack {
            oldest = head - Self.mostEntries
            try database.execute(
                sql: "DELETE FROM change WHERE log = ? AND generation <= ?",
                arguments: [id, oldest])
        }
        try database.cachedStatement(
            sql: "UPDATE changeLog SET head = ?, oldest = ? WHERE id = ?"
        ).execute(arguments: [head, oldest, id])
    }

    /// Reads the entries after a generation, oldest first.
    func entries(
        after generation: Int64, limit: Int, in database: Database
    ) throws -> [(generation: Int64, entry: Entry)] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT generation, asset, album, was, isNow FROM change
                    WHERE log = ? AND generation > ? ORDER BY generation LIMIT ?
                    """), arguments: [id, generation, limit]
        ).map { row in
            (
                try row.get("generation"),
                Entry(
                    asset: try row.get("asset"), album: try row.get("album"),
                    was: try row.get("was"), isNow: try row.get("isNow"))
            )
        }
    }
}

extension LibraryView {
    /// The app that sees only a part; nil for the view of everything.
    fileprivate var app: String? {
        switch self {
        case .everything: nil
        case .given(let app): app
        }
    }
}
