// SPDX-License-Identifier: MIT

// MARK: - Days for people

extension LocalTime {
    /// A day, for example “3 May 2026”; empty if there is no such day.
    package static func text(year: Int, month: Int, day: Int) -> String {
        // Translators: a day, in the notation of g_date_time_format().
        text(year, month, day, localized("%-d %B %Y"))
    }

    /// A month of a year, for example “May 2026”.
    package static func text(year: Int, month: Int) -> String {
        // Translators: a month of a year, in the notation of g_date_time_format().
        text(year, month, 1, localized("%OB %Y"))
    }

    /// A year, for example “2026”.
    package static func text(year: Int) -> String {
        // Translators: a year, in the notation of g_date_time_format().
        text(year, 1, 1, localized("%Y"))
    }

    /// A month of any year, for example “May”; with a day, for example “3 May”.
    package static func text(month: Int, day: Int?) -> String {
        // A leap year has all days.
        // Translators: a month of any year, in the notation of g_date_time_format().
        guard let day else { return text(2000, month, 1, localized("%OB")) }
        // Translators: a day of any year, in the notation of g_date_time_format().
        return text(2000, month, day, localized("%-d %B"))
    }

    private static func text(_ year: Int, _ month: Int, _ day: Int, _ format: String) -> String {
        // At noon, whatever daylight saving does.
        seconds(year: year, month: month, day: day, hour: 12, minute: 0, second: 0)
            .map { self.format($0, format) } ?? ""
    }
}
