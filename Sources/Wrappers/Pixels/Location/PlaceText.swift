// SPDX-License-Identifier: MIT

/// Recognizes places in text that somebody or some program wrote freely.
enum PlaceText {
    /// Words that name a position, in lower case.
    private static let words = [
        "gps", "latitude", "longitude", "iso6709", "geotag", "geo:", "location", "nmea", "$gprmc",
        "$gpgga", "$gnrmc", "$gngga",
    ]

    /// Links to a place on a map.
    private static let links = [
        "maps.google", "google.com/maps", "goo.gl/maps", "maps.app.goo.gl", "maps.apple.com",
        "openstreetmap.org", "osm.org/", "what3words.com", "w3w.co/",
    ]

    /// Words that do not occur in other data by chance.
    private static let longWords = [
        "latitude", "longitude", "iso6709", "$gprmc", "$gpgga", "$gnrmc", "$gngga",
    ]

    /// Keywords of Flickr, whose values are numbers.
    private static let keywords = ["geo:lat", "geo:lon"]

    /// Whether a name, or data of some program, tells a position: by a word, or by coordinates.
    ///
    /// Recognizes text in Latin scripts in any encoding, also with two bytes for each character.
    static func tellsPlace(_ bytes: some Sequence<UInt8>) -> Bool {
        let text = lowercased(bytes)
        return contains(words, text) || tellsCoordinates(text)
    }

    /// Whether a text that somebody wrote tells a position: by coordinates, or by a word with a value.
    ///
    /// A word such as “location” alone means nothing.
    static func describesPlace(_ bytes: some Sequence<UInt8>) -> Bool {
        let original = bytes.filter { $0 != 0 }
        let text = lowercased(original)
        return contains(longWords, text)
            || words.contains { hasValue(Array($0.utf8), text, original) }
            || tellsCoordinates(text)
    }

    /// Whether a text tells coordinates, or names them; other words for places do not count.
    static func tellsPosition(_ bytes: some Sequence<UInt8>) -> Bool {
        let text = lowercased(bytes)
        return contains(longWords, text) || tellsCoordinates(text)
    }

