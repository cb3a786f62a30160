// SPDX-License-Identifier: MIT

/// Recognizes positions by the words that name their numbers: `lat=48.86;lon=2.29`,
/// `lat/lon: 48.86, 2.29`, `lat: 48 51 30 lon: 2 17 40`.
///
/// Behind such words, few decimals are enough for a place. The words are only those that mean nothing
/// else: a `Breite` of 12.5 cm is a width.
struct PlaceLabels {
    private enum Label: Equatable {
        case latitude, longitude
        /// Both, in any order.
        case position

        var greatest: Int { self == .latitude ? 90 : 180 }
    }

    private enum Token {
        /// A number of at most three digits, and how many are behind its point or comma.
        case number(whole: Int, decimals: Int)
        case label(Label)
        case word
    }

    private static let words: [(label: Label, texts: [[UInt8]])] = [
        (.latitude, ["lat", "gpslat"].map { Array($0.utf8) }),
        (.longitude, ["lon", "lng", "long", "gpslon", "gpslng", "gpslong"].map { Array($0.utf8) }),
        (
            .position,
            ["latlon", "latlng", "latlong", "coordinates", "coords", "koordinaten", "coordenadas"]
                .map { Array($0.utf8) }
        ),
    ]

    /// The starts of words in the languages of Europe; `ä` and `æ` in UTF-8 or Latin-1, and in
    /// capitals.
    private static let starts: [(label: Label, texts: [[UInt8]])] = [
        (
            .latitude,
            ["latitud", "breitengrad", "breedtegraad", "breddegrad", "breddgrad"]
                .map { Array($0.utf8) }
        ),
        (
            .longitude,
            ["longitud", "laengengrad", "lengtegraad", "lengdegrad"].map { Array($0.utf8) }
                + spelled("ngengrad", [0xA4, 0x84]) + spelled("ngdgrad", [0xA4, 0x84])
                + spelled("ngdegrad", [0xA6, 0x86])
        ),
    ]

    /// A word that begins with `l` and a vowel: as UTF-8, and as Latin-1.
    private static func spelled(_ rest: StaticString, _ vowels: [UInt8]) -> [[UInt8]] {
        let rest = rest.withUTF8Buffer { Array($0) }
        return vowels.flatMap { vowel in
            [[0x6C, 0xC3, vowel] + rest, [0x6C, vowel | 0x40] + rest]
        }
    }

    /// Units and points of the compass, which may follow a number or a label.
    private static let units = [
        "deg", "degree", "degrees", "grad", "min", "sec", "d", "m", "s", "n", "e", "w", "o",
        "north", "south", "east", "west", "nord", "ost", "est", "dec",
    ].map { Array($0.utf8) }

    /// What one of the words begins with.
    private static let hints = ["lat", "lng", "bre", "coord", "koord"].map { Array($0.utf8) }
    /// How many words and numbers may be between a latitude and a longitude, such as an altitude.
    private static let longestGap = 6
    /// Degrees, minutes and seconds.
    private static let mostNumbers = 3
    /// Whole degrees are as good as nothing; each further group of digits, and each digit behind the
    /// point, counts.
    private static let fewestGroups = 2
    /// A word that means both may also mean a point of a picture.
    private static let fewestDecimals = 2

    /// Whether a text in lower case contains a latitude and a longitude that are named.
    static func findsPosition(_ text: [UInt8]) -> Bool {
        guard hints.contains(where: { text[...].firstIndex(of: $0, from: 0) != nil }) else {
            return false
        }
        let tokens = tokens(in: text)
        return tokens.indices.contains { index in
            guard case .label(let label) = tokens[index] else { return false }
            return label == .position
                ? startsPair(tokens[(index + 1)...], fewest: fewestDecimals)
                : hasPartner(label, at: index, in: tokens)
        }
    }

    /// Whether a label has a value, and one of the other kind is near and has one, too; or whether a
    /// label of the other kind follows, and then two values.
    private static func hasPartner(_ label: Label, at index: Int, in tokens: [Token]) -> Bool {
        let other: Label = label == .latitude ? .longitude : .latitude
        let behind = tokens[(index + 1)...]
        if case .label(other)? = behind.first {
            return startsPair(behind.dropFirst(), fewest: 1)
        }
        let value = behind.prefix(mostNumbers).prefix {
            if case .number = $0 { true } else { false }
        }
        let rest = behind[value.endIndex...]
        if isPrecise(value, as: label) {
            for next in rest.indices.prefix(longestGap + 1) {
                guard case .label(other) = tokens[next] else { continue }
                if isPrecise(tokens[(next + 1)...], as: other) { return true }
            }
        }
        // The values may precede their labels.
        guard case .label(other)? = rest.first, isPrecise(value, as: other) else { return false }
        return (1...mostNumbers).contains { count in
            guard index >= count, case .number = tokens[index - count] else { return false }
            return isPrecise(tokens[(index - count)..<index], as: label)
        }
    }

