// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos

/// What people and apps did in the library, which no walk through the folders finds again.
///
/// docs/decisions/0072-what-people-did.md describes the file.
struct UserData: Codable, Equatable {
    struct Album: Codable, Equatable {
        var id: String
        var title: String
        /// The ids of its photos, in its order.
        var photos: [String]
    }

    /// The photos that an app was given.
    struct Gifts: Codable, Equatable {
        /// Those that it was given as a whole.
        var whole: [String] = []
        var part: [String] = []
    }

    /// The adjusted version of a photo, whose files are in a folder beside this one.
    struct Adjusted: Codable, Equatable {
        var id: String
        var file: String
        var data: String
        var format: String
        var version: String
        /// What the file is, so that no decoder has to look at it again.
        var type: String
        var width: Int
        var height: Int
        var animated: Bool
        var milliseconds: Int64?
        /// The dominant colour as in 0xRRGGBB; nil if it is unknown, and in files of earlier releases.
        var colour: Int?
    }

    /// The version of the format.
    var version = 1
    var albums: [Album] = []
    var favorites: [String] = []
    var given: [String: Gifts] = [:]
    /// The fingerprints of those of these photos that have been edited, by id.
    ///
    /// The others have their id as fingerprint.
    var edited: [String: String] = [:]
    /// Nil if there are none, and in files of earlier releases.
    var adjusted: [Adjusted]?

    var isEmpty: Bool { self == UserData() }
}

// MARK: - From the database

extension UserData {
    /// Reads what is in the database, in the order in which it was made.
    init(in database: Database) throws {
        let albums = try Row.fetchAll(
            database, sql: "SELECT id, key, title FROM album WHERE kind = ? ORDER BY id",
            arguments: [Photos.Album.Kind.user.rawValue])
        self.albums = try albums.map { row in
            let photos = try Data.fetchAll(
                database,
                sql: """
                    SELECT key FROM member JOIN asset ON asset.id = member.asset
                    WHERE album = ? ORDER BY position
                    """, arguments: [row.get("id", Int64.self)])
            return Album(
                id: try row.get("key"), title: try row.get("title"), photos: photos.map(Self.text))
        }
        // The sign keeps SQLite from looking through all photos in their order.
        favorites = try Data.fetchAll(
            database, sql: "SELECT key FROM asset WHERE favorite = 1 ORDER BY +id"
        ).map(Self.text)
        let gifts = try Row.fetchCursor(
            database, sql: "SELECT app, asset, whole FROM given ORDER BY app, asset")
        while let row = try gifts.next() {
            let id = Self.text(try row.get("asset"))
            let app: String = try row.get("app")
            if try row.get("whole") {
                given[app, default: Gifts()].whole.append(id)
            } else {
                given[app, default: Gifts()].part.append(id)
            }
        }
        let edited = try Row.fetchCursor(
            database,
            sql: """
                SELECT key, fingerprint FROM asset WHERE key <> fingerprint AND id IN (
                    SELECT id FROM asset WHERE favorite = 1
                    UNION ALL SELECT member.asset FROM member
                    UNION ALL SELECT adjustment.asset FROM adjustment
                    UNION ALL SELECT id FROM asset WHERE key IN (SELECT given.asset FROM given))
                """)
        while let row = try edited.next() {
            self.edited[Self.text(try row.get("key"))] = Self.text(try row.get("fingerprint"))
        }
        let adjusted = try Adjusted.fetchAll(in: database)
        self.adjusted = adjusted.isEmpty ? nil : adjusted
    }

    static func text(_ key: Data) -> String { AssetID(bytes: key)?.description ?? "" }
}

// MARK: - Into the database

extension UserData {
    /// Puts it into a database that has no photos yet.
    ///
    /// The photos wait without files, and are shown as soon as their files are found. What is not valid,
    /// because somebody edited the file, is left out.
    func store(in database: Database) throws {
        for (app, gifts) in given {
            for (ids, whole) in [(gifts.part, false), (gifts.whole, true)] {
                for id in ids.compactMap(AssetID.init) {
                    try database.execute(
                        sql: "INSERT OR REPLACE INTO given (app, asset, whole) VALUES (?, ?, ?)",
                        arguments: [app, Data(id.bytes), whole])
                }
            }
        }
        for id in favorites {
            guard let row = try row(of: id, in: database) else { continue }
            try database.execute(
                sql: "UPDATE asset SET favorite = 1 WHERE id = ?", arguments: [row])
        }
        for adjusted in adjusted ?? [] {
            if let row = try row(of: adjusted.id, in: database) {
                try adjusted.store(for: row, in: database)
            }
        }
        // Other photos that were edited keep the ids that apps know.
        for id in edited.keys { _ = try row(of: id, in: database) }
        for album in albums.prefix(LibraryTransaction.mostAlbums) {
            guard let id = AlbumID(album.id), album.id.hasPrefix(AlbumID.userPrefix),
                !album.title.isEmpty, album.title.printable == album.title,
                album.title.utf8.count <= Self.longestTitle
            else { continue }
            try database.execute(
                sql: "INSERT OR IGNORE INTO album (key, kind, title) VALUES (?, ?, ?)",
                arguments: [id.rawValue, Photos.Album.Kind.user.rawValue, album.title])
            guard database.changesCount > 0 else { continue }
            let added = database.lastInsertedRowID
            try SearchTable.update(album: added, in: database)
            var members = AlbumMembers(album: added, database: database)
            var seen: Set<Int64> = []
            let rows = try album.photos.prefix(LibraryTransaction.mostMembers)
                .compactMap { try row(of: $0, in: database) }
            _ = try members.insert(rows.filter { seen.insert($0).inserted }, at: nil)
        }
    }

    /// The most bytes of a title, as apps may give albums.
    private static let longestTitle = 1024

    /// The row of a photo, which is added if it is missing; nil for a text that is no id.
    private func row(of id: String, in database: Database) throws -> Int64? {
        guard let key = AssetID(id) else { return nil }
        let fingerprint = edited[id].flatMap(AssetID.init) ?? key
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO asset
                    (key, fingerprint, mediaType, width, height, date, hasCaptureDate)
                VALUES (?, ?, ?, 0, 0, 0, 0)
                """,
            arguments: [Data(key.bytes), Data(fingerprint.bytes), LibraryTransaction.unknownType])
        return try Int64.fetchOne(
            database, sql: "SELECT id FROM asset WHERE key = ?", arguments: [Data(key.bytes)])
    }
}
