// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
internal import Foundation
internal import GRDB
package import Photos
package import SystemPackage

/// Reads the library, either in the service or in another process.
package final class LibraryReader: Sendable {
    private let database: any DatabaseReader
    /// Nil over the service's own connection, which protects them itself.
    private let locked: LockedFiles?
    /// The service's own database; nil in another process.
    private let store: LibraryStore?
    /// The folder of adjusted versions.
    let adjusted: FilePath

    /// Reads over the service's own connection.
    package init(_ store: LibraryStore) {
        database = store.reader
        self.store = store
        locked = nil
        adjusted = store.adjusted
    }

    /// Opens a library that another process writes.
    ///
    /// - Throws: ``LibraryError``, for example `.missing` if there is no library yet or the other
    ///   process is still creating it, or `.corrupt`.
    package init(at path: FilePath) throws(LibraryError) {
        var configuration = Configuration()
        configuration.label = "library-reader"
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        let (queue, isComplete) = try withLibraryError("open the library") {
            let queue = try DatabaseQueue(path: path.string, configuration: configuration)
            return (queue, try queue.read { try Schema.migrator.hasCompletedMigrations($0) })
        }
        guard isComplete else { throw LibraryError(code: .missing, operation: "open the library") }
        database = queue
        store = nil
        locked = LockedFiles(database: path)
        adjusted = LibraryLocation.adjusted(of: path)
    }

    /// What the library is doing.
    package func status() async throws(LibraryError) -> LibraryStatus {
        try await read("read the status") { try LibraryState.status(in: $0) }
    }

    /// The albums that have photos of the wanted types: smart ones in their own order, then those
    /// that people filled and those of folders, both by title.
    ///
    /// `all` and `recent` are included even if they are empty.
    ///
    /// - Parameter withEmpty: Includes albums that people made and that have no such photo.
    package func albums(
        _ filter: MediaFilter = .images, withEmpty: Bool = false
    ) async throws(LibraryError) -> [Album] {
        let albums = try await read("read the albums") { database in
            try AlbumSummary.all(filter, in: database).compactMap(\.album)
        }
        let ruled = albums.filter { $0.kind == .smart }
        let smart = SmartAlbum.allCases.compactMap { smart in
            ruled.first {
                $0.id == smart.id && ($0.count > 0 || !smart.rule.isHiddenWhenEmpty)
            }
        }
        let filled = albums.filter { $0.kind == .user && ($0.count > 0 || withEmpty) }
        let folders = albums.filter { $0.kind == .folder && $0.count > 0 }
        return smart + filled.sortedByTitle() + folders.sortedByTitle()
    }

    /// The photos of an album in its order: newest first, equal dates in a stable order, or as people
    /// arranged them.
    ///
    /// - Parameters:
    ///   - album: An album that does not exist has no photos.
    ///   - search: Only photos that are found by it; nil for all.
    ///   - wanted: Photos that do not fit are listed with the rule that they break.
    ///   - limit: The most photos; nil for all.
    package func photos(
        in album: AlbumID, _ filter: MediaFilter = .images, matching search: SearchQuery? = nil,
        wanted: PhotoFilter = PhotoFilter(), limit: Int? = nil
    ) async throws(LibraryError) -> PhotoList {
        try await read("read an album") { database in
            guard let contents = try AlbumContents.find(album.rawValue, in: database) else {
                return PhotoList()
            }
            if let search, !search.isEmpty {
                return try PhotoList(
                    contents, filter, matching: search, wanted: wanted, limit: limit, in: database)
            }
            return try PhotoList(contents, filter, wanted: wanted, limit: limit, in: database)
        }
    }

    /// The titles of the albums that people or apps put a photo into, in alphabetical order.
    package func titles(ofAlbumsWith id: AssetID) async throws(LibraryError) -> [String] {
        let titles = try await read("read the albums of a photo") { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT album.title FROM member JOIN album ON album.id = member.album
                    WHERE member.asset = (SELECT id FROM asset WHERE key = ?)
                    """, arguments: [Data(id.bytes)])
        }
        return titles.map { (key: $0.collationKey, title: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map(\.title)
    }

    /// The album with the photos of a folder; nil if the library does not contain the folder.
    package func album(ofFolder path: FilePath) async throws(LibraryError) -> AlbumID? {
        try await read("find the album of a folder") { database in
            try String.fetchOne(
                database,
                sql: """
                    SELECT album.key FROM album JOIN folder ON folder.id = album.folder
                    WHERE folder.path = ?
                    """, arguments: [path.data]
            ).flatMap { AlbumID($0) }
        }
    }

    /// The photos with these ids, in the same order, whether or not lists show them; unknown ids are left out.
    package func assets(_ ids: [AssetID]) async throws(LibraryError) -> [Asset] {
        try await read("read photos") { database in
            try ids.compactMap { try Asset.fetch($0, database) }
        }
    }

    /// The photos that some files are of, in the same order: nil for a file that the library has not examined,
    /// or not in this version.
    package func assets(
        ofFiles versions: [FileVersion]
    ) async throws(LibraryError) -> [Asset?] {
        guard !versions.isEmpty else { return [] }
        await store?.arrivalEnds.settle()
        return try await read("find the photos of files") { database in
            try versions.map { try Asset.fetch(ofFile: $0, database) }
        }
    }

    /// The paths of a photo's files that the library knows, best first; that of its adjusted version if
    /// it has one.
    ///
    /// Empty if the photo is unknown. A path may have disappeared since the library was last
    /// updated.
    package func paths(of id: AssetID) async throws(LibraryError) -> [FilePath] {
        try await files(of: id).map(\.path)
    }

    /// The files with these paths.
    package func files(of id: AssetID) async throws(LibraryError) -> [LocatedFile] {
        try await read("read a photo's names") { [adjusted] database in
            try LocatedFile.fetchAll(of: id, .current, adjustedIn: adjusted, database)
        }
    }

    /// The version of a photo's best file when the library last saw it; nil if it is not known.
    package func version(of id: AssetID) async throws(LibraryError) -> FileVersion? {
        try await versions(of: [id])[id]
    }

    /// The versions of photos' best files when the library last saw them, in one read.
    ///
    /// - Returns: A dictionary without entries for unknown ids.
    package func versions(
        of ids: [AssetID]
    ) async throws(LibraryError) -> [AssetID: FileVersion] {
        await store?.arrivalEnds.settle()
        return try await read("read the versions of photos") { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT coalesce(adjustment.device, file.device) AS device,
                        coalesce(adjustment.inode, file.inode) AS inode,
                        coalesce(adjustment.size, file.size) AS size,
                        coalesce(adjustment.modified, file.modified) AS modified,
                        coalesce(adjustment.changed, file.changed) AS changed
                    FROM asset JOIN file ON file.id = \(Asset.bestFile)
                    LEFT JOIN adjustment ON adjustment.asset = asset.id WHERE asset.key = ?
                    """)
            var found: [AssetID: FileVersion] = [:]
            for id in ids {
                let row = try Row.fetchOne(statement, arguments: [Data(id.bytes)])
                found[id] = try row.map { try FileState($0) }?.version
            }
            return found
        }
    }

    /// The photos with these ids and the paths of their files, in one read.
    ///
    /// - Parameters:
    ///   - version: Which version of the primary file.
    ///   - role: What the files are for the photos; only the primary one has versions.
    /// - Returns: A dictionary without entries for unknown ids.
    package func located(
        _ ids: [AssetID], _ version: AssetVersion = .current, _ role: ResourceRole = .primary
    ) async throws(LibraryError) -> [AssetID: LocatedAsset] {
        guard !ids.isEmpty else { return [:] }
        await store?.arrivalEnds.settle()
        return try await read("read photos and their names") { [adjusted] database in
            var found: [AssetID: LocatedAsset] = [:]
            for id in ids {
                guard let asset = try Asset.fetch(id, database) else { continue }
                let files =
                    switch role {
                    case .primary:
                        try LocatedFile.fetchAll(of: id, version, adjustedIn: adjusted, database)
                    case .raw, .pairedVideo:
                        try LocatedFile.originals(of: id, role, database)
                    case .burst: try LocatedFile.framesNotShown(of: id, database)
                    }
                found[id] = LocatedAsset(asset: asset, files: files)
            }
            return found
        }
    }

    /// The photos among these that the app has received before, in the same order.
    package func given(_ ids: [AssetID], to app: String) async throws(LibraryError) -> [AssetID] {
        guard !ids.isEmpty else { return [] }
        return try await read("read what an app was given") { database in
            try ids.filter { id in
                try Int.fetchOne(
                    database,
                    sql: """
                        SELECT 1 FROM given JOIN asset ON asset.key = given.asset
                        WHERE app = ? AND given.asset = ? AND \(Asset.isThere)
                        """, arguments: [app, Data(id.bytes)]) != nil
            }
        }
    }

    func read<Value: Sendable>(
        _ operation: String, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(LibraryError) -> Value {
        do {
            return try await database.read(body)
        } catch {
            let error = LibraryError(error, operation)
            throw store?.noted(error) ?? error
        }
    }
}

