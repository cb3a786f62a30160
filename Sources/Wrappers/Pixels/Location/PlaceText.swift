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

    /// Keywords of Flickr, whose values are numbers.
    private static let keywords = ["geo:lat", "geo:lon"]

    /// Whether a name, or data of some program, tells a position: by a word, or by coordinates.
    ///
    /// Recognizes text in Latin scripts in any encoding, also with two bytes for each character, and in
    /// other scripts in UTF-8 and UTF-16.
    static func tellsPlace(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        let text = lowercased(bytes)
        return contains(words, text) || tellsCoordinates(text) || tellsElsewhere(bytes)
    }

    /// Whether a text that somebody wrote tells a position: by coordinates, or by a word with a value.
    ///
    /// A word such as “location” alone means nothing.
    static func describesPlace(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        let original = PlaceCharacters.plain(bytes)
        let text = original.map(lowercase)
        return contains(longWords, text)
            || words.contains { hasValue(Array($0.utf8), text, original) }
            || tellsCoordinates(text) || tellsElsewhere(bytes)
    }

    /// Whether a text tells coordinates, or names them; other words for places do not count.
    static func tellsPosition(_ bytes: some Sequence<UInt8>) -> Bool {
        let bytes = Array(bytes)
        let text = lowercased(bytes)
        return contains(longWords, text) || tellsCoordinates(text) || tellsElsewhere(bytes)
    }

    /// Whether data that is not text contains a long word for a position.
    static func namesPosition(_ bytes: some Sequence<UInt8>) -> Bool {
        contains(longWords, bytes.map(lowercase))
    }

    /// Lower case, without what hides characters.
    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        PlaceCharacters.plain(bytes).map(lowercase)
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func contains(_ words: [String], _ text: [UInt8]) -> Bool {
        words.contains { text[...].firstIndex(of: Array($0.utf8), from: 0) != nil }
    }

    private static func tellsCoordinates(_ text: [UInt8]) -> Bool {
        contains(keywords, text) || PlaceLinks.isFound(in: text) || hasURI(text)
            || hasPosition(text) || hasAngle(text) || CompassReader.findsPosition(text)
            || PlaceLabels.findsPosition(text) || PlaceMarks.findsPosition(text)
            || PlaceCode.isFound(in: text) || SpelledAngles.findsPosition(text)
    }

    /// Whether a text in another script, or with other digits and marks, tells coordinates.
    private static func tellsElsewhere(_ bytes: [UInt8]) -> Bool {
        PlaceScripts.readings(of: bytes).contains(where: tellsCoordinates)
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
    /// `+48.8584+002.2945/`, `48.8584° N, 2.2945° E`, or with at least four, `48,8584 2,2945`,
    /// `lat=48.8584&lng=2.2945`; or whether words name two as latitude and longitude.
    private static func hasPosition(_ text: [UInt8]) -> Bool {
        var previous: PlaceNumber?
        var hasLatitude = false
        var hasLongitude = false
        var index = 0
        while index < text.count {
            guard isDigit(text[index]) else {
                index += 1
                continue
            }
            let number = PlaceNumber(at: index, in: text)
            index = number.range.upperBound
            guard number.mayBeCoordinate else { continue }
            if let previous {
                let gap = text[previous.range.upperBound..<number.range.lowerBound]
                if isGap(gap) || previous.mayPrecede(number) && isLooseGap(gap) { return true }
            }
            previous = number
            guard number.isPrecise else { continue }
            let word = text[..<number.range.lowerBound].suffix(longestDistance)
            if startsWord(latitudes, in: word) {
                hasLatitude = true
            } else if startsWord(longitudes, in: word) {
                hasLongitude = true
            }
            if hasLatitude, hasLongitude { return true }
        }
        return false
    }

    /// The starts of words for latitude and longitude in the languages of Europe.
    ///
    /// The German `ä` may be in UTF-8 or Latin-1, and a capital.
    private static let latitudes = ["lat", "breit"].map { Array($0.utf8) }
    private static let longitudes: [[UInt8]] = [
        Array("lon".utf8), Array("lng".utf8), Array("laeng".utf8), [0x6C, 0xC3, 0xA4, 0x6E, 0x67],
        [0x6C, 0xC3, 0x84, 0x6E, 0x67], [0x6C, 0xE4, 0x6E, 0x67], [0x6C, 0xC4, 0x6E, 0x67],
    ]

    /// Whether one of some starts of words is in a text, and no number behind it.
    private static func startsWord(_ starts: [[UInt8]], in text: ArraySlice<UInt8>) -> Bool {
        let rest = text.lastIndex(where: isDigit).map { text[($0 + 1)...] } ?? text
        return starts.contains { start in
            guard let found = rest.firstIndex(of: start, from: rest.startIndex) else {
                return false
            }
            return found == rest.startIndex || !isWord(rest[found - 1])
        }
    }

    /// What stands between two coordinates: punctuation, degrees, N, S, E, W, `lat`, `long`, `lng`.
    private static let separators = Set(" ,;:/|=+-()\t\r\n\"'<>nsewlatong".utf8)
        .union([0xC2, 0xB0, 0xBA])

    private static func isGap(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= 4 || bytes.count <= 16 && bytes.allSatisfy(separators.contains)
    }

    /// Whether bytes may stand between two coordinates of four decimals: a few words in any language.
    private static func isLooseGap(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= 16 && bytes.allSatisfy { isVisible($0) && !isDigit($0) }
    }

    /// Whether a byte belongs to text in any encoding.
    static func isVisible(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || (0x09...0x0D).contains(byte)
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

/// A number with decimals that may be a coordinate.
private struct PlaceNumber {
    let range: Range<Int>
    /// Whether it has at most three digits, and enough decimals behind them.
    let mayBeCoordinate: Bool
    /// Whether it has so many decimals that few other numbers have as many.
    let isPrecise: Bool
    /// Without the decimals; 0 if it is too long.
    private let whole: Int

    /// - Parameter start: Where the first digit is.
    init(at start: Int, in text: [UInt8]) {
        let digits = text[start...].prefix(while: PlaceText.isDigit)
        let point = UInt8(ascii: ".")
        let rest = text[digits.endIndex...]
        // Its indices are those of the text. Behind a comma, three digits may be thousands.
        let fewest = rest.first == point ? 3 : 4
        var decimals: ArraySlice<UInt8> = []
        if let mark = rest.first, [point, UInt8(ascii: ",")].contains(mark) {
            let behind = rest.dropFirst().prefix(while: PlaceText.isDigit)
            if fewest == 3 || behind.count >= fewest { decimals = behind }
        }
        var end = decimals.isEmpty ? digits.endIndex : decimals.endIndex
        // Several points are an address, a version, or thousands: `192.168.178.100`.
        var isChain = false
        while fewest == 3, !decimals.isEmpty, text[end...].first == point,
            let next = text[(end + 1)...].first, PlaceText.isDigit(next)
        {
            isChain = true
            end = text[(end + 1)...].prefix(while: PlaceText.isDigit).endIndex
        }
        range = start..<end
        let isShort = digits.count <= 3
        whole = isShort ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : 0
        mayBeCoordinate = isShort && decimals.count >= fewest && !isChain
        isPrecise = mayBeCoordinate && decimals.count >= 4
    }

    /// Whether this and another number may be a latitude and a longitude, in any order.
    func mayPrecede(_ other: PlaceNumber) -> Bool {
        isPrecise && other.isPrecise && min(whole, other.whole) <= 90
            && max(whole, other.whole) <= 180
    }
}
