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

    // An album may get 10,000 photos at once: each step is one statement for all of them.

    /// Those photos that the album does not have, in the same order.
    func missing(_ assets: [Int64]) throws -> [Int64] {
        guard try count() > 0 else { return assets }
        return try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT value FROM json_each(?) WHERE NOT EXISTS (
                        SELECT 1 FROM member WHERE asset = value AND album = ?)
                    ORDER BY key
                    """), arguments: [assets.rowList, album])
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

    /// - Returns: How many of the photos the album had.
    func remove(_ assets: [Int64]) throws -> Int {
        try database.cachedStatement(
            sql: """
                DELETE FROM member
                WHERE album = ? AND asset IN (SELECT value FROM json_each(?))
                """
        ).execute(arguments: [album, assets.rowList])
        return database.changesCount
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
        try insert(assets, places)
        return true
    }

    private func insert(_ assets: [Int64], _ places: Positions) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO member (album, position, asset)
                SELECT ?, ? + ? * key, value FROM json_each(?)
                """
        ).execute(arguments: [album, places.first, places.step, assets.rowList])
    }

    /// The positions of several photos, at equal distances.
    private struct Positions {
        let first: Int64
        let step: Int64
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
    private func positions(count: Int, before place: Place) throws -> Positions? {
        let count = Int64(count)
        switch place {
        case .end:
            let last = try Int64.fetchOne(
                database, sql: "SELECT max(position) FROM member WHERE album = ?",
                arguments: [album])
            let start = last ?? -Self.gap
            guard start < .max / 2 else { return nil }
            return Positions(first: start + Self.gap, step: Self.gap)
        case .before(let next):
            let previous = try Int64.fetchOne(
                database,
                sql: "SELECT max(position) FROM member WHERE album = ? AND position < ?",
                arguments: [album, next])
            guard let previous else {
                guard next > .min / 2 else { return nil }
                return Positions(first: next - count * Self.gap, step: Self.gap)
            }
            let step = (next - previous) / (count + 1)
            return step > 0 ? Positions(first: previous + step, step: step) : nil
        }
    }

    /// Makes all gaps wide again.
    private func spread() throws {
        let assets = try Int64.fetchAll(
            database, sql: "SELECT asset FROM member WHERE album = ? ORDER BY position",
            arguments: [album])
        try database.execute(sql: "DELETE FROM member WHERE album = ?", arguments: [album])
        try insert(assets, Positions(first: 0, step: Self.gap))
    }
}
