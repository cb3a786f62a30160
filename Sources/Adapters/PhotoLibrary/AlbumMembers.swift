// SPDX-License-Identifier: MIT

internal import GRDB

/// The photos of an album that people fill, in its order: the rows of the table `member`.
///
/// Photos whose files are gone keep their place, so that they are there again when the files are; the
/// positions that apps know do not count them.
///
/// One of these is used for all operations of a change set on an album: what it reads of a large album is
/// kept up to date by what it does.
struct AlbumMembers {
    let album: Int64
    let database: Database
    private var storedCount: Int?
    /// The photos in their order; nil until it has been looked at more than once.
    private var order: [Member]?
    private var lookCount = 0

    private struct Member {
        let asset: Int64
        let position: Int64
        /// Whether it has a file.
        let isVisible: Bool
    }

    init(album: Int64, database: Database) {
        self.album = album
        self.database = database
    }

    /// The distance between the positions of two photos that were appended one after another.
    private static let gap: Int64 = 1 << 40

    // An album may get 10,000 photos at once: each step is one statement for all of them.

    /// Those photos that the album does not have, in the same order.
    mutating func missing(_ assets: [Int64]) throws -> [Int64] {
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
    mutating func count() throws -> Int {
        if let storedCount { return storedCount }
        let count =
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM member WHERE album = ?"),
                arguments: [album]) ?? 0
        storedCount = count
        return count
    }

    /// The photos that have files.
    func visibleCount() throws -> Int {
        if let order { return order.count { $0.isVisible } }
        return try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*) FROM member JOIN asset ON asset.id = member.asset
                    WHERE album = ? AND file IS NOT NULL
                    """), arguments: [album]) ?? 0
    }

    /// - Returns: How many of the photos the album had.
    mutating func remove(_ assets: [Int64]) throws -> Int {
        try database.cachedStatement(
            sql: """
                DELETE FROM member
                WHERE album = ? AND asset IN (SELECT value FROM json_each(?))
                """
        ).execute(arguments: [album, assets.rowList])
        let count = database.changesCount
        guard count > 0 else { return 0 }
        storedCount = storedCount.map { $0 - count }
        let removed = Set(assets)
        order?.removeAll { removed.contains($0.asset) }
        return count
    }

    /// Inserts photos that the album does not have.
    ///
    /// - Parameter index: A position among the photos that have files; nil for the end.
    /// - Returns: False, and nothing is inserted, if there is no such position.
    mutating func insert(_ assets: [Int64], at index: Int?) throws -> Bool {
        guard let place = try place(of: index) else { return false }
        guard !assets.isEmpty else { return true }
        if let positions = try positions(count: assets.count, before: place) {
            try insert(assets, positions, before: place)
            return true
        }
        try spread()
        guard let place = try self.place(of: index) else { return false }
        guard let positions = try positions(count: assets.count, before: place) else {
            throw DatabaseError(message: "no room in an album")
        }
        try insert(assets, positions, before: place)
        return true
    }

    private mutating func insert(
        _ assets: [Int64], _ positions: Positions, before place: Place
    ) throws {
        try store(assets, positions)
        storedCount = storedCount.map { $0 + assets.count }
        guard order != nil else { return }
        let members = zip(assets, 0...).map { asset, number in
            Member(
                asset: asset, position: positions.first + positions.step * Int64(number),
                isVisible: true)
        }
        switch place {
        case .end: order?.append(contentsOf: members)
        case .before(let position):
            guard let next = order?.firstIndex(where: { $0.position == position }) else {
                throw DatabaseError(message: "an album without its own order")
            }
            order?.insert(contentsOf: members, at: next)
        }
    }

    private func store(_ assets: [Int64], _ positions: Positions) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO member (album, position, asset)
                SELECT ?, ? + ? * key, value FROM json_each(?)
                """
        ).execute(arguments: [album, positions.first, positions.step, assets.rowList])
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
    private mutating func place(of index: Int?) throws -> Place? {
        guard let index else { return .end }
        lookCount += 1
        // A single look reads as much of the album as it needs.
        if order == nil, lookCount > 1 { order = try readOrder() }
        let position: Int64? =
            if let order {
                order.lazy.filter(\.isVisible).dropFirst(index).first?.position
            } else {
                try Int64.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT position FROM member JOIN asset ON asset.id = member.asset
                            WHERE album = ? AND file IS NOT NULL
                            ORDER BY position LIMIT 1 OFFSET ?
                            """), arguments: [album, index])
            }
        if let position { return .before(position) }
        return try index == visibleCount() ? .end : nil
    }

    private func readOrder() throws -> [Member] {
        var order: [Member] = []
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT member.asset, position, file IS NOT NULL
                    FROM member JOIN asset ON asset.id = member.asset
                    WHERE album = ? ORDER BY position
                    """), arguments: [album])
        while let row = try rows.next() {
            order.append(
                Member(
                    asset: try row.decode(atIndex: 0), position: try row.decode(atIndex: 1),
                    isVisible: try row.decode(atIndex: 2)))
        }
        return order
    }

    /// Free positions for so many photos; nil if the gap is too small.
    private func positions(count: Int, before place: Place) throws -> Positions? {
        let count = Int64(count)
        switch place {
        case .end:
            let last = try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT max(position) FROM member WHERE album = ?"), arguments: [album])
            let start = last ?? -Self.gap
            guard start < .max / 2 else { return nil }
            return Positions(first: start + Self.gap, step: Self.gap)
        case .before(let next):
            let previous = try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT max(position) FROM member WHERE album = ? AND position < ?"),
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
    private mutating func spread() throws {
        let assets = try Int64.fetchAll(
            database, sql: "SELECT asset FROM member WHERE album = ? ORDER BY position",
            arguments: [album])
        try database.execute(sql: "DELETE FROM member WHERE album = ?", arguments: [album])
        try store(assets, Positions(first: 0, step: Self.gap))
        if order != nil { order = try readOrder() }
    }
}
