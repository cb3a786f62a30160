// SPDX-License-Identifier: MIT

internal import Desktop
internal import Foundation
internal import GRDB
internal import SystemPackage

/// Changes of the table `album`: counts and covers are stored, never computed on open.
enum AlbumRecord {
    /// How many photos the album `recent` has at the most.
    static let recentCount = 200

    /// Works out again what changes with the photos of these folders: their albums, the smart
    /// albums, and the counts of files.
    static func refresh(folders: some Sequence<Int64>, in database: Database) throws {
        try refreshAlbums(of: folders, in: database)
        try refreshSmartAlbums(in: database)
        try StateRecord.countFiles(in: database)
    }

    private static func refreshSmartAlbums(in database: Database) throws {
        try refresh(
            "all", from: "asset WHERE file IS NOT NULL AND inAll = 1", in: database)
        try refresh(
            "recent",
            from: """
                (SELECT * FROM asset WHERE file IS NOT NULL
                 ORDER BY date DESC, id DESC LIMIT \(recentCount)) WHERE 1
                """, in: database)
    }

    /// A folder without photos has no album.
    private static func refreshAlbums(
        of folders: some Sequence<Int64>, in database: Database
    ) throws {
        for folder in folders {
            let path = try Data.fetchOne(
                database, sql: "SELECT path FROM folder WHERE id = ?", arguments: [folder])
            guard let path else { continue }
            let photos = "asset WHERE id IN (SELECT asset FROM file WHERE folder = \(folder))"
            let isEmpty = try Int.fetchOne(database, sql: "SELECT 1 FROM \(photos) LIMIT 1") == nil
            guard !isEmpty else {
                try database.execute(
                    sql: "DELETE FROM album WHERE folder = ?", arguments: [folder])
                continue
            }
            let name = FilePath(path).lastComponent
            let key = "folder-" + Digest.md5(Array(path)).prefix(8).map(\.twoDigits).joined()
            try database.execute(
                sql: """
                    INSERT INTO album (key, kind, title, folder) VALUES (?, 1, ?, ?)
                    ON CONFLICT (key) DO UPDATE SET folder = excluded.folder
                    """, arguments: [key, name.map(FileURI.displayName) ?? "/", folder])
            try refresh(key, from: photos, in: database)
        }
    }

    private static func refresh(
        _ key: String, from photos: String, in database: Database
    ) throws {
        try database.execute(
            sql: """
                UPDATE album SET
                    (images, videos) = (
                        SELECT count(*) FILTER (WHERE mediaType LIKE 'image/%'),
                               count(*) FILTER (WHERE mediaType LIKE 'video/%')
                        FROM \(photos)),
                    cover = (SELECT id FROM \(photos) ORDER BY date DESC, id DESC LIMIT 1)
                WHERE key = ?
                """, arguments: [key])
    }
}

extension UInt8 {
    fileprivate var twoDigits: String {
        (self < 16 ? "0" : "") + String(self, radix: 16)
    }
}