// MARK: - Rows

extension PhotoList {
    /// Reads an album in its order.
    ///
    /// - Parameters:
    ///   - lastRow: Leaves out the assets up to this row.
    ///   - limit: The most photos; nil for all.
    init(
        _ album: AlbumContents, _ filter: MediaFilter, after lastRow: Int64? = nil,
        wanted: PhotoFilter = PhotoFilter(), limit: Int? = nil, in database: Database
    ) throws {
        let condition = filter.sql()
        // Without videos, skip a comparison that would cost as much as the rest of the query.
        let isVideo = filter.includesVideos ? "mediaType LIKE 'video/%'" : "0"
        let limit = [album.limit, limit].compactMap(\.self).min() ?? -1
        // A few new rows are found by their number, not in the index of dates.
        let source = lastRow.map { "asset NOT INDEXED WHERE id > \($0) AND" } ?? "asset WHERE"
        try self.init(
            Row.fetchCursor(
                database,
                sql: """
                    SELECT key, width, height, date, \(isVideo), colour\(Self.facts(for: wanted))
                    FROM \(source) \(album.condition) AND \(condition.text)
                    ORDER BY \(album.order) LIMIT \(limit)
                    """, arguments: album.arguments + condition.arguments), wanted)
    }

    /// Reads the photos of an album that are found by a search, in the order of the album.
    init(
        _ album: AlbumContents, _ filter: MediaFilter, matching search: SearchQuery,
        wanted: PhotoFilter = PhotoFilter(), limit: Int? = nil, in database: Database
    ) throws {
        let found = try FoundPhotos(album, filter, in: .everything, matching: search, in: database)
        let isVideo = filter.includesVideos ? "mediaType LIKE 'video/%'" : "0"
        try self.init(
            Row.fetchCursor(
                database,
                sql: """
                    SELECT key, width, height, date, \(isVideo), colour\(Self.facts(for: wanted)) FROM asset
                    WHERE \(found.condition) ORDER BY \(album.order) LIMIT \(limit ?? -1)
                    """, arguments: found.arguments), wanted)
    }

