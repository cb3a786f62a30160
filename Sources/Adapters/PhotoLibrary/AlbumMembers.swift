// SPDX-License-Identifier: MIT

internal import GRDB

/// The photos of an album that people fill, in its order: the rows of the table `member`.
///
/// Photos whose files are gone keep their place, so that they are there again when the files are; the
/// positions that apps know do not count them.
struct AlbumMembers {
    let album: Int64
    let database: Database

    /// The distance between the positions of two photos that were appended one after another.
    private static let gap: Int64 = 1 << 20

    func contains(_ asset: Int64) throws -> Bool {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM member WHERE asset = ? AND album = ?"),
            arguments: [asset, album]) != nil
    }

    /// All photos, those without files as well.
    func count() throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM member WHERE album = ?"),
            arguments: [album]) ?? 0
    }

    /// The photos that have files.
    func visibleCount() throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*) FROM member JOIN asset ON asset.id = member.asset
                    WHERE album = ? AND file IS NOT NULL
                    """), arguments: [album]) ?? 0
    }

    /// - Returns: False if the album did not have the photo.
    func remove(_ asset: Int64) throws -> Bool {
        try database.cachedStatement(sql: "DELETE FROM member WHERE asset = ? AND album = ?")
            .execute(arguments: [asset, album])
        return database.changesCount > 0
    }

    /// Inserts photos that the album does not have.
    ///
    /// - Parameter index: A position among the photos that have files; nil for the end.
    /// - Returns: False, and nothing is inserted, if there is no such position.
    func insert(_ assets: [Int64], at index: Int?) throws -> Bool {
        guard let next = try place(of: index) else { return false }
        guard !assets.isEmpty else { return true }
        var places = try positions(count: assets.count, before: next)
        if places == nil {
            try spread()
            guard let moved = try place(of: index) else { return false }
            places = try positions(count: assets.count, before: moved)
        }
        guard let places else { throw DatabaseError(message: "no room in an album") }
        let statement = try database.cachedStatement(
            sql: "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)")
        for (asset, position) in zip(assets, places) {
            try statement.execute(arguments: [album, position, asset])
        }
        return true
    }

    /// Where photos are inserted.
    private enum Place {
        case end
        case before(Int64)
    }

    /// The place of an index; nil if there are fewer photos.
    private func place(of index: Int?) throws -> Place? {
        guard let index else { return .end }
        let position = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT position FROM member JOIN asset ON asset.id = member.asset
                    WHERE album = ? AND file IS NOT NULL ORDER BY position LIMIT 1 OFFSET ?
                    """), arguments: [album, index])
        if let position { return .before(position) }
        return try index == visibleCount() ? .end : nil
    }

    /// Free positions for so many photos; nil if the gap is too small.
    private func positions(count: Int, before place: Place) throws -> [Int64]? {
        let count = Int64(count)
        switch place {
        case .end:
            let last = try Int64.fetchOne(
                database, sql: "SELECT max(position) FROM member WHERE album = ?",
                arguments: [album])
            let start = last ?? -Self.gap
            guard start < .max / 2 else { return nil }
            return (1...count).map { start + $0 * Self.gap }
        case .before(let next):
            let previous = try Int64.fetchOne(
                database,
                sql: "SELECT max(position) FROM member WHERE album = ? AND position < ?",
                arguments: [album, next])
            guard let previous else {
                guard next > .min / 2 else { return nil }
                return (1...count).map { next - (count + 1 - $0) * Self.gap }
            }
            let step = (next - previous) / (count + 1)
            return step > 0 ? (1...count).map { previous + $0 * step } : nil
        }
    }

    /// Makes all gaps wide again.
    private func spread() throws {
        let assets = try Int64.fetchAll(
            database, sql: "SELECT asset FROM member WHERE album = ? ORDER BY position",
            arguments: [album])
        try database.execute(sql: "DELETE FROM member WHERE album = ?", arguments: [album])
        let statement = try database.cachedStatement(
            sql: "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)")
        for (index, asset) in assets.enumerated() {
            try statement.execute(arguments: [album, Int64(index) * Self.gap, asset])
        }
    }
}