    /// Whether data that is not text contains a long word for a position.
    static func namesPosition(_ bytes: some Sequence<UInt8>) -> Bool {
        contains(longWords, bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    }

    /// Lower case, without the zeros of UTF-16.
    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.filter { $0 != 0 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func contains(_ words: [String], _ text: [UInt8]) -> Bool {
        words.contains { text[...].firstIndex(of: Array($0.utf8), from: 0) != nil }
    }

    private static func tellsCoordinates(_ text: [UInt8]) -> Bool {
        contains(keywords, text) || contains(links, text) || hasURI(text) || hasPosition(text)
            || hasAngle(text) || CompassReader.findsPosition(text)
            || PlaceCode.isFound(in: text)
    }

    // MARK: - Words

    /// What stands between a word and its value: `Location: Paris`, `"location" = "Paris"`.
    private static let marks = Set(":=>([{<|-\t\r\n".utf8)
    /// How far from a word a number may be that belongs to it: `GPS N 48 51 30`.
    private static let longestDistance = 24

    /// Whether a word is followed by a value, begins a line, or precedes a name.
    ///
    /// - Parameter original: The text with its capitals.
    private static func hasValue(
        _ word: [UInt8], _ text: [UInt8], _ original: [UInt8]
    ) -> Bool {
        var position = 0
        // Nothing of the text behind them belongs to a word.
        let lastWord = text.lastIndex(where: isWord) ?? 0
        // Where the word ends that contains the last hit, and where a value may start.
        var wordEnd = 0
        var valueStart = 0
        while let start = text[...].firstIndex(of: word, from: position) {
            position = start + word.count
            // The word may go on: `locationName`.
            if wordEnd < position {
                let rest = text[position...].drop { (0x61...0x7A).contains($0) || $0 == 0x5F }
                wordEnd = rest.startIndex
                valueStart = rest.drop { $0 == 0x20 || $0 == 0x22 || $0 == 0x27 }.startIndex
            }
            let rest = text[valueStart...]
            guard let next = rest.first, rest.startIndex <= lastWord else { continue }
            let beginsLine = start == 0 || text[start - 1] == 0x0A || text[start - 1] == 0x0D
            if beginsLine || marks.contains(next)
                || (0x41...0x5A).contains(original[rest.startIndex])
                || text[position...].prefix(longestDistance).contains(where: isDigit)
            {
                return true
            }
        }
        return false
    }

    /// Whether a byte belongs to a word, in any encoding.
    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
    }

    // MARK: - Coordinates

    /// Whether there is a URI such as `geo:48.8584,2.2945`.
    ///
    /// - Source: RFC 5870, 3.3.
    private static func hasURI(_ text: [UInt8]) -> Bool {
        var position = 0
        while let start = text[...].firstIndex(of: Array("geo:".utf8), from: position) {
            position = start + 4
            if let next = text[position...].first, isDigit(next) || next == UInt8(ascii: "-") {
                return true
            }
        }
        return false
    }

    /// Whether two numbers with at least three decimals follow each other: `48.8584, 2.2945`,
    /// `+48.8584+002.2945/`, `48.8584° N, 2.2945° E`, or with at least four, `48,8584 2,2945`.
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
            // Its indices are those of the text. Behind a comma, three digits may be thousands.
            let fewest = rest.first == UInt8(ascii: ".") ? 3 : 4
            var decimals: ArraySlice<UInt8> = []
            if let mark = rest.first, [UInt8(ascii: "."), UInt8(ascii: ",")].contains(mark) {
                let digits = rest.dropFirst().prefix(while: isDigit)
                if fewest == 3 || digits.count >= fewest { decimals = digits }
            }
            let end = decimals.isEmpty ? whole.endIndex : decimals.endIndex
            if whole.count <= 3, decimals.count >= fewest {
                if let previousEnd, isGap(text[previousEnd..<index]) { return true }
                previousEnd = end
            }
            index = end
        }
        return false
    }

    /// What stands between two coordinates: punctuation, degrees, N, S, E, W, `lat`, `long`, `lng`.
    private static let separators = Set(" ,;:/|=+-()\t\r\n\"'<>nsewlatong".utf8)
        .union([0xC2, 0xB0, 0xBA])

    private static func isGap(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= 4 || bytes.count <= 16 && bytes.allSatisfy(separators.contains)
    }

    /// Whether there are degrees and minutes: `48° 51' 30.24" N`, `48 deg 51' 30.24" N`.
    private static func hasAngle(_ text: [UInt8]) -> Bool {
        var index = 0
        while index < text.count {
            defer { index += 1 }
            var rest: ArraySlice<UInt8>
            if text[index] == 0xB0 || text[index] == 0xBA {
                rest = text[(index + 1)...]
            } else if text[index] == UInt8(ascii: "d"), text[index...].starts(with: "deg".utf8) {
                rest = text[(index + 3)...]
            } else {
                continue
            }
            let before = text[..<index].reversed().first { $0 != 0x20 && $0 != 0xC2 }
            guard let before, isDigit(before) else { continue }
            rest = rest.drop { $0 == 0x20 }
            let minutes = rest.prefix(while: isDigit)
            guard (1...2).contains(minutes.count) else { continue }
            rest = rest.dropFirst(minutes.count)
            if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop(while: isDigit) }
            rest = rest.drop { $0 == 0x20 }
            // An apostrophe, or a prime, a quotation mark or an accent in UTF-8.
            let marks: [[UInt8]] = [
                [0x27], [0xE2, 0x80, 0xB2], [0xE2, 0x80, 0x99], [0xC2, 0xB4], [0x92], [0xB4],
            ]
            if marks.contains(where: { rest.starts(with: $0) }) { return true }
        }
        return false
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
