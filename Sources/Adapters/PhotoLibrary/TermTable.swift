// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

/// The tables `term` and `termSearch`: the keywords, cameras and lenses that photos name, each once, and
/// how many photos name it.
///
/// They follow `assetDetails`. Rows of it that are deleted are subtracted by a trigger, also where a photo
/// is deleted with them; those that are added are counted here, because a text is prepared before it is
/// searched.
enum TermTable {
    /// What a term is; the column `kind`.
    enum Kind: Int {
        case keyword = 0
        case camera = 1
        case lens = 2
    }

    /// The tables, and the trigger that keeps them in line with `assetDetails`.
    ///
    /// The index of prefixes is for the first keys, which begin many terms. It costs little, because each
    /// term is there once.
    static let schema = """
        CREATE TABLE term (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            text TEXT NOT NULL,
            count INTEGER NOT NULL,
            UNIQUE (kind, text)
        ) STRICT;
        CREATE VIRTUAL TABLE termSearch USING fts5(
            text, columnsize = 0, prefix = '1 2', tokenize = 'unicode61 remove_diacritics 2');
        CREATE TRIGGER termUnused AFTER UPDATE OF count ON term WHEN new.count <= 0 BEGIN
            DELETE FROM termSearch WHERE rowid = new.id;
            DELETE FROM term WHERE id = new.id;
        END;
        CREATE TRIGGER assetDetailsDeleted AFTER DELETE ON assetDetails BEGIN
            UPDATE term SET count = count - 1
                WHERE kind = 0 AND text IN (SELECT value FROM json_each(old.keywords));
            UPDATE term SET count = count - 1 WHERE kind = 1 AND text = old.camera;
            UPDATE term SET count = count - 1 WHERE kind = 2 AND text = old.lens;
        END;
        """

    /// How often photos whose rows of `assetDetails` were added name terms.
    struct Additions {
        private struct Term: Hashable {
            let kind: Kind
            /// The bytes, because SQLite does not take two spellings of a letter for the same.
            let text: [UInt8]
        }

        private var counts: [Term: Int] = [:]

        /// Counts what a photo says.
        mutating func add(_ details: PhotoDetails) {
            for keyword in Set(details.keywords) { add(keyword, .keyword) }
            if let camera = details.camera { add(camera, .camera) }
            if let lens = details.lens { add(lens, .lens) }
        }

        private mutating func add(_ text: String, _ kind: Kind) {
            counts[Term(kind: kind, text: Array(text.utf8)), default: 0] += 1
        }

        /// Must be called before one of the rows is deleted.
        func store(in database: Database) throws {
            for (term, count) in counts {
                let text = String(decoding: term.text, as: UTF8.self)
                try TermTable.add(text, term.kind, count, in: database)
            }
        }
    }

    /// Counts what a photo says, whose row of `assetDetails` was added.
    static func add(_ details: PhotoDetails, in database: Database) throws {
        var additions = Additions()
        additions.add(details)
        try additions.store(in: database)
    }

    private static func add(
        _ text: String, _ kind: Kind, _ count: Int, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: "UPDATE term SET count = count + ? WHERE kind = ? AND text = ?"
        ).execute(arguments: [count, kind.rawValue, text])
        guard database.changesCount == 0 else { return }
        try database.cachedStatement(sql: "INSERT INTO term (kind, text, count) VALUES (?, ?, ?)")
            .execute(arguments: [kind.rawValue, text, count])
        try insertWords(of: text, database.lastInsertedRowID, in: database)
    }

    private static func insertWords(of text: String, _ row: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO termSearch (rowid, text) VALUES (?, ?)")
            .execute(arguments: [row, SearchText.separated(text)])
    }

    /// Counts what the photos of an earlier release say.
    static func addAll(in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO term (kind, text, count)
                    SELECT 0, value, count(DISTINCT asset)
                        FROM assetDetails, json_each(keywords) GROUP BY value
                    UNION ALL SELECT 1, camera, count(*)
                        FROM assetDetails WHERE camera IS NOT NULL GROUP BY camera
                    UNION ALL SELECT 2, lens, count(*)
                        FROM assetDetails WHERE lens IS NOT NULL GROUP BY lens
                """)
        let rows = try Row.fetchCursor(database, sql: "SELECT id, text FROM term")
        while let row = try rows.next() {
            try insertWords(
                of: row.decode(String.self, atIndex: 1), row.decode(atIndex: 0), in: database)
        }
    }
}
