// SPDX-License-Identifier: MIT

/// Recognizes positions whose degrees are words: `48 degrees 51 minutes 30 seconds north`,
/// `48,86 Grad nördlicher Breite, 2,29 Grad östlicher Länge`.
enum SpelledAngles {
    private enum Token: Hashable {
        case number(whole: Int, decimals: Int)
        case degrees, minutes, seconds
        /// North or south, east or west.
        case latitude, longitude
        case word
        /// The end of a part of a sentence.
        case stop
    }

    /// What the words begin with, in UTF-8 and Latin-1.
    private static let units: [(Token, [[UInt8]])] = [
        (
            .degrees,
            starts(["deg", "grad", "grau", "градус", "stopni", "derece", "ast", "\u{B0}"])
                + [[0xB0], [0xBA]]
        ),
        (.minutes, starts(["min", "минут", "dakika"])),
        (.seconds, starts(["sec", "sek", "seg", "секунд", "saniye"])),
        (
            .latitude,
            starts([
                "north", "south", "nord", "norte", "noord", "nörd", "norr", "sud", "sued", "süd",
                "zuid", "söder", "север", "южн",
            ]) + [[0x6E, 0xF6, 0x72, 0x64], [0x73, 0xFC, 0x64]]
        ),
        (
            .longitude,
            starts([
                "east", "west", "ovest", "ouest", "oest", "östl", "öster", "oost", "leste",
                "väst", "vest", "восточ", "запад",
            ]) + [[0xF6, 0x73, 0x74, 0x6C]]
        ),
    ]
    /// Whole words, which others begin with.
    private static let words: [(Token, [String])] = [
        (.latitude, ["n", "s", "sur", "sul"]),
        (.longitude, ["e", "w", "o", "est", "este", "ost", "öst"]),
    ]

    private static func starts(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }

    /// What a text without any angle lacks.
    private static let hints = starts(["deg", "gra", "градус", "stopni", "derece", "ast"])

    /// Whether a text in lower case tells a position.
    static func findsPosition(_ text: [UInt8]) -> Bool {
        guard hints.contains(where: { text[...].firstIndex(of: $0, from: 0) != nil }) else {
            return false
        }
        let angles = angles(in: tokens(in: text))
        // East is another word in some languages, and ovens have minutes, too.
        return angles.contains { $0.point == .latitude && $0.numbers > 1 || $0.numbers > 2 }
            || zip(angles, angles.dropFirst()).contains { first, second in
                second.start - first.end <= longestGap && first.isPrecise && second.isPrecise
                    && Set([first.point, second.point]) == [.latitude, .longitude]
            }
    }

    // MARK: - Angles

    private struct Angle {
        let start: Int
        let end: Int
        /// Degrees, minutes and seconds.
        let numbers: Int
        let isPrecise: Bool
        /// The point of the compass beside it.
        let point: Token
    }

    /// How many words may be between two angles.
    private static let longestGap = 6
    /// Temperatures have fewer.
    private static let fewestDecimals = 2

    private static func angles(in tokens: [Token]) -> [Angle] {
        var angles: [Angle] = []
        var index = 0
        while index < tokens.count {
            let start = index
            index += 1
            guard case .number(let whole, let decimals) = tokens[start], whole <= 180,
                tokens.dropFirst(index).first == .degrees
            else { continue }
            index += 1
            var numbers = 1
            for unit in [Token.minutes, .seconds] {
                guard case .number(let value, _)? = tokens.dropFirst(index).first, value < 60,
                    tokens.dropFirst(index + 1).first == unit
                else { break }
                numbers += 1
                index += 2
            }
            let beside = [tokens.dropFirst(index).first, tokens[..<start].last]
            guard let point = beside.compactMap(\.self).first(where: isPoint),
                point == .longitude || whole <= 90
            else { continue }
            angles.append(
                Angle(
                    start: start, end: index, numbers: numbers,
                    isPrecise: numbers > 1 || decimals >= fewestDecimals, point: point))
        }
        return angles
    }

    private static func isPoint(_ token: Token) -> Bool {
        token == .latitude || token == .longitude
    }

    // MARK: - Reading

    private static func tokens(in text: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var index = 0
        while index < text.count {
            if PlaceText.isDigit(text[index]) {
                let digits = text[index...].prefix(while: PlaceText.isDigit)
                index = digits.endIndex
                var decimals = 0
                if let mark = text[index...].first, ".,".utf8.contains(mark) {
                    let behind = text[(index + 1)...].prefix(while: PlaceText.isDigit)
                    decimals = behind.count
                    if decimals > 0 { index = behind.endIndex }
                }
                tokens.append(
                    digits.count > 3
                        ? .word
                        : .number(
                            whole: digits.reduce(0) { $0 * 10 + Int($1 - 0x30) },
                            decimals: decimals))
            } else if isLetter(text[index]) {
                let word = text[index...].prefix(while: isLetter)
                index = word.endIndex
                tokens.append(meaning(of: word))
            } else {
                if ",.;:!?()\n".utf8.contains(text[index]) { tokens.append(.stop) }
                index += 1
            }
        }
        return tokens
    }

    private static func meaning(of word: ArraySlice<UInt8>) -> Token {
        for (token, names) in words where names.contains(where: { word.elementsEqual($0.utf8) }) {
            return token
        }
        for (token, starts) in units where starts.contains(where: word.starts(with:)) {
            return token
        }
        return .word
    }

    /// Whether a byte belongs to a word, in any encoding.
    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || byte >= 0x80
    }
}