    /// Further columns that an app's rules compare; none if it has no rules.
    private static func facts(for wanted: PhotoFilter) -> String {
        wanted.isEmpty
            ? ""
            : ", favorite, milliseconds, (SELECT size FROM file WHERE file.id = asset.file)"
    }

    private init(_ rows: RowCursor, _ wanted: PhotoFilter) throws {
        self.init()
        let rules = wanted.isEmpty ? nil : wanted
        while let row = try rows.next() { try append(row, rules) }
    }

    /// Reads rows with the columns of a list, and of ``facts(for:)`` if the app has rules.
    init(_ rows: [Row], _ wanted: PhotoFilter) throws {
        self.init()
        let rules = wanted.isEmpty ? nil : wanted
        for row in rows { try append(row, rules) }
    }

    private mutating func append(_ row: Row, _ rules: PhotoFilter?) throws {
        guard let id = AssetID(bytes: try row.decode(Data.self, atIndex: 0)) else { return }
        let size = PixelSize(
            width: try row.decode(atIndex: 1), height: try row.decode(atIndex: 2))
        let date: Int64 = try row.decode(atIndex: 3)
        let rule = rules?.broken(
            by: PhotoFacts(
                size: size.isEmpty ? nil : size,
                byteCount: try row.decode(Int64?.self, atIndex: 8) ?? 0, date: date,
                isFavorite: try row.decode(atIndex: 6),
                milliseconds: try row.decode(Int64?.self, atIndex: 7)))
        append(
            id, size: size, taken: date, isVideo: try row.decode(atIndex: 4),
            colour: try row.decode(Int?.self, atIndex: 5).flatMap { PhotoColour(number: $0) },
            breaking: rule)
    }
}

