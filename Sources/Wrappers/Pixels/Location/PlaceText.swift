// SPDX-License-Identifier: MIT

/// Recognizes places in text that somebody or some program wrote freely.
enum PlaceText {
    /// Words that name a position, in lower case.
    private static let words = [
        "gps", "latitude", "longitude", "iso6709", "geotag", "geo:", "location", "nmea", "$gprmc",
        "$gpgga", "$gnrmc", "$gngga",
    ]

    /// Words that do not occur in other data by chance.
    private static let longWords = [
        "latitude", "longitude", "iso6709", "$gprmc", "$gpgga", "$gnrmc", "$gngga",
    ]

    /// Whether a text tells a position: by a word, or as two numbers with several decimals.
    ///
    /// Recognizes text in Latin scripts in any encoding, also with two bytes for each character.
    static func tellsPlace(_ bytes: some Sequence<UInt8>) -> Bool {
        // Lower case, without the zeros of UTF-16.
        let text = bytes.filter { $0 != 0 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return contains(words, text) || hasPosition(text)
    }

    /// Whether data that is not text contains a long word for a position.
    static func namesPosition(_ bytes: some Sequence<UInt8>) -> Bool {
        contains(longWords, bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    }

    private static func contains(_ words: [String], _ text: [UInt8]) -> Bool {
        words.contains { text[...].firstIndex(of: Array($0.utf8), from: 0) != nil }
    }

    /// Whether two numbers with at least three decimals follow each other: `48.8584, 2.2945`,
    /// `+48.8584+002.2945/`.
    private static func hasPosition(_ text: [UInt8]) -> Bool {
        var previousEnd: Int?
        var index = 0
        while index < text.count {
            guard isDigit(text[index]) else {
                index += 1
                continue
            }
            let whole = text[index...].prefix(while: isDigit)
            let rest = text[whole.endIndex...]
            // Its indices are those of the text.
            let decimals: ArraySlice<UInt8> =
                rest.first == UInt8(ascii: ".") ? rest.dropFirst().prefix(while: isDigit) : []
            let end = decimals.isEmpty ? whole.endIndex : decimals.endIndex
            if whole.count <= 3, decimals.count >= 3 {
                if let previousEnd, index - previousEnd <= 4 { return true }
                previousEnd = end
            }
            index = end
        }
        return false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
