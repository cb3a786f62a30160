// SPDX-License-Identifier: MIT

/// A latitude and a longitude in digits, wherever they are: `48.8584, 2.2945`.
///
/// Formats whose pictures consist of such numbers are not searched for them; see
/// ``LocationScan/picturesNumbers(_:)``. Nor are packets of XMP, whose properties are known.
extension PlacePattern {
    private static let fewestDecimals = 4
    private static let mostDecimals = 17
    private static let longestGap = 16
    /// What stands between two coordinates: punctuation, degrees, `N`, `S`, `E`, `W`, `lat`, `long`.
    ///
    /// Words are for texts alone.
    private static let between = Set("nsewlatongNSEWLATONG ,;:/|=&+-()\t\r\n\"'<>~".utf8)
        .union([0xC2, 0xB0, 0xBA])
    /// How far from its start the first position in a packet of XMP may be.
    private static let longestHead = 128 << 10

    /// They begin with the point of the first number.
    static let numbers: [PlacePattern] = (0x30...0x39).map { digit in
        PlacePattern([0x2E, digit], isNumber: true) { bytes, position in
            guard let latitude = Number(around: position, in: bytes), latitude.whole <= 90,
                let longitude = number(after: latitude, in: bytes), longitude.whole <= 180,
                // Fractions of one are parts of a picture, or of a colour; no land is there.
                latitude.whole > 0 || longitude.whole > 0
            else { return false }
            // Three numbers are a colour or a direction.
            return number(after: longitude, in: bytes) == nil && !isPreceded(latitude, in: bytes)
        }
    }

    /// A number with decimals that are not all zeros.
    private struct Number {
        let whole: Int
        let range: Range<Int>

        /// - Parameter point: Where the point is.
        init?(around point: Int, in bytes: Bytes) {
            var start = point
            while start > 0, point - start < 4, PlaceText.isDigit(bytes[start - 1]) { start -= 1 }
            guard (1...3).contains(point - start), start == 0 || !Self.goesOn(bytes[start - 1])
            else { return nil }
            var end = point + 1
            while end < bytes.count, end - point <= mostDecimals + 1, PlaceText.isDigit(bytes[end])
            {
                end += 1
            }
            guard (fewestDecimals...mostDecimals).contains(end - point - 1),
                end == bytes.count || bytes[end] != 0x2E,
                bytes[point + 1..<end].contains(where: { $0 != 0x30 })
            else { return nil }
            whole = bytes[start..<point].reduce(0) { $0 * 10 + Int($1 - 0x30) }
            range = start..<end
        }

        /// Whether a byte makes what follows it a part of a longer number or word.
        ///
        /// A capital may be a point of the compass, or the end of a chunk's name.
        private static func goesOn(_ byte: UInt8) -> Bool {
            byte == 0x2E || byte == 0x5F || (0x61...0x7A).contains(byte)
        }
    }

    /// The next number with decimals, if nothing but punctuation is between the two.
    private static func number(after number: Number, in bytes: Bytes) -> Number? {
        var index = number.range.upperBound
        let limit = min(bytes.count, index + longestGap)
        while index < limit, between.contains(bytes[index]) { index += 1 }
        guard index > number.range.upperBound else { return nil }
        var point = index
        while point < bytes.count, point - index < 4, PlaceText.isDigit(bytes[point]) { point += 1 }
        guard point < bytes.count, bytes[point] == 0x2E else { return nil }
        return Number(around: point, in: bytes).flatMap { $0.range.lowerBound == index ? $0 : nil }
    }

    /// Whether a number with decimals precedes.
    private static func isPreceded(_ number: Number, in bytes: Bytes) -> Bool {
        var index = number.range.lowerBound
        let limit = max(0, index - longestGap)
        while index > limit, between.contains(bytes[index - 1]) { index -= 1 }
        guard index < number.range.lowerBound else { return false }
        var point = index
        while point > 0, index - point <= mostDecimals, PlaceText.isDigit(bytes[point - 1]) {
            point -= 1
        }
        return index - point >= fewestDecimals && point > 0 && bytes[point - 1] == 0x2E
    }

    /// Where the packet of XMP ends that contains an offset; nil if there is none.
    static func packetEnd(around position: Int, in bytes: Bytes) -> Int? {
        let before = max(0, position - longestHead)..<position
        guard let start = last("<rdf:RDF", in: bytes, before),
            last(packetEnd, in: bytes, before) ?? -1 < start
        else { return nil }
        return first(packetEnd, in: bytes, position..<bytes.count) ?? bytes.count
    }

    private static let packetEnd: StaticString = "</rdf:RDF>"

    private static func last(
        _ word: StaticString, in bytes: Bytes, _ range: Range<Int>
    ) -> Int? {
        range.reversed().first { starts(word, at: $0, in: bytes, range) }
    }

    private static func first(
        _ word: StaticString, in bytes: Bytes, _ range: Range<Int>
    ) -> Int? {
        range.first { starts(word, at: $0, in: bytes, range) }
    }

    private static func starts(
        _ word: StaticString, at index: Int, in bytes: Bytes, _ range: Range<Int>
    ) -> Bool {
        word.withUTF8Buffer { word in
            bytes[index] == word[0] && word.count <= range.upperBound - index
                && bytes[index..<index + word.count].elementsEqual(word)
        }
    }
}