extension Asset {
    static func fetch(_ id: AssetID, _ database: Database) throws -> Asset? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(columns) FROM asset WHERE key = ? AND \(isThere)
                """)
        return try Row.fetchOne(statement, arguments: [Data(id.bytes)]).flatMap { try Asset($0) }
    }

    /// The photo of a file that was examined in this version.
    fileprivate static func fetch(ofFile version: FileVersion, _ database: Database) throws
        -> Asset?
    {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(columns) FROM file JOIN asset ON asset.id = file.asset
                WHERE device = ? AND inode = ? AND size = ? AND modified = ? AND changed = ?
                    AND status = ? AND \(isThere)
                LIMIT 1
                """)
        let arguments: StatementArguments = [
            Int64(truncatingIfNeeded: version.device), Int64(truncatingIfNeeded: version.inode),
            version.byteCount, version.modified, version.changed,
            Schema.FileStatus.asset.rawValue,
        ]
        return try Row.fetchOne(statement, arguments: arguments).flatMap { try Asset($0) }
    }

    /// What ``init(_:)`` reads.
    static let columns = """
        asset.key, asset.mediaType, asset.width, asset.height, asset.date, asset.hasCaptureDate,
        asset.rawTypes, asset.isLive, asset.frames,
        (SELECT shown.key FROM asset AS shown WHERE shown.id = asset.frameOf)
        """
    /// How many they are.
    static let columnCount = 10

    /// Whether there is a photo, as a condition: lists show it, or another picture of its burst for it.
    static let isThere = "(asset.file IS NOT NULL OR asset.frameOf IS NOT NULL)"

    /// The row of the best file of a photo, whether or not lists show it; null if it has none.
    static let bestFile = """
        coalesce(asset.file, (
            SELECT min(frame.id) FROM file AS frame
            WHERE asset.frameOf IS NOT NULL AND frame.asset = asset.id AND role = 0))
        """

    /// Whether a photo is a favorite: of the pictures of a burst all are, or none.
    static let isFavorite = """
        max(favorite, coalesce((
            SELECT shown.favorite FROM asset AS shown WHERE shown.id = asset.frameOf), 0))
        """

    /// Reads ``columns``, which come first in a row; nil for an invalid id or type.
    ///
    /// By their positions: looking for names would take longer than the rest.
    init?(_ row: Row) throws {
        guard let id = AssetID(bytes: try row.decode(Data.self, atIndex: 0)),
            let mediaType = MediaType(try row.decode(atIndex: 1))
        else { return nil }
        let size = PixelSize(
            width: try row.decode(atIndex: 2), height: try row.decode(atIndex: 3))
        self.init(
            id: id, mediaType: mediaType, size: size.isEmpty ? nil : size,
            date: try row.decode(atIndex: 4), hasCaptureDate: try row.decode(atIndex: 5),
            rawTypes: try row.decode(String?.self, atIndex: 6).map(ResourceTypes.decode) ?? [],
            isLive: try row.decode(atIndex: 7), frames: try row.decode(atIndex: 8),
            frameOf: try row.decode(Data?.self, atIndex: 9).flatMap { AssetID(bytes: $0) })
    }
}

extension [Album] {
    /// Sorted by title, in the order of the person's language.
    fileprivate func sortedByTitle() -> [Album] {
        map { (key: $0.title.collationKey, album: $0) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map(\.album)
    }
}
