// SPDX-License-Identifier: MIT

/// A day of the Gregorian calendar, in whatever time zone.
package struct CalendarDay: Hashable, Comparable, Sendable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// Nil if there is no such day in the years 1800 to 9999.
    package init?(year: Int, month: Int, day: Int) {
        guard
            CaptureDate(year: year, month: month, day: day, hour: 0, minute: 0, second: 0) != nil
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    private init(year: Int) { (self.year, month, day) = (year, 1, 1) }

    /// 1 January 1970.
    package static let beginning = CalendarDay(year: 1970)

    /// The first day of a month; months beyond December are in later years, those before January in
    /// earlier ones.
    package init?(year: Int, monthFromJanuary month: Int) {
        let (years, rest) = (month - 1).quotientAndRemainder(dividingBy: 12)
        let isBefore = rest < 0
        self.init(
            year: year + years - (isBefore ? 1 : 0), month: rest + (isBefore ? 13 : 1), day: 1)
    }

    /// A day some days later, or earlier if the number is negative; nil before 1800 and after 9999.
    package func adding(days: Int) -> CalendarDay? { CalendarDay(number: number + days) }

    /// 0 on a Monday, 6 on a Sunday.
    package var weekday: Int { (number % 7 + 7 + 3) % 7 }

    package static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// The days since 1 January 1970, which was a Thursday.
    private var number: Int {
        let date = CaptureDate(
            year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
        return Int((date?.secondsIfUTC ?? 0) / Self.secondsOfDay)
    }

    private static let secondsOfDay: Int64 = 86_400

    /// - Source: The inverse of ``CaptureDate/secondsIfUTC``, for all years.
    private init?(number: Int) {
        // The calendar repeats after 400 years, which are 146,097 days.
        let cycles = number < 0 ? -(number / 146_097) + 1 : 0
        let shifted = Int64(number + cycles * 146_097) * Self.secondsOfDay
        guard let date = CaptureDate(secondsInUTC: shifted) else { return nil }
        self.init(year: date.year - cycles * 400, month: date.month, day: date.day)
    }
}

/// Days that follow one another.
package struct DayRange: Hashable, Sendable {
    package let first: CalendarDay
    /// The day after the last one.
    package let end: CalendarDay

    /// Nil if there is no day between the two.
    package init?(_ first: CalendarDay?, upTo end: CalendarDay?) {
        guard let first, let end, first < end else { return nil }
        self.first = first
        self.end = end
    }

    package init?(day: CalendarDay?) { self.init(day, upTo: day?.adding(days: 1)) }

    package init?(year: Int) {
        self.init(
            CalendarDay(year: year, month: 1, day: 1),
            upTo: CalendarDay(year: year + 1, month: 1, day: 1))
    }

    package init?(year: Int, month: Int) {
        guard (1...12).contains(month) else { return nil }
        self.init(
            CalendarDay(year: year, month: month, day: 1),
            upTo: CalendarDay(year: year, monthFromJanuary: month + 1))
    }
}
