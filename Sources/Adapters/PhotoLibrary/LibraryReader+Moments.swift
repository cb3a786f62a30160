// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
package import Photos

extension LibraryReader {
    /// The days, or months, in which photos of a view were taken, the newest first.
    ///
    /// Counts and covers of all photos are stored; those of the photos that an app was given are worked out
    /// from the photos.
    ///
    /// - Parameters:
    ///   - offset: The position of the first one, 0 or more; there is nothing behind the last one.
    ///   - limit: The most of them, 0 or more.
    /// - Returns: Some of them, and the number of all.
    package func moments(
        _ unit: Moment.Unit, _ filter: MediaFilter, in view: LibraryView, from offset: Int,
        limit: Int
    ) async throws(LibraryError) -> (moments: [Album], total: Int) {
        try await read("read the moments") { database in
            guard view == .everything else {
                let given = try Album.moments(unit, filter, in: view, database)
                return (Array(given.dropFirst(offset).prefix(limit)), given.count)
            }
            let (moments, total) = try AlbumSummary.moments(
                unit, filter, from: offset, limit: limit, in: database)
            return (moments.compactMap(\.album), total)
        }
    }
}

extension Album {
    /// All moments of the photos that an app was given.
    fileprivate static func moments(
        _ unit: Moment.Unit, _ filter: MediaFilter, in view: LibraryView, _ database: Database
    ) throws -> [Album] {
        let (types, seen) = (filter.sql(withRaws: false), view.sql)
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT day, key FROM asset
                WHERE \(seen.presence) AND \(types.text) AND \(seen.text)
                ORDER BY day / ? DESC, date DESC, id DESC
                """, arguments: types.arguments + seen.arguments + [unit.days])
        var found: [(moment: Moment, count: Int, cover: AssetID?)] = []
        while let row = try rows.next() {
            guard let day = PhotoDay.day(try row.decode(atIndex: 0)) else { continue }
            let moment = Moment(unit, of: day)
            if let last = found.indices.last, found[last].moment == moment {
                found[last].count += 1
            } else {
                let cover = AssetID(bytes: try row.decode(Data.self, atIndex: 1))
                found.append((moment, 1, cover))
            }
        }
        return found.map { moment, count, cover in
            Album(id: moment.id, kind: moment.kind, title: "", count: count, cover: cover)
        }
    }
}

extension Moment.Unit {
    /// By how much the numbers of ``PhotoDay`` are divided so that those of a moment are equal.
    fileprivate var days: Int {
        switch self {
        case .day: 1
        case .month: 100
        }
    }
}
