// SPDX-License-Identifier: MIT

/// Recognizes positions by the marks around their numbers: `48.86°, 2.29°`, `POINT(2.29 48.86)`.
enum PlaceMarks {
    /// Whether a text in lower case contains one.
    static func findsPosition(_ text: [UInt8]) -> Bool {
        hasDegrees(text) || hasGeometry(text)
    }

    // MARK: - Degrees

    /// Temperatures and angles have fewer decimals.
    private static let fewestDecimals = 2
    private static let longestGap = 8
    /// What stands between two angles.
    private static let separators = Set(" ,;:/|+-()[]\t\r\n".utf8)

    /// Whether two numbers with decimals, and no third one, have a mark of degrees.
    private static func hasDegrees(_ text: [UInt8]) -> Bool {
        var index = 0
        // How many follow each other, where the last one ends, and whether they may be a position.
        var count = 0
        var end = 0
        var isPosition = true
        var previous = 0
        while index < text.count {
            guard let number = Self.number(at: index, in: text) else {
                index += 1
                continue
            }
            index = number.end
            guard number.decimals >= fewestDecimals, let mark = endOfDegrees(at: index, in: text)
            else { continue }
            let gap = text[end..<number.start]
            let isNext =
                count > 0 && gap.count <= longestGap && gap.allSatisfy(separators.contains)
            if !isNext {
                if count == 2, isPosition { return true }
                (count, isPosition) = (0, true)
            }
            isPosition =
                isPosition && number.whole <= 180
                && (count == 0 || min(previous, number.whole) <= 90)
            previous = number.whole
            count += 1
            end = mark
            index = mark
        }
        return count == 2 && isPosition
    }

    /// The end of a mark of degrees; nil if there is none, or that of a temperature.
    private static func endOfDegrees(at index: Int, in text: [UInt8]) -> Int? {
        var rest = text[index...].drop { $0 == 0x20 || $0 == 0xC2 }
        if rest.first == 0xB0 || rest.first == 0xBA {
            rest = rest.dropFirst()
        } else if rest.starts(with: "deg".utf8) {
            rest = rest.drop { (0x61...0x7A).contains($0) }
        } else {
            return nil
        }
        let unit = rest.drop { $0 == 0x20 }
        let isTemperature =
            unit.first.map { "cfk".utf8.contains($0) } == true
            && unit.dropFirst().first.map { (0x61...0x7A).contains($0) } != true
        return isTemperature ? nil : rest.startIndex
    }

    // MARK: - Geometries

    /// - Source: OGC Simple Feature Access 1.2.1, 7, “Well-known Text Representation”.
    private static let geometries = ["point", "linestring", "polygon"].map { Array($0.utf8) }

    /// Whether there is a geometry, whose first two numbers have decimals and only a space between
    /// them.
    private static func hasGeometry(_ text: [UInt8]) -> Bool {
        geometries.contains { word in
            var position = 0
            while let start = text[...].firstIndex(of: word, from: position) {
                position = start + word.count
                // With a height, or a measure.
                let rest = text[position...].drop { " zm".utf8.contains($0) }
                let content = rest.drop { $0 == UInt8(ascii: "(") || $0 == 0x20 }
                guard rest.first == UInt8(ascii: "("),
                    let first = signed(at: content.startIndex, in: text), first.decimals > 0
                else { continue }
                let gap = text[first.end...].prefix { $0 == 0x20 }
                if !gap.isEmpty, let second = signed(at: gap.endIndex, in: text),
                    second.decimals > 0, max(first.whole, second.whole) <= 180,
                    min(first.whole, second.whole) <= 90
                {
                    return true
                }
            }
            return false
        }
    }

    // MARK: - Numbers

    private struct Number {
        let start: Int
        let end: Int
        let whole: Int
        let decimals: Int
    }

    private static func signed(at index: Int, in text: [UInt8]) -> Number? {
        let sign = text[index...].first
        let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
        return number(at: isSigned ? index + 1 : index, in: text)
    }

    /// A number of at most three digits, with or without decimals.
    private static func number(at index: Int, in text: [UInt8]) -> Number? {
        // It is not the end of a longer one.
        guard index == 0 || !PlaceText.isDigit(text[index - 1]) else { return nil }
        let digits = text[index...].prefix(while: PlaceText.isDigit)
        guard (1...3).contains(digits.count) else { return nil }
        var end = digits.endIndex
        var decimals = 0
        if let mark = text[end...].first, mark == UInt8(ascii: ".") || mark == UInt8(ascii: ",") {
            let behind = text[(end + 1)...].prefix(while: PlaceText.isDigit)
            decimals = behind.count
            if decimals > 0 { end = behind.endIndex }
        }
        return Number(
            start: index, end: end, whole: digits.reduce(0) { $0 * 10 + Int($1 - 0x30) },
            decimals: decimals)
    }
}
