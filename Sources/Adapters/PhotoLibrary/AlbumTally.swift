// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

/// The changes that one transaction makes to the counts and covers of albums.
///
/// Notes which albums a photo belongs to before it changes, compares that with the end of the
/// transaction, and stores the difference. The cost depends on how many photos changed, not on the
/// size of the library.
struct AlbumTally {
    /// The albums of a photo, and the values by which they count and sort it.
    private struct Membership: Equatable {
        /// See ``ResourceTypes``.
        var types = ""
        var date: Int64 = 0
        var albums: [AlbumContents] = []
    }

    /// The photos with the same types in one album: a row of `albumContent`.
    private struct Part: Hashable {
        let album: AlbumContents
        let types: String
    }

    private struct Change {
        var count = 0
        var added: [(date: Int64, asset: Int64)] = []
        var removed: Set<Int64> = []
    }

    private var before: [Int64: Membership] = [:]
    private var removedFolders: Set<Int64> = []
    /// The albums that people filled and that may have changed; they are counted again.
    private var userAlbums: Set<Int64> = []

    /// The photos that may have changed.
    var assets: some Sequence<Int64> { before.keys }

    /// Notes the albums of a photo that is about to change.
    mutating func willChange(_ asset: Int64, in database: Database) throws {
        guard before[asset] == nil else { return }
        before[asset] = try Self.membership(of: asset, in: database)
        userAlbums.formUnion(
            try Int64.fetchAll(
                database.cachedStatement(sql: "SELECT album FROM member WHERE asset = ?"),
                arguments: [asset]))
    }

    /// Notes an album that people filled, which is about to change.
    mutating func willChange(userAlbum: Int64) {
        userAlbums.insert(userAlbum)
    }

    /// Notes a photo that did not exist before this transaction.
    mutating func didInsert(_ asset: Int64) {
        before[asset] = Membership()
    }

    /// Notes that a folder was deleted, and its album with it.
    mutating func didRemove(folder: Int64) {
        removedFolders.insert(folder)
    }

    /// Stores what has changed.
    ///
    /// The columns `file` and `inAll` of ``assets`` must be up to date.
    ///
    /// - Parameter notes: Learns which albums have changed that follow from files or from a rule.
    func store(in database: Database, _ notes: inout ChangeNotes) throws {
        let changes = try changes(in: database)
        let albums = Set(changes.keys.map(\.album))
        for album in albums { try notes.willChange(album, in: database) }
        for (part, change) in changes { try Self.store(change, of: part, in: database) }
        for album in albums { try notes.didChange(album, in: database) }
        for album in userAlbums where try Self.exists(album, in: database) {
            try AlbumTable.count(.user(album), in: database)
        }
    }

    private static func exists(_ album: Int64, in database: Database) throws -> Bool {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM album WHERE id = ?"), arguments: [album])
            != nil
    }

    // MARK: - Changes

    private func changes(in database: Database) throws -> [Part: Change] {
        var changes: [Part: Change] = [:]
        for (asset, noted) in before {
            var old = noted
            old.albums.removeAll { album in
                if case .folder(let folder) = album {
                    removedFolders.contains(folder)
                } else {
                    false
                }
            }
            let new = try Self.membership(of: asset, in: database)
            guard old != new else { continue }
            let hasMoved = old.types != new.types || old.date != new.date
            for album in old.albums where hasMoved || !new.albums.contains(album) {
                let part = Part(album: album, types: old.types)
                changes[part, default: Change()].count -= 1
                changes[part]?.removed.insert(asset)
            }
            for album in new.albums where hasMoved || !old.albums.contains(album) {
                let part = Part(album: album, types: new.types)
                changes[part, default: Change()].count += 1
                changes[part]?.added.append((new.date, asset))
            }
        }
        return changes
    }

