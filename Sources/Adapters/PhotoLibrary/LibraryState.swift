// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

/// The table `state`, in which the writer tells readers in other processes what it is doing.
enum LibraryState {
    enum Key: String {
        case isIndexing
        /// Whether some folders are not watched.
        case isUnwatched
        /// Whether most pending files wait until the computer saves no power.
        case isWaiting
        case files
        case pending
        case skipped
        /// A number that identifies the rules by which the smart albums were counted.
        case albumRules
        /// The start of the machine in which a service uses the database; 0 after the last one ended.
        case boot
        /// When the whole file was last looked through for damage, in seconds since 1970.
        case checked
        /// The row of the last file that an earlier release examined without reading what it says; none
        /// if there is no such file left.
        case lastUnreadFile
    }

    static func set(_ key: Key, _ value: Int, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)",
            arguments: [key.rawValue, value])
    }

    /// Adds to a stored number; a number that is not stored yet counts as 0.
    static func add(_ change: Int, to key: Key, in database: Database) throws {
        guard change != 0 else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO state (key, value) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET value = value + excluded.value
                """
        ).execute(arguments: [key.rawValue, change])
    }

    static func value(of key: Key, in database: Database) throws -> Int? {
        try Int.fetchOne(
            database, sql: "SELECT value FROM state WHERE key = ?", arguments: [key.rawValue])
    }

    /// Whether files could not be read; looks for them only if any file was skipped.
    static func hasUnreadableFiles(in database: Database) throws -> Bool {
        guard try value(of: .skipped, in: database) ?? 0 > 0 else { return false }
        return try Int.fetchOne(
            database, sql: "SELECT 1 FROM file WHERE status = ? LIMIT 1",
            arguments: [Schema.FileStatus.unreadable.rawValue]) != nil
    }

    static func status(in database: Database) throws -> LibraryStatus {
        var values: [String: Int] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT key, value FROM state") {
            values[try row.get("key")] = try row.get("value")
        }
        func value(_ key: Key) -> Int { values[key.rawValue] ?? 0 }
        return LibraryStatus(
            isIndexing: value(.isIndexing) != 0, files: value(.files), pending: value(.pending),
            skipped: value(.skipped), isUnwatched: value(.isUnwatched) != 0,
            isWaiting: value(.isWaiting) != 0 && value(.pending) > 0)
    }
}

/// The number of files in each state, or a change of these numbers.
struct FileCounts {
    private(set) var files = 0
    private(set) var pending = 0
    private(set) var skipped = 0

    mutating func add(_ status: Schema.FileStatus?, count: Int = 1) {
        files += count
        switch status {
        case .pending: pending += count
        case .notPicture, .unreadable, .damaged: skipped += count
        case .asset, nil: break
        }
    }

    mutating func remove(_ status: Schema.FileStatus?) {
        add(status, count: -1)
    }

    /// Adds these numbers to the stored ones.
    func store(in database: Database) throws {
        try LibraryState.add(files, to: .files, in: database)
        try LibraryState.add(pending, to: .pending, in: database)
        try LibraryState.add(skipped, to: .skipped, in: database)
    }

    /// Counts all files and stores the result.
    static func recount(in database: Database) throws {
        var counts = FileCounts()
        for row in try Row.fetchAll(
            database, sql: "SELECT status, count(*) FROM file GROUP BY status")
        {
            counts.add(
                Schema.FileStatus(rawValue: try row.decode(atIndex: 0)),
                count: try row.decode(atIndex: 1))
        }
        try LibraryState.set(.files, counts.files, in: database)
        try LibraryState.set(.pending, counts.pending, in: database)
        try LibraryState.set(.skipped, counts.skipped, in: database)
    }
}
