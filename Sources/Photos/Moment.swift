// SPDX-License-Identifier: MIT

/// A day, or a month, in which photos were taken; its photos are an album.
package struct Moment: Hashable, Sendable {
    package enum Unit: String, CaseIterable, Sendable {
        case day, month
    }

    package let unit: Unit
    /// The day, or the first one of the month.
    package let first: CalendarDay

    /// The moment that contains a day.
    package init(_ unit: Unit, of day: CalendarDay) {
        self.unit = unit
        switch unit {
        case .day: first = day
        case .month: first = CalendarDay(year: day.year, month: day.month, day: 1) ?? day
        }
    }

    /// The moment of an album; nil if the id is that of another album.
    package init?(_ id: AlbumID) {
        guard id.rawValue.hasPrefix(Self.prefix) else { return nil }
        let numbers = id.rawValue.dropFirst(Self.prefix.count).split(separator: "-")
            .map { Int($0) ?? 0 }
        guard (2...3).contains(numbers.count),
            let day = CalendarDay(
                year: numbers[0], month: numbers[1], day: numbers.count == 3 ? numbers[2] : 1)
        else { return nil }
        self.init(numbers.count == 3 ? .day : .month, of: day)
        // Each moment has one id.
        guard self.id == id else { return nil }
    }

    /// How the ids of moments begin; the date follows.
    private static let prefix = "moment-"

    /// The id of the album, which every library has for this moment.
    package var id: AlbumID {
        guard let id = AlbumID(Self.prefix + date) else {
            preconditionFailure("\(date) cannot be in the id of an album")
        }
        return id
    }

    /// For example “2026-11-28” or “2026-11”.
    ///
    /// - Source: ISO 8601-1, 5.2.2.
    package var date: String {
        let parts = [
            Self.digits(first.year, count: 4), Self.digits(first.month, count: 2),
            Self.digits(first.day, count: 2),
        ]
        return parts.prefix(unit == .day ? 3 : 2).joined(separator: "-")
    }

    private static func digits(_ number: Int, count: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
