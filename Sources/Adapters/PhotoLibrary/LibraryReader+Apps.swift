// SPDX-License-Identifier: MIT

internal import Desktop
internal import Foundation
internal import GRDB
package import Photos
internal import SystemPackage

/// A photo with the facts of its best file.
package struct ListedAsset: Hashable, Sendable {
    package let asset: Asset
    /// The name of the file, for people.
    package let name: String
    /// The size of the file in bytes.
    package let byteCount: Int64
    /// When the file was last modified: seconds since 1970.
    package let modified: Int64
    package let isFavorite: Bool
    /// Whether it has an adjusted version.
    package let isAdjusted: Bool
    package let isAnimated: Bool
    /// The duration of a video; nil if it is unknown, and for pictures.
    package let milliseconds: Int64?
    /// The dominant colour; nil if it is unknown.
    package let colour: PhotoColour?
    /// What it says about itself, or its sidecar files say.
    package let details: PhotoDetails

    package init(
        asset: Asset, name: String, byteCount: Int64, modified: Int64, isFavorite: Bool = false,
        isAdjusted: Bool = false, isAnimated: Bool, milliseconds: Int64?,
        colour: PhotoColour? = nil, details: PhotoDetails
    ) {
        self.asset = asset
        self.name = name
        self.byteCount = byteCount
        self.modified = modified
        self.isFavorite = isFavorite
        self.isAdjusted = isAdjusted
        self.isAnimated = isAnimated
        self.milliseconds = milliseconds
        self.colour = colour
        self.details = details
    }
}

/// The photos that an app may see.
package enum LibraryView: Hashable, Sendable {
    case everything
    /// Those that the app was given as a whole.
    case given(to: String)
}

// MARK: - Reading for apps

extension LibraryReader {
    /// The albums of a view; see ``albums(_:)``.
    ///
    /// An app that sees only what it was given has one album, of all that.
    package func albums(
        _ filter: MediaFilter, in view: LibraryView
    ) async throws(LibraryError) -> [Album] {
        guard view != .everything else { return try await albums(filter, withEmpty: true) }
        let page = try await page(of: .all, filter, in: view, from: 0, limit: 1)
        return [
            Album(
                id: .all, kind: .smart, title: "", count: page?.total ?? 0,
                cover: page?.assets.first?.asset.id)
        ]
    }

    /// A part of an album, in its order, and the number of photos in the album.
    ///
    /// - Parameters:
    ///   - search: Only photos that are found by it; nil for all.
    ///   - offset: The position of the first photo, 0 or more; there is nothing behind the last one.
    ///   - limit: The most photos, 0 or more.
    /// - Returns: Nil if there is no such album.
    package func page(
        of album: AlbumID, _ filter: MediaFilter, in view: LibraryView,
        matching search: SearchQuery? = nil, from offset: Int, limit: Int
    ) async throws(LibraryError) -> (assets: [ListedAsset], total: Int)? {
        try await read("read a part of an album") { database in
            guard let contents = try AlbumContents.find(album, in: view, database) else {
                return nil
            }
            if let search, !search.isEmpty {
                return try Self.page(
                    of: contents, filter, in: view, matching: search, from: offset, limit: limit,
                    in: database)
            }
            let (types, view) = (filter.sql(in: view), view.sql)
            // What an app was given may be from any folder.
            let base =
                view.isRestricted
                ? contents.conditionOnGiven(view)
                : (text: contents.condition, arguments: contents.arguments)
            let condition = "\(base.text) AND \(types.text) AND \(view.text)"
            let arguments = base.arguments + types.arguments + view.arguments
            // No album is longer than its limit, wherever the part begins.
            let room = contents.limit.map { max(0, $0 - offset) } ?? limit
            let assets = try ListedAsset.fetchAll(
                where: """
                    asset.id IN (
                        SELECT id FROM asset WHERE \(condition)
                        ORDER BY \(contents.order) LIMIT ? OFFSET ?)
                    ORDER BY \(contents.order)
                    """, arguments + [min(limit, room), offset], in: database)
            let total =
                view.isRestricted
                ? try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM asset WHERE \(condition)",
                    arguments: arguments) ?? 0
                : try AlbumSummary.count(of: album, filter, in: database)
            return (assets, min(total, contents.limit ?? total))
        }
    }

    /// The photos of an album that are found by a search.
    ///
    /// The tables of words are read once, for the part and the total.
    private static func page(
        of contents: AlbumContents, _ filter: MediaFilter, in view: LibraryView,
        matching search: SearchQuery, from offset: Int, limit: Int, in database: Database
    ) throws -> (assets: [ListedAsset], total: Int) {
        let found = try FoundPhotos(contents, filter, in: view, matching: search, in: database)
        let rows = try Row.fetchAll(
            database,
            sql: """
                WITH found AS MATERIALIZED (SELECT id, date FROM asset WHERE \(found.condition))
                SELECT id, (SELECT count(*) FROM found) FROM found AS asset
                ORDER BY \(contents.order) LIMIT ? OFFSET ?
                """, arguments: found.arguments + [limit, offset])
        guard let first = rows.first else {
            // Behind the last one.
            let total =
                offset == 0
                ? 0
                : try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM asset WHERE \(found.condition)",
                    arguments: found.arguments)
            return ([], total ?? 0)
        }
        let ids = try rows.map { try $0.decode(Int64.self, atIndex: 0) }
        let assets = try ListedAsset.fetchAll(
            where: "asset.id IN (SELECT value FROM json_each(?)) ORDER BY \(contents.order)",
            [ids.rowList], in: database)
        return (assets, try first.decode(atIndex: 1))
    }

    /// The files of a photo; nil if it is unknown, or not in the view.
    package func located(
        _ id: AssetID?, _ version: AssetVersion = .current, _ choice: ResourceChoice = .primary,
        in view: LibraryView
    ) async throws(LibraryError) -> LocatedAsset? {
        guard let id, let asset = try await listed([id], in: view).first?.asset else { return nil }
        return try await located([asset.id], version, choice)[asset.id]
    }

    /// The photos with these ids, in the same order; those that are unknown, or not in the view, are
    /// left out.
    package func listed(
        _ ids: [AssetID], in view: LibraryView
    ) async throws(LibraryError) -> [ListedAsset] {
        try await read("read photos") { database in
            let view = view.sql
            return try ids.compactMap { id in
                try ListedAsset.fetchAll(
                    where: "asset.key = ? AND \(view.text)", [Data(id.bytes)] + view.arguments,
                    in: database
                ).first
            }
        }
    }
}

