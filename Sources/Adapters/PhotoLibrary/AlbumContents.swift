// SPDX-License-Identifier: MIT

internal import GRDB

/// The photos of one album, as SQL.
enum AlbumContents: Hashable, Sendable {
    case smart(SmartAlbum)
    /// The row id of a folder.
    case folder(Int64)

    /// The order of every album: newest first; equal dates are ordered by id, so that the first
    /// photo of a list and a stored cover are always the same.
    static let order = "date DESC, id DESC"

    /// A condition on the columns of `asset`, with ``arguments``.
    var condition: String {
        switch self {
        case .smart(let album): "file IS NOT NULL AND (\(album.rule.condition))"
        case .folder: "id IN (SELECT asset FROM file WHERE folder = ?)"
        }
    }

    var arguments: StatementArguments {
        switch self {
        case .smart: []
        case .folder(let folder): [folder]
        }
    }

    /// The most photos that the album has; nil for no limit.
    var limit: Int? {
        switch self {
        case .smart(let album): album.rule.limit
        case .folder: nil
        }
    }

    /// Finds the album with a key; nil when there is none.
    static func find(_ key: String, in database: Database) throws -> AlbumContents? {
        if let album = SmartAlbum(rawValue: key) { return .smart(album) }
        return try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT folder FROM album WHERE key = ?"),
            arguments: [key]
        ).map { .folder($0) }
    }

    /// The newest photo of a type; nil when the album has none.
    func newest(of mediaType: String, in database: Database) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT id FROM asset WHERE \(condition) AND mediaType = ?
                ORDER BY \(Self.order) LIMIT 1
                """)
        return try Int64.fetchOne(statement, arguments: arguments + [mediaType])
    }
}