    /// Reads the albums of a photo in a single statement, because it runs for every photo of a new
    /// library.
    private static func membership(of asset: Int64, in database: Database) throws -> Membership {
        let cursor = try Row.fetchCursor(
            database.cachedStatement(sql: membershipSQL), arguments: [asset])
        var membership = Membership()
        while let row = try cursor.next() {
            if membership.albums.isEmpty {
                membership.types = try row.decode(atIndex: 0)
                membership.date = try row.decode(atIndex: 1)
                for (index, album) in SmartAlbum.allCases.enumerated()
                where try row.decode(Bool.self, atIndex: index + 4) {
                    membership.albums.append(.smart(album))
                    guard album == .all else { continue }
                    let moments = Moment.all(of: try row.decode(atIndex: 3))
                    membership.albums += moments.map { .moment($0) }
                }
            }
            let folder = AlbumContents.folder(try row.decode(atIndex: 2))
            // Two names in one folder count as one photo of its album.
            if !membership.albums.contains(folder) { membership.albums.append(folder) }
        }
        return membership
    }

    private static let membershipSQL: String = {
        let rules = SmartAlbum.allCases.map { "(\($0.rule.condition))" }
        return """
            SELECT \(ResourceTypes.sql), date, folder, day, \(rules.joined(separator: ", "))
            FROM asset JOIN file ON file.asset = asset.id
            WHERE asset.id = ? AND frameOf IS NULL ORDER BY folder
            """
    }()

    // MARK: - Storing

    private static func store(_ change: Change, of part: Part, in database: Database) throws {
        if try storeGain(change, of: part, in: database) { return }
        guard let album = try albumID(of: part, in: database) else { return }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count, cover, date FROM albumContent JOIN asset ON asset.id = cover
                    WHERE album = ? AND albumContent.mediaType = ?
                    """), arguments: [album, part.types])
        let count = try (row?.decode(Int.self, atIndex: 0) ?? 0) + change.count
        guard count > 0, let cover = try cover(row, change, part, in: database) else {
            try database.execute(
                sql: "DELETE FROM albumContent WHERE album = ? AND mediaType = ?",
                arguments: [album, part.types])
            return try AlbumTable.deleteIfEmpty(album, in: database)
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO albumContent VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET count = excluded.count, cover = excluded.cover
                """
        ).execute(arguments: [album, part.types, count, cover])
    }

    /// Stores photos that an album gets, in one statement, because most changes are of this kind.
    ///
    /// - Returns: Whether that is all.
    private static func storeGain(
        _ change: Change, of part: Part, in database: Database
    ) throws -> Bool {
        guard change.removed.isEmpty, change.count > 0,
            let newest = change.added.max(by: { $0 < $1 })
        else { return false }
        let (column, value) = part.album.key
        try database.cachedStatement(
            sql: """
                UPDATE albumContent SET count = count + ?1, cover = iif(
                    (SELECT (date, id) < (?2, ?3) FROM asset WHERE id = cover), ?3, cover)
                WHERE album = (SELECT id FROM album WHERE \(column) = ?4) AND mediaType = ?5
                """
        ).execute(arguments: [change.count, newest.date, newest.asset, value, part.types])
        return database.changesCount > 0
    }

    private static func albumID(of part: Part, in database: Database) throws -> Int64? {
        try AlbumTable.id(of: part.album, in: database)
            ?? AlbumTable.insert(part.album, in: database)
    }

    /// The newest photo after a change.
    ///
    /// Searches for it only if the old one is gone.
    private static func cover(
        _ row: Row?, _ change: Change, _ part: Part, in database: Database
    ) throws -> Int64? {
        let newest = change.added.max { $0 < $1 }
        guard let row else { return newest?.asset }
        let cover = (
            date: try row.decode(Int64.self, atIndex: 2),
            asset: try row.decode(Int64.self, atIndex: 1)
        )
        if change.removed.contains(cover.asset) {
            return try part.album.first(of: part.types, in: database)
        }
        guard let newest, cover < newest else { return cover.asset }
        return newest.asset
    }
}