extension ListedAsset {
    fileprivate static func fetchAll(
        where condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> [ListedAsset] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(Asset.columns), file.name, coalesce(adjustment.size, file.size),
                    coalesce(adjustment.modified, file.modified), \(Asset.isFavorite),
                    adjustment.asset IS NOT NULL, asset.isAnimated, asset.milliseconds,
                    asset.colour,
                    \(SearchTable.detailColumns.map { "assetDetails." + $0 }.joined(separator: ", "))
                FROM asset JOIN file ON file.id = \(Asset.bestFile)
                LEFT JOIN adjustment ON adjustment.asset = asset.id
                LEFT JOIN assetDetails ON assetDetails.asset = asset.id WHERE \(condition)
                """)
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var assets: [ListedAsset] = []
        while let row = try rows.next() {
            guard let asset = try Asset(row) else { continue }
            let next = Asset.columnCount
            assets.append(
                ListedAsset(
                    asset: asset,
                    name: FileURI.displayName(bytes: try row.decode(Data.self, atIndex: next)),
                    byteCount: try row.decode(atIndex: next + 1),
                    modified: try row.decode(Int64.self, atIndex: next + 2) / 1_000_000_000,
                    isFavorite: try row.decode(atIndex: next + 3),
                    isAdjusted: try row.decode(atIndex: next + 4),
                    isAnimated: try row.decode(atIndex: next + 5),
                    milliseconds: try row.decode(atIndex: next + 6),
                    colour: try row.decode(Int?.self, atIndex: next + 7).flatMap {
                        PhotoColour(number: $0)
                    },
                    details: try PhotoDetails(row, at: next + 8) ?? PhotoDetails()))
        }
        return assets
    }
}

extension MediaFilter {
    /// The filter as a condition on the columns of `asset`.
    ///
    /// An app that sees only what it was given may not open raw files.
    fileprivate func sql(in view: LibraryView) -> (text: String, arguments: StatementArguments) {
        sql(withRaws: view == .everything)
    }
}

/// The photos of an album that are found by a search, as SQL.
struct FoundPhotos {
    /// A condition on the columns of `asset`, with ``arguments``.
    let condition: String
    let arguments: StatementArguments

    /// - Parameter looksAtFew: Whether the statement ends long before it has seen all photos.
    init(
        _ album: AlbumContents, _ filter: MediaFilter, in view: LibraryView,
        matching search: SearchQuery, looksAtFew: Bool = false, in database: Database
    ) throws {
        let words = try SearchCondition(search, in: view, in: database)
        let (types, view) = (filter.sql(in: view), view.sql)
        let contents =
            view.isRestricted
            ? album.conditionOnGiven(view)
            : (
                text: looksAtFew ? album.conditionOnEach : album.condition,
                arguments: album.arguments
            )
        var base = "\(contents.text) AND \(types.text)"
        // What an album leaves out because of its limit is not found in it.
        if let limit = album.limit {
            base = """
                asset.id IN (
                    SELECT id FROM asset WHERE \(base) ORDER BY \(album.order) LIMIT \(limit))
                """
        }
        condition = "\(base) AND \(view.text) AND \(words.text)"
        arguments =
            contents.arguments + types.arguments + view.arguments + words.arguments
    }
}

extension LibraryView {
    /// - Parameter presence: Which photos are in lists, where ``text`` holds. A person may have given an app
    ///   a picture of a burst for which everybody else sees another one.
    typealias Condition = (
        text: String, arguments: StatementArguments, isRestricted: Bool, presence: String
    )

    /// The view as a condition on `asset`.
    var sql: Condition {
        switch self {
        case .everything: ("TRUE", [], false, "file IS NOT NULL")
        case .given(let app):
            (
                "asset.key IN (SELECT given.asset FROM given WHERE app = ? AND whole = 1)", [app],
                true, Asset.isThere
            )
        }
    }
}
