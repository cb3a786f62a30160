// SPDX-License-Identifier: MIT

/// Recognizes places that are written as codes, or as a path or tree of keywords: `8FW4V75V+8Q`,
/// `lat=488584000`, `Places|France|Paris`.
enum PlaceCode {
    /// Whether a text in lower case contains one.
    static func isFound(in text: [UInt8]) -> Bool {
        hasPlusCode(text) || hasWholeNumbers(text) || isPath(text) || isTree(text)
    }

    // MARK: - Plus codes

    private static let digits = Set("23456789cfghjmpqrvwx".utf8)

    /// Whether there is a plus code of an area of 14 metres, with or without the part for the region.
    ///
    /// - Source: Open Location Code Specification 1.0.
    private static func hasPlusCode(_ text: [UInt8]) -> Bool {
        text.indices.contains { plus in
            guard text[plus] == UInt8(ascii: "+") else { return false }
            let before = text[..<plus].reversed().prefix { digits.contains($0) }.count
            let after = text[(plus + 1)...].prefix { digits.contains($0) }.count
            // Letters and numbers of other words do not count as a part of it.
            let isAlone =
                !isWord(text[..<(plus - before)].last)
                && !isWord(text[(plus + 1 + after)...].first)
            // A short code could be a sum of two numbers.
            return before == 8 && (2...7).contains(after) && isAlone
        }
    }

    private static func isWord(_ byte: UInt8?) -> Bool {
        byte.map { PlaceText.isDigit($0) || (0x61...0x7A).contains($0) } ?? false
    }

    // MARK: - Numbers without a point

    private static let latitudes = ["lat", "latitude"].map { Array($0.utf8) }
    private static let longitudes = ["lon", "lng", "long", "longitude"].map { Array($0.utf8) }
    private static let fewestDigits = 5

    /// Whether a latitude and a longitude have values of many digits, as in `lat=488584000&lng=22945000`.
    private static func hasWholeNumbers(_ text: [UInt8]) -> Bool {
        latitudes.contains { hasValue($0, text) } && longitudes.contains { hasValue($0, text) }
    }

    /// Words that end like a latitude.
    private static let others = ["flat", "plat", "splat"].map { Array($0.utf8) }

    private static func hasValue(_ word: [UInt8], _ text: [UInt8]) -> Bool {
        var position = 0
        while let start = text[...].firstIndex(of: word, from: position) {
            position = start + word.count
            let before = text[..<position]
            let isOther = others.contains { other in
                before.suffix(other.count).elementsEqual(other)
                    && !isWord(before.dropLast(other.count).last)
            }
            if isOther { continue }
            let value = text[position...].drop { "e7_\"' ".utf8.contains($0) }
            guard let mark = value.first, mark == UInt8(ascii: "=") || mark == UInt8(ascii: ":")
            else { continue }
            let number = value.dropFirst().drop { "\"' -".utf8.contains($0) }
            if number.prefix(while: PlaceText.isDigit).count >= fewestDigits { return true }
        }
        return false
    }

    // MARK: - Paths

    /// The first word of a path of keywords, as programs that look up the names of places write them.
    private static let roots = [
        "place", "places", "location", "locations", "geography", "ort", "orte", "lieu", "lieux",
        "lugar", "lugares", "luogo", "luoghi",
    ].map { Array($0.utf8) }

    /// Whether a text is a path of keywords from places in general to one of them.
    private static func isPath(_ text: [UInt8]) -> Bool {
        let root = text.prefix { (0x61...0x7A).contains($0) }
        guard let mark = text.dropFirst(root.count).first,
            mark == UInt8(ascii: "|") || mark == UInt8(ascii: "/")
        else { return false }
        return roots.contains { root.elementsEqual($0) }
            && isWord(text.dropFirst(root.count + 1).first)
    }

    /// Whether a keyword, in letters of any case, means places in general.
    static func isRoot(_ keyword: some Sequence<UInt8>) -> Bool {
        let word = keyword.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            .split { $0 <= 0x20 }
        return word.count == 1 && roots.contains { $0.elementsEqual(word[0]) }
    }

    private static let categories = Array("<categories".utf8)
    private static let category = Array("<category".utf8)

    /// Whether there is a tree of keywords in which one of places in general contains others, as
    /// ACDSee writes it: `<Category Assigned="0">Places<Category Assigned="1">France</Category>`.
    private static func isTree(_ text: [UInt8]) -> Bool {
        guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: "<"),
            text[...].firstIndex(of: categories, from: 0) != nil
        else { return false }
        return text.indices.contains { end in
            guard text[end] == UInt8(ascii: ">") else { return false }
            let keyword = text[(end + 1)...].prefix(longestRoot)
                .prefix { $0 != UInt8(ascii: "<") }
            return text[keyword.endIndex...].starts(with: category) && isRoot(keyword)
        }
    }

    /// The length of the longest word for places, and blanks around it.
    private static let longestRoot = 32
}
