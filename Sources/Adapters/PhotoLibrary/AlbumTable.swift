// SPDX-License-Identifier: MIT

internal import Desktop
internal import Foundation
internal import GRDB
internal import Photos
internal import SystemPackage

/// Changes to the tables `album` and `albumContent`.
///
/// `albumContent` has a row for each of the ``ResourceTypes`` in an album: how many photos have these
/// types, and which of them is the first. The count and the cover for any filter follow from these
/// rows, so neither has to be computed when a window opens.
enum AlbumTable {
    /// The row id of an album; nil when it has no row.
    static func id(of album: AlbumContents, in database: Database) throws -> Int64? {
        let (column, value) = album.key
        return try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM album WHERE \(column) = ?"),
            arguments: [value])
    }

    /// Adds a row for an album that follows from files.
    ///
    /// - Returns: Its row id; nil when the folder of the album does not exist.
    static func insert(_ album: AlbumContents, in database: Database) throws -> Int64? {
        switch album {
        case .smart(let album):
            try database.execute(
                sql: "INSERT INTO album (key, kind, title) VALUES (?, 0, '')",
                arguments: [album.rawValue])
        case .folder(let folder):
            let path = try Data.fetchOne(
                database, sql: "SELECT path FROM folder WHERE id = ?", arguments: [folder])
            guard let path else { return nil }
            let name = FilePath(path).lastComponent
            try database.execute(
                sql: "INSERT INTO album (key, kind, title, folder) VALUES (?, 1, ?, ?)",
                arguments: [
                    AlbumID.text(ofFolder: path), name.map(FileURI.displayName) ?? "/", folder,
                ])
            let row = database.lastInsertedRowID
            try SearchTable.update(album: row, in: database)
            return row
        case .moment(let moment):
            try database.cachedStatement(
                sql: "INSERT INTO album (key, kind, title) VALUES (?, ?, '')"
            ).execute(arguments: [moment.id.rawValue, moment.kind.rawValue])
        case .user(let album): return album
        }
        return database.lastInsertedRowID
    }

    /// Deletes the row of a folder's or moment's album that has no photos left.
    static func deleteIfEmpty(_ id: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM album
                WHERE id = ? AND (folder IS NOT NULL OR kind >= \(Album.Kind.day.rawValue))
                AND NOT EXISTS (SELECT 1 FROM albumContent WHERE album = album.id)
                """, arguments: [id])
    }

    // MARK: - Recount

    /// Counts everything again if the stored counts follow other rules: in a new or migrated
    /// database, or after a release that changed the smart albums or moments.
    static func recountIfRulesChanged(in database: Database) throws {
        let rules = rulesNumber
        guard try LibraryState.value(of: .albumRules, in: database) != rules else { return }
        try recount(in: database)
        try LibraryState.set(.albumRules, rules, in: database)
    }

    /// Counts all files and photos and stores the counts and covers.
    static func recount(in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM album WHERE kind <> ?", arguments: [Album.Kind.user.rawValue])
        // An earlier release, when it ended in the middle of a walk, left these as they were.
        try database.execute(sql: LibraryTransaction.refresh)
        for album in SmartAlbum.allCases { try count(.smart(album), in: database) }
        for moment in try Moment.all(in: database) { try count(.moment(moment), in: database) }
        let folders = try Int64.fetchAll(
            database, sql: "SELECT DISTINCT folder FROM file WHERE asset IS NOT NULL")
        for folder in folders { try count(.folder(folder), in: database) }
        let albums = try Int64.fetchAll(
            database, sql: "SELECT id FROM album WHERE kind = ?",
            arguments: [Album.Kind.user.rawValue])
        for album in albums { try count(.user(album), in: database) }
        try FileCounts.recount(in: database)
        // What changed by this is not known.
        try ChangeLog.removeAll(in: database)
    }

    /// Counts the photos of an album and finds its covers.
    static func count(_ album: AlbumContents, in database: Database) throws {
        guard let id = try insert(album, in: database) else { return }
        try database.execute(sql: "DELETE FROM albumContent WHERE album = ?", arguments: [id])
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(ResourceTypes.sql), count(*) FROM asset WHERE \(album.condition)
                    GROUP BY mediaType, rawTypes
                    """), arguments: album.arguments)
        for row in rows {
            let types = try row.decode(String.self, atIndex: 0)
            guard let cover = try album.first(of: types, in: database) else { continue }
            try database.execute(
                sql: "INSERT INTO albumContent VALUES (?, ?, ?, ?)",
                arguments: [id, types, try row.decode(Int.self, atIndex: 1), cover])
        }
    }

    /// A number that changes with the rules of the smart albums and moments.
    private static var rulesNumber: Int {
        let text =
            SmartAlbum.allCases.map { "\($0.rawValue): \($0.rule.condition)" } + ["moments: 1"]
        return Int(truncatingIfNeeded: text.joined(separator: "\n").utf8.hash)
    }
}

extension AlbumID {
    /// The id of the album of a folder.
    ///
    /// Derived from the path, so that it survives a new database.
    static func text(ofFolder path: Data) -> String {
        folderPrefix + Digest.md5(Array(path)).prefix(8).map(\.twoDigits).joined()
    }
}

extension UInt8 {
    var twoDigits: String {
        (self < 16 ? "0" : "") + String(self, radix: 16)
    }
}
