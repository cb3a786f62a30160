// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos

/// The count and the cover of an album for one filter, computed from stored rows.
struct AlbumSummary {
    /// The row of the album.
    private let row: Int64
    private let key: String
    private let kind: Int
    private let title: String
    private var count = 0
    /// The cover, and the rank that it has among the first photos of all types.
    private var cover: (rank: Int64, id: Int64, key: Data)?

    /// All albums but moments, which may be thousands, in no particular order.
    static func all(
        _ filter: MediaFilter, in database: Database
    ) throws -> [AlbumSummary] {
        try fetchAll(
            "SELECT * FROM album WHERE kind < \(Album.Kind.day.rawValue)", order: "album.id", [],
            filter,
            in: database)
    }

    /// Some of the moments that have photos, the newest first, and the number of all of them.
    ///
    /// - Parameters:
    ///   - offset: The position of the first one, 0 or more.
    ///   - limit: The most of them, 0 or more.
    static func moments(
        _ unit: Moment.Unit, _ filter: MediaFilter, from offset: Int, limit: Int,
        in database: Database
    ) throws -> (moments: [AlbumSummary], total: Int) {
        // Moments have no other types than the album of which they are parts.
        let types = try String.fetchAll(
            database,
            sql: """
                SELECT mediaType FROM albumContent
                WHERE album = (SELECT id FROM album WHERE key = '\(AlbumID.all)')
                """)
        let accepted = types.filter { filter.accepts(any: ResourceTypes.decode($0)) }
        var condition = "kind = ?"
        var arguments: StatementArguments = [unit.kind.rawValue]
        if accepted.count < types.count {
            condition += """
                 AND EXISTS (SELECT 1 FROM albumContent
                    WHERE album = album.id AND mediaType IN (SELECT value FROM json_each(?)))
                """
            arguments += [String(decoding: try JSONEncoder().encode(accepted), as: UTF8.self)]
        }
        let total = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM album WHERE \(condition)"),
            arguments: arguments)
        let moments = try fetchAll(
            "SELECT * FROM album WHERE \(condition) ORDER BY key DESC LIMIT ? OFFSET ?",
            order: "album.key DESC", arguments + [limit, offset], filter, in: database)
        return (moments, total ?? 0)
    }

    /// - Parameters:
    ///   - source: A statement that returns rows of the table `album`.
    ///   - order: An order in which the rows of each album come one after the other.
    private static func fetchAll(
        _ source: String, order: String, _ arguments: StatementArguments, _ filter: MediaFilter,
        in database: Database
    ) throws -> [AlbumSummary] {
        var summaries: [AlbumSummary] = []
        // Few combinations of types are in most albums, and often one alone.
        var accepted: [String: Bool] = [:]
        var last: (types: String, isAccepted: Bool)?
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT album.key, kind, title, albumContent.mediaType, count,
                        asset.key, coalesce(
                            iif(kind = \(Album.Kind.user.rawValue), -(SELECT position FROM member
                                WHERE member.album = album.id AND member.asset = cover), NULL),
                            date), asset.id, album.id
                    FROM (\(source)) AS album
                    LEFT JOIN albumContent ON albumContent.album = album.id
                    LEFT JOIN asset ON asset.id = cover ORDER BY \(order)
                    """), arguments: arguments)
        while let row = try rows.next() {
            let album: Int64 = try row.decode(atIndex: 8)
            if summaries.last?.row != album { summaries.append(try AlbumSummary(row, album)) }
            guard let types = try row.decode(String?.self, atIndex: 3) else { continue }
            if last?.types != types {
                let isAccepted =
                    accepted[types] ?? filter.accepts(any: ResourceTypes.decode(types))
                accepted[types] = isAccepted
                last = (types, isAccepted)
            }
            if last?.isAccepted == true { try summaries[summaries.count - 1].add(row) }
        }
        return summaries
    }

    /// The number of photos in an album, as it is stored.
    static func count(
        of album: AlbumID, _ filter: MediaFilter, in database: Database
    ) throws -> Int {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT mediaType, count FROM albumContent
                    JOIN album ON album.id = album WHERE album.key = ?
                    """), arguments: [album.rawValue]
        ).reduce(0) { sum, row in
            let types = ResourceTypes.decode(try row.decode(atIndex: 0))
            return try filter.accepts(any: types) ? sum + row.decode(Int.self, atIndex: 1) : sum
        }
    }

    /// The album as readers see it; nil if its row is invalid.
    var album: Album? {
        guard let id = AlbumID(key), let kind = Album.Kind(rawValue: kind) else { return nil }
        let limit = kind == .smart ? SmartAlbum(id)?.rule.limit : nil
        return Album(
            id: id, kind: kind, title: title, count: min(count, limit ?? count),
            cover: cover.flatMap { AssetID(bytes: $0.key) })
    }

    private init(_ row: Row, _ album: Int64) throws {
        self.row = album
        key = try row.decode(atIndex: 0)
        kind = try row.decode(atIndex: 1)
        title = try row.decode(atIndex: 2)
    }

    /// Adds the photos with the same types.
    private mutating func add(_ row: Row) throws {
        count += try row.decode(Int.self, atIndex: 4)
        guard let key = try row.decode(Data?.self, atIndex: 5) else { return }
        let candidate = (
            rank: try row.decode(Int64.self, atIndex: 6),
            id: try row.decode(Int64.self, atIndex: 7),
            key: key
        )
        if let cover, (candidate.rank, candidate.id) < (cover.rank, cover.id) { return }
        cover = candidate
    }
}
