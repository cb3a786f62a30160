// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Photos

// The operations of change sets: albums that people fill, and favorites.
extension LibraryTransaction {
    /// The most albums that people and apps may make.
    static let mostAlbums = 10_000
    /// The most photos of one of them.
    static let mostMembers = 100_000

    /// - Parameter earlier: What the operations before this one did.
    /// - Throws: ``LibraryChangeError/Reason`` if the operation is not possible; errors of the database.
    mutating func perform(
        _ change: LibraryChange, after earlier: [LibraryChangeResult],
        _ arrivals: ArrivalBatch
    ) throws -> LibraryChangeResult {
        switch change {
        case .createAsset, .deleteAlbum, .setAdjustment, .revertAdjustment: forgetMembers()
        case .createAlbum, .ensureAlbum, .renameAlbum, .insert, .remove, .setFavorite: break
        }
        switch change {
        case .createAsset(let index):
            return try add(index, of: arrivals)
        case .createAlbum(let title):
            return try createAlbum(title)
        case .ensureAlbum(let title):
            guard let album = try album(titled: title) else { return try createAlbum(title) }
            return LibraryChangeResult(album: album)
        case .renameAlbum(let target, let title):
            let album = try album(target, earlier)
            try noteChange(ofUserAlbum: album.row)
            try database.execute(
                sql: "UPDATE album SET title = ? WHERE id = ?", arguments: [title, album.row])
            try SearchTable.update(album: album.row, in: database)
            return LibraryChangeResult(album: album.id)
        case .deleteAlbum(let target):
            let album = try album(target, earlier)
            try noteChange(ofUserAlbum: album.row)
            try database.execute(sql: "DELETE FROM album WHERE id = ?", arguments: [album.row])
            return LibraryChangeResult(album: album.id)
        case .insert(let assets, let target, let index):
            return try insert(rows(assets, earlier), into: album(target, earlier), at: index)
        case .remove(let assets, let target):
            return try remove(rows(assets, earlier), from: album(target, earlier))
        case .setFavorite(let assets, let isFavorite):
            return try setFavorite(rows(assets, earlier), isFavorite)
        case .setAdjustment(let asset, let version):
            return try setAdjustment(rows([asset], earlier), version, of: arrivals)
        case .revertAdjustment(let assets):
            return try revertAdjustments(rows(assets, earlier), arrivals.adjusted)
        }
    }

    // MARK: - Albums

    private struct UserAlbum {
        let row: Int64
        let id: AlbumID
    }

