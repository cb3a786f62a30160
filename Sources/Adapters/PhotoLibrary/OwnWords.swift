// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

/// The words of the photos that an app sees, in an index of their own.
///
/// How long a search of the common index takes tells how many photos have a word, also of those that the
/// app does not see.
struct OwnWords {
    private let index: DatabaseQueue

    /// Makes the index of the photos that are in a view; takes time for each of them, and for no others.
    init(
        of view: String, _ arguments: StatementArguments, in database: Database
    ) throws {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT asset.id, name, title, caption, keywords, camera
                FROM asset CROSS JOIN search ON search.rowid = asset.id
                WHERE \(Asset.isThere) AND \(view)
                """, arguments: arguments)
        // In memory.
        index = try DatabaseQueue()
        try index.write { index in
            // Splits texts as the common index does; see Schema.
            try index.execute(
                sql: """
                    CREATE VIRTUAL TABLE search USING fts5(
                        name, title, caption, keywords, camera,
                        columnsize = 0, tokenize = 'unicode61 remove_diacritics 2')
                    """)
            let statement = try index.makeStatement(
                sql: """
                    INSERT INTO search (rowid, name, title, caption, keywords, camera)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """)
            for row in rows {
                try statement.execute(arguments: StatementArguments(row.databaseValues))
            }
        }
    }

    /// The photos that match a query of FTS5.
    func photos(matching match: String) throws -> [Int64] {
        try index.read { index in
            try Int64.fetchAll(
                index.cachedStatement(sql: "SELECT rowid FROM search WHERE search MATCH ?"),
                arguments: [match])
        }
    }
}
