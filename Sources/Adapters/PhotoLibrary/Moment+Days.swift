// SPDX-License-Identifier: MIT

internal import GRDB
internal import Photos

extension Moment {
    /// Its days in the column `day`; some of a month do not exist.
    var numbers: ClosedRange<Int> {
        let number = PhotoDay.number(of: first)
        return switch unit {
        case .day: number...number
        case .month: number...number + 30
        }
    }

    /// The kind of its album.
    var kind: Album.Kind { unit.kind }

    /// The moments of a photo with this number in the column `day`.
    static func all(of number: Int) -> [Moment] {
        guard let day = PhotoDay.day(number) else { return [] }
        return Unit.allCases.map { Moment($0, of: day) }
    }

    /// The moments of all photos.
    static func all(in database: Database) throws -> Set<Moment> {
        let days = try Int.fetchAll(
            database, sql: "SELECT DISTINCT day FROM asset WHERE file IS NOT NULL AND inAll = 1")
        return Set(days.flatMap { all(of: $0) })
    }
}

extension Moment.Unit {
    /// The kind of the albums.
    var kind: Album.Kind {
        switch self {
        case .day: .day
        case .month: .month
        }
    }
}
