// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

/// The photos of one album, as SQL.
enum AlbumContents: Hashable, Sendable {
    case smart(SmartAlbum)
    /// The row id of a folder.
    case folder(Int64)
    /// The row id of an album that people and apps fill.
    case user(Int64)
    /// What was taken in a day or month, of the photos in the album `all`.
    case moment(Moment)

    /// The order of the photos, as columns of `asset`.
    ///
    /// Newest first, or in the order that somebody chose; equal dates are ordered by id, so that the
    /// first photo of a list and a stored cover are always the same.
    var order: String {
        switch self {
        case .smart, .folder, .moment: "asset.date DESC, asset.id DESC"
        case .user(let album):
            "(SELECT position FROM member WHERE album = \(album) AND member.asset = asset.id)"
        }
    }

    /// A condition on the columns of `asset`, with ``arguments``.
    var condition: String {
        switch self {
        case .smart(let album): "file IS NOT NULL AND (\(album.rule.condition))"
        case .folder: "frameOf IS NULL AND id IN (SELECT asset FROM file WHERE folder = ?)"
        case .user:
            "file IS NOT NULL AND id IN (SELECT member.asset FROM member WHERE album = ?)"
        case .moment: "file IS NOT NULL AND inAll = 1 AND day BETWEEN ? AND ?"
        }
    }

    /// Those photos of the album, from any folder, among which an app that sees only what it was given finds
    /// its own.
    func conditionOnGiven(
        _ view: LibraryView.Condition
    ) -> (text: String, arguments: StatementArguments) {
        guard case .moment = self else { return (view.presence, []) }
        return ("\(view.presence) AND day BETWEEN ? AND ?", arguments)
    }

    /// The same condition, for statements that look at few photos of an album that may have many: it
    /// looks each of them up, and makes no list of the others.
    var conditionOnEach: String {
        switch self {
        case .smart, .moment: condition
        case .folder:
            // A photo of a folder has a file; saying so, the index of dates can be used. The sign keeps SQLite
            // from looking through the folder for each photo.
            """
            file IS NOT NULL AND frameOf IS NULL AND EXISTS (
                SELECT 1 FROM file WHERE file.asset = asset.id AND +folder = ?)
            """
        case .user:
            """
            file IS NOT NULL AND EXISTS (
                SELECT 1 FROM member WHERE member.asset = asset.id AND album = ?)
            """
        }
    }

    /// The column of `album` that tells its row from others, and the value there.
    var key: (column: String, value: DatabaseValue) {
        switch self {
        case .smart(let album): ("key", album.rawValue.databaseValue)
        case .folder(let row): ("folder", row.databaseValue)
        case .user(let row): ("id", row.databaseValue)
        case .moment(let moment): ("key", moment.id.rawValue.databaseValue)
        }
    }

    var arguments: StatementArguments {
        switch self {
        case .smart: []
        case .folder(let row), .user(let row): [row]
        case .moment(let moment): [moment.numbers.lowerBound, moment.numbers.upperBound]
        }
    }

    /// The most photos that the album has; nil for no limit.
    var limit: Int? {
        switch self {
        case .smart(let album): album.rule.limit
        case .folder, .user, .moment: nil
        }
    }

    /// Whether the photos of new rows, in the order of their dates, complete an earlier list.
    var growsByDate: Bool {
        switch self {
        case .smart(.all), .folder: true
        case .smart, .user, .moment: false
        }
    }

    /// Finds the album with a key; nil when there is none.
    static func find(_ key: String, in database: Database) throws -> AlbumContents? {
        if let album = SmartAlbum(rawValue: key) { return .smart(album) }
        return try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, folder FROM album WHERE key = ?"),
            arguments: [key]
        ).map { row in
            if let moment = AlbumID(key).flatMap({ Moment($0) }) { return .moment(moment) }
            let folder = try row.decode(Int64?.self, atIndex: 1)
            return try folder.map { .folder($0) } ?? .user(row.decode(atIndex: 0))
        }
    }

    /// Finds the album of an app; nil if it does not see one with this key.
    ///
    /// An app that sees only what it was given has the album of all that, and the moments.
    static func find(
        _ key: AlbumID, in view: LibraryView, _ database: Database
    ) throws -> AlbumContents? {
        guard view != .everything else { return try find(key.rawValue, in: database) }
        guard let moment = Moment(key) else { return key == .all ? .smart(.all) : nil }
        let contents = AlbumContents.moment(moment)
        let seen = view.sql
        let given = contents.conditionOnGiven(seen)
        let first = try Int.fetchOne(
            database, sql: "SELECT 1 FROM asset WHERE \(given.text) AND \(seen.text) LIMIT 1",
            arguments: given.arguments + seen.arguments)
        return first.map { _ in contents }
    }

    /// The first photo with these ``ResourceTypes``; nil when the album has none.
    func first(of types: String, in database: Database) throws -> Int64? {
        let places =
            switch self {
            case .user:
                // In the order of the album, so that only the first ones are looked at.
                """
                member JOIN asset ON asset.id = member.asset
                WHERE album = ? AND file IS NOT NULL AND \(ResourceTypes.sql) = ? ORDER BY position
                """
            case .smart, .folder, .moment:
                "asset WHERE \(condition) AND \(ResourceTypes.sql) = ? ORDER BY \(order)"
            }
        let statement = try database.cachedStatement(
            sql: "SELECT asset.id FROM \(places) LIMIT 1")
        return try Int64.fetchOne(statement, arguments: arguments + [types])
    }
}
