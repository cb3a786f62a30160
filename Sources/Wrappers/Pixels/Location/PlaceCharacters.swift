// SPDX-License-Identifier: MIT

/// The characters of a text as its reader sees them, without what links and markup make of them.
enum PlaceCharacters {
    /// How often a text may have been escaped: `&amp;deg;` is a degree in a page in a feed.
    private static let maximumDepth = 3
    /// More bytes than the longest reference, to the last character of Unicode.
    private static let maximumReference = 10

    /// The names of characters that stand in positions, and of those of the words beside them; in
    /// Latin-1, because positions consist of its characters.
    ///
    /// - Source: HTML, 13.5, “Named character references”.
    private static let names: [String: UInt8] = [
        "deg": 0xB0, "ordm": 0xBA, "prime": 0x27, "Prime": 0x22, "rsquo": 0x27, "rdquo": 0x22,
        "lsquo": 0x27, "ldquo": 0x22, "acute": 0xB4, "quot": 0x22, "apos": 0x27, "amp": 0x26,
        "lt": 0x3C, "gt": 0x3E, "nbsp": 0x20, "comma": 0x2C, "period": 0x2E, "semi": 0x3B,
        "colon": 0x3A, "minus": 0x2D, "equals": 0x3D, "lpar": 0x28, "rpar": 0x29, "plus": 0x2B,
        "sol": 0x2F, "num": 0x23, "auml": 0xE4, "Auml": 0xC4,
    ]
    /// Characters that Latin-1 lacks, and what stands for them in positions.
    private static let others: [UInt32: UInt8] = [
        0xA0: 0x20, 0x2019: 0x27, 0x201D: 0x22, 0x2032: 0x27, 0x2033: 0x22, 0x2212: 0x2D,
    ]

    /// The characters without the zeros of UTF-16, and those that are escaped in a link or in markup.
    static func plain(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var text = withoutZeros(Array(bytes))
        for _ in 0..<maximumDepth {
            guard let next = unescaped(text) else { return text }
            text = next
        }
        return text
    }

    /// The names of encodings before a text in EXIF data and in comments.
    private static let encodings = ["ASCII\0\0\0", "UNICODE\0"].map { Array($0.utf8) }

    /// The text without the zeros of UTF-16 and UTF-32, and with spaces for those that separate texts.
    private static func withoutZeros(_ text: [UInt8]) -> [UInt8] {
        guard var start = text.firstIndex(of: 0) else { return text }
        var plain = Array(text[..<start])
        plain.reserveCapacity(text.count)
        // What follows is no part of the same word.
        if encodings.contains(where: { text.starts(with: $0) }) { plain.append(UInt8(ascii: " ")) }
        while start < text.endIndex {
            let count = text[start...].prefix { $0 == 0 }.count
            let end = start + count
            let follow = text[..<start].suffix(2).filter { $0 >= 0x20 }.count == 2
            let precede = text[end...].prefix(2).filter { $0 != 0 }.count == 2
            let isSeparator =
                switch count {
                case 1: follow && precede
                case 3: follow || precede
                default: true
                }
            if isSeparator { plain.append(UInt8(ascii: " ")) }
            start = text[end...].firstIndex(of: 0) ?? text.endIndex
            plain += text[end..<start]
        }
        return plain
    }

    /// The text with the characters in place of their references; nil if there are none.
    ///
    /// - Source: RFC 3986, 2.1; HTML, 13.2.5.
    private static func unescaped(_ text: [UInt8]) -> [UInt8]? {
        guard var next = text.firstIndex(where: { $0 == percent || $0 == ampersand }) else {
            return nil
        }
        var plain = Array(text[..<next])
        var isChanged = false
        while next < text.endIndex {
            if let (character, count) = reference(at: next, in: text) {
                if character != 0 { plain.append(character) }
                next += count
                isChanged = true
            } else {
                plain.append(text[next])
                next += 1
            }
        }
        return isChanged ? plain : nil
    }

    private static let percent = UInt8(ascii: "%")
    private static let ampersand = UInt8(ascii: "&")

    /// The character that is escaped at an offset, and the length of the reference to it.
    private static func reference(at index: Int, in text: [UInt8]) -> (UInt8, count: Int)? {
        switch text[index] {
        case percent:
            guard index + 2 < text.endIndex, let high = text[index + 1].hexadecimalValue,
                let low = text[index + 2].hexadecimalValue
            else { return nil }
            return (high << 4 | low, 3)
        case ampersand:
            let name = text[(index + 1)...].prefix(maximumReference)
                .prefix { $0 != UInt8(ascii: ";") }
            guard name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: ";"),
                let character = character(String(decoding: name, as: UTF8.self))
            else { return nil }
            return (character, name.count + 2)
        default: return nil
        }
    }

    private static func character(_ name: String) -> UInt8? {
        if let known = names[name] { return known }
        let number =
            if name.hasPrefix("#x") || name.hasPrefix("#X") {
                UInt32(name.dropFirst(2), radix: 16)
            } else if name.hasPrefix("#") {
                UInt32(name.dropFirst())
            } else {
                UInt32?.none
            }
        return number.flatMap { others[$0] ?? UInt8(exactly: $0) }
    }
}
