// SPDX-License-Identifier: MIT

internal import GRDB

/// When the photos were taken among which suggestions find something.
enum SuggestedPhotoDates {
    /// Their dates, the latest first; only so many of them if there are more.
    case read([Int64], isComplete: Bool)
    /// All photos that these are, whose dates have an index.
    case found(FoundPhotos, Database)

    /// A time before another one that is at least as late as the latest of these dates before it; nil if
    /// there is none.
    func latest(before end: Int64) throws -> Int64? {
        switch self {
        case .read(let dates, _): dates.first { $0 < end }
        case .found(_, let database):
            // Of all photos: a year without any of these does no harm.
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT date FROM asset WHERE file IS NOT NULL AND date < ?
                        ORDER BY date DESC LIMIT 1
                        """), arguments: [end])
        }
    }

    /// How many photos were taken in a time, at most one more than is counted; 0 if not all of them were
    /// read.
    func count(in time: Range<Int64>) throws -> Int {
        switch self {
        case .read(let dates, let isComplete):
            guard isComplete || dates.last.map({ $0 < time.lowerBound }) ?? false else { return 0 }
            return dates.count { time.contains($0) }
        case .found(let found, let database):
            return try found.count(
                "date >= ? AND date < ?", [time.lowerBound, time.upperBound], in: database)
        }
    }
}