    /// Whether tokens begin with a number, or with degrees and minutes, that may be a coordinate.
    private static func isPrecise(_ tokens: ArraySlice<Token>, as label: Label) -> Bool {
        var groups = 0
        for (count, token) in tokens.prefix(mostNumbers).enumerated() {
            guard case .number(let whole, let decimals) = token else { break }
            if count == 0, whole > label.greatest { return false }
            groups += 1 + decimals
        }
        return groups >= fewestGroups
    }

    /// Whether tokens begin with two numbers that have decimals, or with the degrees and minutes of
    /// two angles.
    private static func startsPair(_ tokens: ArraySlice<Token>, fewest: Int) -> Bool {
        var numbers: [(whole: Int, decimals: Int)] = []
        for token in tokens.prefix(2 * mostNumbers) {
            guard case .number(let whole, let decimals) = token else { break }
            numbers.append((whole, decimals))
        }
        let pair = numbers.prefix(2)
        guard pair.count == 2, pair.allSatisfy({ $0.whole <= 180 }),
            pair.contains(where: { $0.whole <= 90 })
        else { return false }
        return pair.allSatisfy { $0.decimals >= fewest }
            || fewest == 1 && numbers.count >= 4 && numbers.count % 2 == 0
    }

    // MARK: - Reading

    private static func tokens(in text: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var index = 0
        while index < text.count {
            if PlaceText.isDigit(text[index]) {
                let (token, end) = number(at: index, in: text)
                tokens.append(token)
                index = end
                continue
            }
            guard isLetter(text[index]) else {
                index += 1
                continue
            }
            let rest = text[index...]
            let isInside = index > 0 && continues(text[index - 1])
            if !isInside,
                let start = starts.first(where: { $0.texts.contains(where: rest.starts(with:)) })
            {
                tokens.append(.label(start.label))
                // It may go on in any way: `latitudine`.
                index = rest.prefix { isLetter($0) || $0 >= 0x80 }.endIndex
                continue
            }
            let word = rest.prefix(while: isLetter)
            let isWhole = !isInside && !(text[word.endIndex...].first.map(continues) ?? false)
            index = word.endIndex
            if isWhole,
                let known = words.first(where: { $0.texts.contains { $0.elementsEqual(word) } })
            {
                tokens.append(.label(known.label))
            } else if !units.contains(where: { $0.elementsEqual(word) }) {
                tokens.append(.word)
            }
        }
        return tokens
    }

    /// A number and its end; one with several points is an address or a version, and no number.
    private static func number(at start: Int, in text: [UInt8]) -> (Token, end: Int) {
        let digits = text[start...].prefix(while: PlaceText.isDigit)
        var end = digits.endIndex
        var decimals = 0
        if let mark = text[end...].first, mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") {
            let behind = text[(end + 1)...].prefix(while: PlaceText.isDigit)
            if !behind.isEmpty {
                decimals = behind.count
                end = behind.endIndex
                var isChain = false
                while text[end...].first == mark, mark == UInt8(ascii: "."),
                    let next = text[(end + 1)...].first, PlaceText.isDigit(next)
                {
                    isChain = true
                    end = text[(end + 1)...].prefix(while: PlaceText.isDigit).endIndex
                }
                if isChain { return (.word, end) }
            }
        }
        guard digits.count <= 3 else { return (.word, end) }
        let whole = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return (.number(whole: whole, decimals: decimals), end)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    /// Whether a byte belongs to the same word as a letter beside it.
    ///
    /// The marks of degrees, minutes and seconds do not, in any encoding.
    private static func continues(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte >= 0x80 && !marks.contains(byte)
    }

    private static let marks: Set<UInt8> = [
        0xA0, 0xB0, 0xB2, 0xB3, 0xB4, 0xBA, 0x92, 0x94, 0x99, 0x9D, 0xC2,
    ]
}
