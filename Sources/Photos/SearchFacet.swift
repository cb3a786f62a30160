// SPDX-License-Identifier: MIT

/// What a photo is, apart from its words.
package enum SearchFacet: Hashable, Sendable {
    /// Taken in one of these ranges.
    case days([DayRange])
    /// Taken in a month of any year; on one of its days if there is one.
    case everyYear(month: Int, day: Int?)
    case picture
    case video
    case animation
    case live
    case burst
    case raw
    /// Of one of these types.
    case types([MediaType])
    case portrait
    case landscape
    case square
    case hasPlace
    case favorite
}

extension SearchFacet {
    /// The most words of a facet.
    private static let mostWords = 4

    /// The facet that the first words mean, as many of them as possible, and their number.
    static func first(
        in tokens: ArraySlice<SearchToken>, _ today: CalendarDay
    ) -> (SearchFacet, Int)? {
        let words = tokens.prefix(mostWords).prefix { !$0.isPhrase }.map { plain($0.text) }
        for count in stride(from: words.count, to: 0, by: -1) {
            let text = words.prefix(count).joined(separator: " ")
            if let days = SearchWordList.relativeDays[text], let facet = days.facet(today) {
                return (facet, count)
            }
            if let facet = SearchWordList.facets[text] { return (facet, count) }
            if let date = SearchDate.facet(Array(words.prefix(count))) { return (date, count) }
        }
        guard let word = words.first, let type = MediaType.ofExtension(word) else { return nil }
        return (.types([type]), 1)
    }

    /// A word as the lists have it: in lower case, without dots and commas at its end and marks on its
    /// letters.
    private static func plain(_ word: String) -> String {
        let marks: [Character: String] = [
            "ä": "a", "ö": "o", "ü": "u", "ß": "ss", "é": "e", "Ä": "a", "Ö": "o", "Ü": "u",
        ]
        let text = word.lowercased().map { marks[$0] ?? String($0) }.joined()
        return String(text.reversed().drop { ",;.!?".contains($0) }.reversed())
    }

    /// The facets at the beginning of a Chinese word, which has no blanks between its parts, and the
    /// rest of it; empty if it does not begin with one.
    static func chinese(in token: SearchToken, _ today: CalendarDay) -> [SearchTerm] {
        var terms: [SearchTerm] = []
        var rest = token.text[...]
        while !rest.isEmpty, let (facet, end) = chineseFacet(in: rest, today) {
            let words = SearchWords(
                String(rest[..<end]), isPrefix: token.isPrefix && end == rest.endIndex)
            terms.append(SearchTerm(words: words, facet: facet))
            rest = rest[end...]
            // “Last year's photos.”
            if rest.first == "的" { rest = rest.dropFirst() }
        }
        guard !terms.isEmpty else { return [] }
        if let words = SearchWords(String(rest), isPrefix: token.isPrefix) {
            terms.append(SearchTerm(words: words, facet: nil))
        }
        return terms
    }

    private static func chineseFacet(
        in text: Substring, _ today: CalendarDay
    ) -> (SearchFacet, String.Index)? {
        for count in stride(from: min(SearchWordList.longestChinese, text.count), to: 0, by: -1) {
            let part = text.prefix(count)
            if let days = SearchWordList.relativeDays[String(part)], let facet = days.facet(today) {
                return (facet, part.endIndex)
            }
            if let facet = SearchWordList.facets[String(part)] { return (facet, part.endIndex) }
        }
        return SearchDate.chinese(in: text)
    }
}

extension MediaType {
    /// The types of files with what the sensor of a camera measured.
    package static let rawTypes: [MediaType] = [
        .canonRaw2, .canonRaw3, .adobeDNG, .nikonRaw, .sonyRaw, .pentaxRaw, .fujiRaw,
        .panasonicRaw, .olympusRaw,
    ]
}