    private func album(
        _ target: LibraryChange.Target, _ earlier: [LibraryChangeResult]
    ) throws -> UserAlbum {
        let wanted: AlbumID? =
            switch target {
            case .album(let id): id
            case .made(let index): earlier.indices.contains(index) ? earlier[index].album : nil
            }
        guard let wanted else { throw LibraryChangeError.Reason.noAlbum(nil) }
        let row = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT id, kind FROM album WHERE key = ?"),
            arguments: [wanted.rawValue])
        guard let row else { throw LibraryChangeError.Reason.noAlbum(wanted) }
        guard try row.decode(atIndex: 1) == Album.Kind.user.rawValue else {
            throw LibraryChangeError.Reason.notFilledByPeople
        }
        return UserAlbum(row: try row.decode(atIndex: 0), id: wanted)
    }

    private func album(titled title: String) throws -> AlbumID? {
        try String.fetchOne(
            database, sql: "SELECT key FROM album WHERE kind = ? AND title = ? ORDER BY id LIMIT 1",
            arguments: [Album.Kind.user.rawValue, title]
        ).flatMap { AlbumID($0) }
    }

    private mutating func createAlbum(_ title: String) throws -> LibraryChangeResult {
        let count = try Int.fetchOne(
            database, sql: "SELECT count(*) FROM album WHERE kind = ?",
            arguments: [Album.Kind.user.rawValue])
        guard (count ?? 0) < Self.mostAlbums else {
            throw LibraryChangeError.Reason.tooManyAlbums(Self.mostAlbums)
        }
        let id = AlbumID.random()
        try database.execute(
            sql: "INSERT INTO album (key, kind, title) VALUES (?, ?, ?)",
            arguments: [id.rawValue, Album.Kind.user.rawValue, title])
        let row = database.lastInsertedRowID
        try noteInsertion(ofUserAlbum: row)
        try SearchTable.update(album: row, in: database)
        return LibraryChangeResult(album: id, isNew: true)
    }

    // MARK: - Photos

    /// The rows of photos that have files, in the same order, each once.
    func rows(
        _ photos: [LibraryChange.Photo], _ earlier: [LibraryChangeResult]
    ) throws -> [Int64] {
        guard !photos.isEmpty else { return [] }
        let ids = try photos.map { photo in
            let id: AssetID? =
                switch photo {
                case .asset(let id): id
                case .made(let index): earlier.indices.contains(index) ? earlier[index].asset : nil
                }
            guard let id else { throw LibraryChangeError.Reason.noAsset(nil) }
            return id
        }
        // One statement for all; as many would take most of the time of a large change.
        let found = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    WITH RECURSIVE place(number) AS (
                        SELECT 0 UNION ALL SELECT number + 1 FROM place WHERE number + 1 < ?1)
                    SELECT number, asset.id FROM place LEFT JOIN asset
                        ON key = substr(?2, \(AssetID.byteCount) * number + 1, \(AssetID.byteCount))
                        AND file IS NOT NULL
                    """), arguments: [ids.count, Data(ids.flatMap(\.bytes))])
        var rows: [Int64?] = Array(repeating: nil, count: ids.count)
        while let row = try found.next() {
            rows[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1)
        }
        var seen: Set<Int64> = []
        return try zip(ids, rows).compactMap { id, row in
            guard let row else { throw LibraryChangeError.Reason.noAsset(id) }
            return seen.insert(row).inserted ? row : nil
        }
    }

    private mutating func insert(
        _ assets: [Int64], into album: UserAlbum, at index: Int?
    ) throws -> LibraryChangeResult {
        willChange(userAlbum: album.row)
        let wanted = try withMembers(of: album.row) { members in
            var wanted = assets
            if index == nil {
                wanted = try members.missing(wanted)
            } else {
                _ = try members.remove(wanted)
            }
            guard try members.count() + wanted.count <= Self.mostMembers else {
                throw LibraryChangeError.Reason.tooManyPhotos(Self.mostMembers)
            }
            guard try members.insert(wanted, at: index) else {
                throw LibraryChangeError.Reason.noPosition(index ?? 0)
            }
            return wanted
        }
        if !wanted.isEmpty { try noteChange(ofUserAlbum: album.row) }
        return LibraryChangeResult(album: album.id, count: wanted.count)
    }

    private mutating func remove(
        _ assets: [Int64], from album: UserAlbum
    ) throws -> LibraryChangeResult {
        willChange(userAlbum: album.row)
        let count = try withMembers(of: album.row) { try $0.remove(assets) }
        if count > 0 { try noteChange(ofUserAlbum: album.row) }
        return LibraryChangeResult(album: album.id, count: count)
    }

    private mutating func setFavorite(
        _ assets: [Int64], _ isFavorite: Bool
    ) throws -> LibraryChangeResult {
        let statement = try database.cachedStatement(
            sql: "UPDATE asset SET favorite = ? WHERE id = ? AND favorite <> ?")
        var count = 0
        for row in assets {
            try willChange(asset: row)
            try statement.execute(arguments: [isFavorite, row, isFavorite])
            count += database.changesCount
        }
        return LibraryChangeResult(count: count)
    }
}

extension LibraryChangeError.Reason: Error {}

extension AlbumID {
    /// A new id of an album that people fill.
    fileprivate static func random() -> AlbumID {
        let digits = (0..<2).map { _ in
            let half = String(UInt64.random(in: 0 ... .max), radix: 16)
            return String(repeating: "0", count: 16 - half.count) + half
        }
        guard let id = AlbumID(userPrefix + digits.joined()) else {
            preconditionFailure("Hexadecimal digits are an id")
        }
        return id
    }
}
