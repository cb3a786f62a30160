// SPDX-License-Identifier: MIT

/// Dates as people write them.
enum SearchDate {
    /// The years that a number can mean: since the first photograph.
    private static let years = 1826...2199

    /// The facet that all of these words mean together; nil if they are no date.
    ///
    /// `2019`, `october`, `october 2019`, `2019 october`, `3 october`, `october 3 2019`, `2019-10`,
    /// `2019-10-03`, `10/2019`, `3.10.2019`. A day such as `3/10/2019` is read in both ways.
    static func facet(_ words: [String]) -> SearchFacet? {
        switch words.count {
        case 1: return month(words[0]).map { .everyYear(month: $0, day: nil) } ?? numeric(words[0])
        case 2:
            if let month = month(words[0]) {
                return year(words[1]).flatMap { days(year: $0, month) }
                    ?? day(words[1], month).map { .everyYear(month: month, day: $0) }
            }
            guard let month = month(words[1]) else { return nil }
            return year(words[0]).flatMap { days(year: $0, month) }
                ?? day(words[0], month).map { .everyYear(month: month, day: $0) }
        case 3:
            guard let year = year(words[2]) else { return nil }
            if let month = month(words[0]), let day = day(words[1], month) {
                return days(year: year, month, day)
            }
            if let month = month(words[1]), let day = day(words[0], month) {
                return days(year: year, month, day)
            }
            return nil
        default: return nil
        }
    }

    private static func month(_ word: String) -> Int? { SearchWordList.months[word] }

    private static func year(_ word: String) -> Int? {
        number(word, digits: 4...4).flatMap { years.contains($0) ? $0 : nil }
    }

    /// `3`, `3rd`; a dot at the end is gone.
    private static func day(_ word: String, _ month: Int) -> Int? {
        let ordinal = ["st", "nd", "rd", "th"].contains { word.hasSuffix($0) }
        let day = number(ordinal ? String(word.dropLast(2)) : word, digits: 1...2)
        // A leap year has all days.
        return day.flatMap { CalendarDay(year: 2000, month: month, day: $0)?.day }
    }

    private static func days(year: Int, _ month: Int, _ day: Int? = nil) -> SearchFacet? {
        let range =
            if let day {
                DayRange(day: CalendarDay(year: year, month: month, day: day))
            } else {
                DayRange(year: year, month: month)
            }
        return range.map { .days([$0]) }
    }

    private static func numeric(_ word: String) -> SearchFacet? {
        if let year = year(word) { return DayRange(year: year).map { .days([$0]) } }
        guard let mark = word.first(where: { "-./:".contains($0) }) else { return nil }
        let parts = word.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
        if let first = parts.first, let year = year(first) {
            guard let month = parts.dropFirst().first.flatMap({ number($0, digits: 1...2) }) else {
                return nil
            }
            if parts.count == 2 { return days(year: year, month) }
            guard parts.count == 3, let day = number(parts[2], digits: 1...2) else { return nil }
            return days(year: year, month, day)
        }
        guard let last = parts.last, let year = year(last) else { return nil }
        let numbers = parts.dropLast().compactMap { number($0, digits: 1...2) }
        guard numbers.count == parts.count - 1 else { return nil }
        switch numbers.count {
        case 1: return days(year: year, numbers[0])
        case 2:
            let days = CalendarDay(year: year, month: numbers[1], day: numbers[0])
            // Only in America the month is first, and always with slashes.
            let american =
                mark == "/" ? CalendarDay(year: year, month: numbers[0], day: numbers[1]) : nil
            let ranges = Set([days, american]).compactMap { DayRange(day: $0) }
            return ranges.isEmpty ? nil : .days(ranges.sorted { $0.first < $1.first })
        default: return nil
        }
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }

    // MARK: - Chinese

    private static let chineseMonths = [
        "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
        "十一": 11, "十二": 12,
    ]

    private static func chineseMonth(_ word: String) -> Int? {
        let month = chineseMonths[word] ?? number(word, digits: 1...2) ?? 0
        return (1...12).contains(month) ? month : nil
    }

    /// The date at the beginning of a text, `2019年10月3日` or a part of it, and where it ends.
    static func chinese(in text: Substring) -> (SearchFacet, String.Index)? {
        var rest = text
        let year = part(of: &rest, before: "年").flatMap { self.year($0) }
        if year == nil { rest = text }
        let beforeMonth = rest
        let month = part(of: &rest, before: "月").flatMap { chineseMonth($0) }
        guard let month else {
            guard let year, let range = DayRange(year: year) else { return nil }
            return (.days([range]), beforeMonth.startIndex)
        }
        let beforeDay = rest
        let day = (part(of: &rest, before: "日") ?? part(of: &rest, before: "号"))
            .flatMap { self.day($0, month) }
        let end = day == nil ? beforeDay.startIndex : rest.startIndex
        guard let year else { return (.everyYear(month: month, day: day), end) }
        return days(year: year, month, day).map { ($0, end) }
    }

    /// Takes the part before a character, and the character; nil, and nothing is taken, if it does not
    /// follow soon.
    private static func part(of text: inout Substring, before mark: Character) -> String? {
        let head = text.prefix(5)
        guard let end = head.firstIndex(of: mark) else { return nil }
        defer { text = text[text.index(after: end)...] }
        return String(text[..<end])
    }
}
