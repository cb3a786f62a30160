// SPDX-License-Identifier: MIT

/// Recognizes positions with points of the compass: `N 48 51.504 E 2 17.67`, `48.86 N, 2.29 E`,
/// `485130N 0021740E`.
struct CompassReader {
    private enum Token: Equatable {
        /// A number, and how precise it is: one for each group of digits or digit behind the point.
        case number(precision: Int)
        /// North or south, east or west.
        case latitude, longitude
        case other
    }

    private static let latitudes = ["n", "s", "north", "south"].map { Array($0.utf8) }
    /// East is “Ost” or “este”, west “ouest” or “oeste”.
    private static let longitudes = ["e", "w", "o", "east", "west", "ost"].map { Array($0.utf8) }
    private static let units = ["deg", "min", "sec", "lat", "lon", "long", "d", "m"]
        .map { Array($0.utf8) }
    /// Degrees, minutes and seconds, and their marks; in UTF-8 or Latin-1.
    private static let separators = Set(" ,;:/|=+-()'\"\t\r\n".utf8)
        .union([0xC2, 0xB0, 0xBA, 0xB4, 0xE2, 0x80, 0x99, 0x9D, 0xB2, 0xB3])

    /// Whether a text in lower case contains a latitude and a longitude beside each other.
    static func findsPosition(_ text: [UInt8]) -> Bool {
        let tokens = tokens(in: text)
        return tokens.indices.contains { index in
            isPosition(tokens[index...], pointsFirst: false)
                || isPosition(tokens[index...], pointsFirst: true)
        }
    }

    /// Whether tokens begin with numbers and a point of the compass, or the other way round, twice.
    private static func isPosition(_ tokens: ArraySlice<Token>, pointsFirst: Bool) -> Bool {
        var rest = tokens
        for point in [Token.latitude, .longitude] {
            if pointsFirst, rest.popFirst() != point { return false }
            var precision = 0
            var count = 0
            while count < 3, case .number(let more)? = rest.first {
                precision += more
                count += 1
                rest.removeFirst()
            }
            // Whole degrees are as good as nothing.
            guard count > 0, precision >= 2 else { return false }
            if !pointsFirst, rest.popFirst() != point { return false }
        }
        return true
    }

    private static func tokens(in text: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        // Whether the last token is an `s` behind a digit. If a point of the compass follows, it means
        // seconds: `48d51m30s N`.
        var mayBeSeconds = false
        var index = 0
        while index < text.count {
            let rest = text[index...]
            if PlaceText.isDigit(text[index]) {
                let whole = rest.prefix(while: PlaceText.isDigit)
                let mark = text[whole.endIndex...].first
                // Its indices are those of the text.
                let decimals: ArraySlice<UInt8> =
                    mark == UInt8(ascii: ".")
                    ? text[(whole.endIndex + 1)...].prefix(while: PlaceText.isDigit) : []
                index = decimals.isEmpty ? whole.endIndex : decimals.endIndex
                mayBeSeconds = false
                switch whole.count {
                case 1...3: tokens.append(.number(precision: 1 + decimals.count))
                // Degrees, minutes and seconds without anything between them.
                case 4...7: tokens.append(.number(precision: 2))
                default: tokens.append(.other)
                }
            } else if isLetter(text[index]) {
                let word = rest.prefix(while: isLetter)
                let isLatitude = latitudes.contains(where: word.elementsEqual)
                let isLongitude = longitudes.contains(where: word.elementsEqual)
                if mayBeSeconds, isLatitude || isLongitude { tokens.removeLast() }
                mayBeSeconds =
                    word.elementsEqual("s".utf8)
                    && text[..<index].last.map(PlaceText.isDigit) == true
                index = word.endIndex
                if isLatitude {
                    tokens.append(.latitude)
                } else if isLongitude {
                    tokens.append(.longitude)
                } else if !units.contains(where: word.elementsEqual)
                    // Minutes follow degrees: `48d 51m N`. Without them, it is a distance.
                    || word.elementsEqual("m".utf8) && tokens.suffix(2).count(where: isNumber) < 2
                {
                    tokens.append(.other)
                }
            } else {
                if !separators.contains(text[index]) {
                    tokens.append(.other)
                    mayBeSeconds = false
                }
                index += 1
            }
        }
        return tokens
    }

    private static func isNumber(_ token: Token) -> Bool {
        if case .number = token { true } else { false }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
