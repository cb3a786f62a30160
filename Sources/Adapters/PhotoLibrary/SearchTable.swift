// SPDX-License-Identifier: MIT

internal import Desktop
internal import Foundation
internal import GRDB
internal import Photos
internal import SystemPackage

/// The tables `search` and `albumSearch`: what is found by its words.
///
/// Titles of albums are not repeated in the rows of their photos, so that renaming an album costs one
/// row, however many photos it has.
enum SearchTable {
    /// The most names of a photo that are searched.
    private static let mostNames = 16
    /// The most names of the other frames of a burst that are searched.
    private static let mostFrameNames = 128

    // MARK: - Photos

    /// Brings the row of a photo in line with its files.
    static func update(asset: Int64, in database: Database) throws {
        let files = try files(of: asset, in: database)
        guard !files.isEmpty else {
            try keep(PhotoDetails(), of: asset, in: database)
            return try delete(asset, in: database)
        }
        let details = try details(of: files, in: database)
        try keep(details, of: asset, in: database)
        try setPlace(details.hasPlace, of: asset, in: database)
        let words = words(of: try files + frames(of: asset, in: database), details)
        let old = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT name, title, caption, keywords, camera FROM search WHERE rowid = ?"),
            arguments: [asset])
        if let old {
            let stored = try (0..<words.count).map { try old.decode(String.self, atIndex: $0) }
            guard stored != words else { return }
            try delete(asset, in: database)
        }
        try insert(words, asset, in: database)
    }

    /// Adds the row of a photo that was added in this transaction, whose `hasPlace` is that of its file.
    ///
    /// - Parameters:
    ///   - file: Its only file; nil if it has more, or has changed since.
    ///   - terms: Gets what the photo says, unless ``update(asset:in:)`` counts it.
    static func insert(
        asset: Int64, file: NamedFile?, in database: Database, _ terms: inout TermTable.Additions
    ) throws {
        // The database knows nothing else of most new photos.
        guard let file, try sidecars(of: file, in: database).isEmpty else {
            return try update(asset: asset, in: database)
        }
        let details = file.details ?? PhotoDetails()
        if !details.isEmpty {
            try write(details, of: asset, in: database)
            terms.add(details)
        }
        try insert(words(of: [file], details), asset, in: database)
    }

    private static func insert(_ words: [String], _ asset: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO search (rowid, name, title, caption, keywords, camera)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [asset] + StatementArguments(words))
    }

    private static func delete(_ asset: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM search WHERE rowid = ?")
            .execute(arguments: [asset])
    }

    private static func setPlace(
        _ hasPlace: Bool, of asset: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: "UPDATE asset SET hasPlace = ? WHERE id = ? AND hasPlace <> ?"
        ).execute(arguments: [hasPlace, asset, hasPlace])
    }

    /// The columns of `search`.
    private static func words(of files: [NamedFile], _ details: PhotoDetails) -> [String] {
        var names: [String] = []
        for file in files {
            let name = String(decoding: file.name, as: UTF8.self)
            // A row whose name another file has taken.
            if !name.hasPrefix("/"), !names.contains(name) { names.append(name) }
        }
        return [
            names.joined(separator: "\n"), details.title ?? "", details.caption ?? "",
            details.keywords.joined(separator: "\n"),
            [details.camera, details.lens].compactMap(\.self).joined(separator: "\n"),
        ].map(SearchText.separated)
    }

    // MARK: - Details

    /// The columns of `details` and `assetDetails` that ``PhotoDetails/init(_:at:)`` reads.
    static let detailColumns = [
        "title", "caption", "keywords", "rating", "camera", "lens", "hasPlace",
    ]

    /// Stores what a photo says about itself, completed by its sidecar files, unless that is stored.
    private static func keep(
        _ details: PhotoDetails, of asset: Int64, in database: Database
    ) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT \(detailColumns.joined(separator: ", ")) FROM assetDetails
                    WHERE asset = ?
                    """), arguments: [asset])
        let stored = try row.flatMap { try PhotoDetails($0) } ?? PhotoDetails()
        guard stored != details else { return }
        try replaceDetails(of: asset, with: details, in: database)
    }

    private static func replaceDetails(
        of asset: Int64, with details: PhotoDetails, in database: Database
    ) throws {
        // A trigger sees a row that is deleted, but none that is replaced.
        try database.cachedStatement(sql: "DELETE FROM assetDetails WHERE asset = ?")
            .execute(arguments: [asset])
        guard !details.isEmpty else { return }
        try write(details, of: asset, in: database)
        try TermTable.add(details, in: database)
    }

    private static func write(
        _ details: PhotoDetails, of asset: Int64, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO assetDetails
                    (asset, title, caption, keywords, rating, camera, lens, hasPlace)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [asset] + values(of: details))
    }

    /// Stores what the photos of an earlier release say.
    static func keepAllDetails(in database: Database) throws {
        var assets = try Set(
            Int64.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT asset FROM details JOIN file ON file.id = details.file
                    WHERE asset IS NOT NULL
                    """))
        let sidecars = try Row.fetchCursor(
            database,
            sql: """
                SELECT folder, name FROM details JOIN file ON file.id = details.file
                WHERE asset IS NULL
                """)
        while let row = try sidecars.next() {
            try assets.formUnion(
                SidecarName.assets(
                    beside: row.decode(atIndex: 1), in: row.decode(atIndex: 0), database))
        }
        for asset in assets {
            let details = try details(of: files(of: asset, in: database), in: database)
            // Terms are counted by a later migration.
            if !details.isEmpty { try write(details, of: asset, in: database) }
        }
    }

    private static func files(of asset: Int64, in database: Database) throws -> [NamedFile] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT title, caption, keywords, rating, camera, lens, hasPlace, folder, name
                    FROM file LEFT JOIN details ON details.file = file.id
                    WHERE asset = ? ORDER BY role, id LIMIT \(mostNames)
                    """), arguments: [asset])
        var files: [NamedFile] = []
        while let row = try rows.next() {
            files.append(
                NamedFile(
                    folder: try row.decode(atIndex: 7), name: try row.decode(atIndex: 8),
                    details: try PhotoDetails(row)))
        }
        return files
    }

    /// The names of the frames of a burst for which a photo is shown; only their names count.
    private static func frames(of asset: Int64, in database: Database) throws -> [NamedFile] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT folder, name FROM asset JOIN file ON file.asset = asset.id
                    WHERE frameOf = ? ORDER BY file.id LIMIT \(mostFrameNames)
                    """), arguments: [asset])
        var frames: [NamedFile] = []
        while let row = try rows.next() {
            frames.append(
                NamedFile(
                    folder: try row.decode(atIndex: 0), name: try row.decode(atIndex: 1),
                    details: nil))
        }
        return frames
    }

    private static func details(
        of files: [NamedFile], in database: Database
    ) throws -> PhotoDetails {
        var details = files.first?.details ?? PhotoDetails()
        for file in files {
            for sidecar in try sidecars(of: file, in: database) {
                details = details.overlaid(by: sidecar)
            }
        }
        return details
    }

    /// What the sidecar files of a file say; a later one counts more.
    ///
    /// One that has changed says the same until it has been examined.
    private static func sidecars(
        of file: NamedFile, in database: Database
    ) throws -> [PhotoDetails] {
        let names = SidecarName.names(of: file.name)
        // Four names are looked up: a folder may have any number of other files.
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT title, caption, keywords, rating, camera, lens, details.hasPlace, name
                    FROM file CROSS JOIN details ON details.file = file.id
                    WHERE folder = ? AND name IN (?, ?, ?, ?) AND status <> 1
                    """), arguments: [file.folder] + StatementArguments(names))
        guard !rows.isEmpty else { return [] }
        return try names.flatMap { name in
            try rows.filter { try $0.decode(Data.self, atIndex: 7) == name }
                .compactMap { try PhotoDetails($0) }
        }
    }

    /// Stores what a file says.
    static func store(_ details: PhotoDetails, of file: Int64, in database: Database) throws {
        guard !details.isEmpty else {
            return try database.cachedStatement(sql: "DELETE FROM details WHERE file = ?")
                .execute(arguments: [file])
        }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO details
                    (file, title, caption, keywords, rating, camera, lens, hasPlace)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [file] + values(of: details))
    }

    private static func values(of details: PhotoDetails) throws -> StatementArguments {
        let keywords = details.keywords.isEmpty ? nil : try JSONEncoder().encode(details.keywords)
        return [
            details.title, details.caption, keywords.map { String(decoding: $0, as: UTF8.self) },
            details.rating, details.camera, details.lens, details.hasPlace,
        ]
    }

    // MARK: - Albums

    /// Brings the row of an album in line with its title and its folder.
    static func update(album: Int64, in database: Database) throws {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT title, path FROM album LEFT JOIN folder ON folder.id = album.folder
                WHERE album.id = ?
                """, arguments: [album])
        guard let row else { return }
        let path = try row.decode(Data?.self, atIndex: 1)
        try database.execute(
            sql: "INSERT OR REPLACE INTO albumSearch (rowid, title, path) VALUES (?, ?, ?)",
            arguments: [
                album, SearchText.separated(try row.decode(atIndex: 0)),
                SearchText.separated(
                    try path.map { try namesAbove(FilePath($0), in: database) } ?? ""),
            ])
    }

    /// The names of the library's folders above a folder: photos of `Italy/Rome` are found by both.
    private static func namesAbove(_ folder: FilePath, in database: Database) throws -> String {
        var names: [String] = []
        var path = folder.removingLastComponent()
        while let name = path.lastComponent,
            try Int.fetchOne(
                database, sql: "SELECT 1 FROM folder WHERE path = ?", arguments: [path.data]) != nil
        {
            names.append(FileURI.displayName(name))
            path = path.removingLastComponent()
        }
        return names.joined(separator: "\n")
    }
}

/// A name of a photo, and what the file says about itself.
struct NamedFile {
    /// The row of its folder.
    let folder: Int64
    let name: Data
    let details: PhotoDetails?
    /// Whether the file or its name says that the photo is a frame of a burst.
    var isFrame = false
}

extension PhotoDetails {
    /// Reads ``SearchTable/detailColumns``; nil if there is no row.
    init?(_ row: Row, at first: Int = 0) throws {
        guard let hasPlace = try row.decode(Bool?.self, atIndex: first + 6) else { return nil }
        let keywords = try row.decode(String?.self, atIndex: first + 2).map {
            try JSONDecoder().decode([String].self, from: Data($0.utf8))
        }
        self.init(
            title: try row.decode(atIndex: first), caption: try row.decode(atIndex: first + 1),
            keywords: keywords ?? [], rating: try row.decode(atIndex: first + 3),
            camera: try row.decode(atIndex: first + 4), lens: try row.decode(atIndex: first + 5),
            hasPlace: hasPlace)
    }
}
