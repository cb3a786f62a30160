// SPDX-License-Identifier: MIT

internal import Desktop
internal import Photos

extension SuggestionSearch {
    /// The most years that are looked at, and the most suggestions.
    private static let (mostYears, mostDates) = (60, 4)

    /// Years and months that have photos, the latest first.
    func dates() throws -> [SearchSuggestion] {
        guard let wanted = SuggestedDates(word) else { return [] }
        let dates = try photos.dates()
        var suggestions: [SearchSuggestion] = []
        // Dates after the year 9999 are none.
        var end = CalendarDay(year: 9999, month: 12, day: 31)?.secondsSince1970 ?? Int64.max
        for _ in 0..<Self.mostYears {
            guard let date = try dates.latest(before: end),
                let year = LocalTime.day(of: date)?.year, let whole = DayRange(year: year)
            else { break }
            end = whole.first.secondsSince1970
            for date in wanted.dates(in: year) {
                guard suggestions.count < Self.mostDates else { return suggestions }
                if let suggestion = try suggestion(date, dates) { suggestions.append(suggestion) }
            }
        }
        return suggestions
    }

    private func suggestion(_ date: SuggestedDates.Date, _ dates: SuggestedPhotoDates) throws
        -> SearchSuggestion?
    {
        let first = date.range.first.secondsSince1970
        let end = date.range.end.secondsSince1970
        guard first < end else { return nil }
        let (count, hasMore) = Self.bounded(try dates.count(in: first..<end))
        guard count > 0 else { return nil }
        return SearchSuggestion(
            kind: .date, title: date.title, count: count, hasMore: hasMore,
            text: word.replaced(by: date.text, andWordsBefore: wordsBefore(in: date.title)))
    }
}

/// The years and months that begin with a word.
struct SuggestedDates {
    struct Date {
        let range: DayRange
        /// In the words of the person.
        let title: String
        /// What to write for it in a search.
        let text: String
    }

    private enum Wanted {
        /// Years that begin with these digits.
        case years(String)
        /// Months whose titles begin with this, in the year with these digits.
        case monthsOfYear(String, title: String)
        /// These months of every year.
        case months(Set<Int>)
    }

    private let wanted: Wanted

    /// Nil if no date begins with the word, or too many do.
    init?(_ word: UnfinishedWord) {
        let text = SearchText.folded(word.text)
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        // A single character begins too many of them.
        guard text.count >= 2 else { return nil }
        if digits.count == 4 {
            wanted = .monthsOfYear(String(digits), title: text)
        } else if digits.count == text.count, digits.count < 4,
            digits.hasPrefix("18") || digits.hasPrefix("19") || digits.hasPrefix("2")
        {
            wanted = .years(text)
        } else {
            let titled = (1...12).filter {
                SearchText.hasWord(text, in: LocalTime.text(month: $0, day: nil))
            }
            let months = UnfinishedWord.months(beginningWith: text).union(titled)
            guard !months.isEmpty else { return nil }
            wanted = .months(months)
        }
    }

    /// The dates in a year, the latest first.
    func dates(in year: Int) -> [Date] {
        switch wanted {
        case .years(let digits):
            guard "\(year)".hasPrefix(digits), let range = DayRange(year: year) else { return [] }
            return [Date(range, LocalTime.text(year: year), numeric: "\(year)")]
        case .monthsOfYear(let digits, let text):
            guard "\(year)" == digits else { return [] }
            return months(Set(1...12), of: year).filter { SearchText.hasWord(text, in: $0.title) }
        case .months(let months): return self.months(months, of: year)
        }
    }

    private func months(_ months: Set<Int>, of year: Int) -> [Date] {
        months.sorted(by: >).compactMap { month in
            DayRange(year: year, month: month).map { range in
                let number = month < 10 ? "0\(month)" : "\(month)"
                return Date(
                    range, LocalTime.text(year: year, month: month), numeric: "\(year)-\(number)")
            }
        }
    }
}

extension SuggestedDates.Date {
    /// - Parameter numeric: What a search understands in place of a title in a language that it does not
    ///   know.
    fileprivate init(_ range: DayRange, _ title: String, numeric: String) {
        let facets = SearchQuery("\(title) ", today: .today).terms.map(\.facet)
        self.init(range: range, title: title, text: facets == [.days([range])] ? title : numeric)
    }
}
