// SPDX-License-Identifier: MIT

/// The word at the end of a search that a person is typing.
package struct UnfinishedWord: Hashable, Sendable {
    /// What is typed of it, which contains a letter or a digit and no quotation mark.
    package let text: String
    /// The search before the word; empty, or it ends with a blank or a quotation mark.
    package let before: String

    /// Nil if no word is unfinished, because a blank or a quotation mark has ended it, and in a text that
    /// is longer than what a search reads.
    ///
    /// After an opening quotation mark, everything that follows it counts as one word.
    package init?(in text: String) {
        let scalars = text.unicodeScalars
        guard
            scalars.index(
                scalars.startIndex, offsetBy: SearchQuery.longestText + 1,
                limitedBy: scalars.endIndex) == nil
        else { return nil }
        var start = scalars.startIndex
        // Where the word begins, without the quotation mark before it.
        var wordStart = start
        var isPhrase = false
        for index in scalars.indices {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            if scalar.isQuotationMark {
                isPhrase.toggle()
                (start, wordStart) = (isPhrase ? index : next, next)
            } else if scalar.isBlank, !isPhrase {
                (start, wordStart) = (next, next)
            }
        }
        // No control character reaches the database.
        var characters = String.UnicodeScalarView()
        for scalar in scalars[wordStart...] { characters.append(scalar.isBlank ? " " : scalar) }
        let word = String(characters)
        guard SearchWords(word, isPrefix: true) != nil else { return nil }
        self.text = word
        before = String(scalars[..<start])
    }

    /// The search with a text in place of the word, and a blank that ends it.
    ///
    /// - Parameters:
    ///   - replacement: What takes the place of the word; nothing if it is empty.
    ///   - count: How many words before it are replaced as well.
    package func replaced(by replacement: String, andWordsBefore count: Int = 0) -> String {
        var kept = before[...]
        for _ in 0..<count {
            kept = kept.dropLastWhile(\.isWhitespace).dropLastWhile { !$0.isWhitespace }
        }
        // Something that is no blank ends with a quotation mark.
        if !replacement.isEmpty, let last = kept.last, !last.isWhitespace { kept += " " }
        return kept + (replacement.isEmpty ? "" : replacement + " ")
    }

    /// The plain words before this one, the last ones of the text, without any that are quoted.
    package var wordsBefore: [String] {
        let end =
            before.unicodeScalars.lastIndex { $0.isQuotationMark }
            .map { before.unicodeScalars.index(after: $0) } ?? before.startIndex
        return before[end...].split(whereSeparator: \.isWhitespace).map(String.init)
    }
}

extension SearchWords {
    /// A text in quotation marks, so that it means itself; nil if it has no word.
    ///
    /// Quotation marks inside it separate words, as they do in what is searched.
    package static func quoted(_ text: String) -> String? {
        guard SearchWords(text, isPrefix: false) != nil else { return nil }
        var words = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            words.append(scalar.isQuotationMark || scalar.isBlank ? " " : scalar)
        }
        return "\"\(String(words))\""
    }
}

extension Substring {
    fileprivate func dropLastWhile(_ predicate: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}

extension UnfinishedWord {
    /// The months with a name in English, German or a common abbreviation that begins with a text, which
    /// is in lower case and without marks on its letters.
    package static func months(beginningWith text: String) -> Set<Int> {
        Set(SearchWordList.months.filter { $0.key.hasPrefix(text) }.values)
    }
}
