// SPDX-License-Identifier: MIT

/// What somebody searches for: terms that must all match.
///
/// A text is read in the same way whatever the language of the person is: words for dates, types and
/// shapes are known in English, German and Chinese. Such a word also finds photos that contain it.
/// Nothing in a text is an error.
package struct SearchQuery: Hashable, Sendable {
    /// The most characters that are read, as code points.
    package static let longestText = 1024
    /// The most terms; what follows them is ignored.
    package static let mostTerms = 32

    /// In the order of the text, each once.
    package let terms: [SearchTerm]
    /// Whether the text has something, but nothing that can be searched, such as a dash; then nothing is
    /// found.
    package let findsNothing: Bool

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - text: Of any length and with any characters. Text between quotation marks is a phrase, which
    ///     is found as it is; the last word also finds longer ones, unless a blank follows it.
    ///   - today: The day from which “yesterday” is counted.
    package init(_ text: String, today: CalendarDay) {
        let tokens = SearchToken.tokens(in: text.unicodeScalars.prefix(Self.longestText))
        var terms: [SearchTerm] = []
        var rest = tokens[...]
        while let token = rest.first, terms.count < Self.mostTerms {
            let found: [SearchTerm]
            if let (facet, count) = SearchFacet.first(in: rest, today) {
                let words = rest.prefix(count)
                found = [
                    SearchTerm(
                        words: SearchWords(
                            words.map(\.text).joined(separator: " "),
                            isPrefix: words.last?.isPrefix ?? false), facet: facet)
                ]
                rest = rest.dropFirst(count)
            } else {
                found = token.isPhrase ? [] : SearchFacet.chinese(in: token, today)
                if found.isEmpty, let words = SearchWords(token.text, isPrefix: token.isPrefix) {
                    terms.append(SearchTerm(words: words, facet: nil))
                }
                rest = rest.dropFirst()
            }
            terms += found
        }
        var seen: Set<SearchTerm> = []
        self.terms = Array(terms.filter { seen.insert($0).inserted }.prefix(Self.mostTerms))
        findsNothing = terms.isEmpty && text.unicodeScalars.contains { !$0.isBlank }
    }

    /// Whether the text is blank, so that nothing restricts what is found.
    package var isEmpty: Bool { terms.isEmpty && !findsNothing }

    /// A text that means the same without one of the terms.
    ///
    /// - Parameter today: The day with which the query was made.
    package func text(without term: SearchTerm, today: CalendarDay) -> String {
        let words = terms.filter { $0 != term }.compactMap { $0.text(today) }
        let isUnfinished = terms.last.flatMap { $0 == term ? nil : $0.words?.isPrefix } ?? false
        return words.joined(separator: " ") + (words.isEmpty || isUnfinished ? "" : " ")
    }
}

/// A part of a query: what contains the words, or is what the facet says.
package struct SearchTerm: Hashable, Sendable {
    /// Nil if the facet alone counts.
    package let words: SearchWords?
    package let facet: SearchFacet?

    package init(words: SearchWords?, facet: SearchFacet?) {
        self.words = words
        self.facet = facet
    }

    /// What to write for the term: in quotation marks if the words alone would mean something else.
    fileprivate func text(_ today: CalendarDay) -> String? {
        guard let words else { return nil }
        let plain = words.text + (words.isPrefix ? "" : " ")
        return SearchQuery(plain, today: today).terms == [self] ? words.text : "\"\(words.text)\""
    }
}

/// Words that must follow one another.
package struct SearchWords: Hashable, Sendable {
    /// Contains a letter or a digit, and no control characters.
    package let text: String
    /// Whether the last word may go on.
    package let isPrefix: Bool

    /// Nil if there is no letter and no digit in the text.
    package init?(_ text: String, isPrefix: Bool) {
        guard text.unicodeScalars.contains(where: \.isSearchable) else { return nil }
        self.text = text
        self.isPrefix = isPrefix
    }
}

/// A word of a text, or what is between two quotation marks.
struct SearchToken: Hashable {
    let text: String
    let isPhrase: Bool
    let isPrefix: Bool

    static func tokens(in text: some Sequence<Unicode.Scalar>) -> [SearchToken] {
        var tokens: [SearchToken] = []
        var current = String.UnicodeScalarView()
        var isPhrase = false
        func end(isPrefix: Bool) {
            let text = String(current)
            current = String.UnicodeScalarView()
            guard text.unicodeScalars.contains(where: { !$0.isBlank }) else { return }
            tokens.append(SearchToken(text: text, isPhrase: isPhrase, isPrefix: isPrefix))
        }
        for scalar in text {
            if scalar.isQuotationMark {
                end(isPrefix: false)
                isPhrase.toggle()
            } else if scalar.isBlank, !isPhrase {
                end(isPrefix: false)
            } else {
                // No control character reaches the database.
                current.append(scalar.isBlank ? " " : scalar)
            }
        }
        let endsWithBlank = current.last?.isBlank ?? true
        end(isPrefix: !endsWithBlank)
        return tokens
    }
}

extension Unicode.Scalar {
    var isBlank: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .spaceSeparator:
            true
        default: false
        }
    }

    /// Straight, English, German and Chinese ones.
    var isQuotationMark: Bool {
        switch self {
        case "\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{300C}", "\u{300D}", "\u{FF02}": true
        default: false
        }
    }

    /// Whether it is a part of words, as SQLite splits them.
    ///
    /// - Source: SQLite, “FTS5 Extension”, 4.3.1.
    fileprivate var isSearchable: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }
}
