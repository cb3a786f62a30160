// SPDX-License-Identifier: MIT

/// Degrees, minutes and seconds in UTF-8, wherever they are: `48° 51' 30.24" N`.
///
/// They are searched for where numbers are.
extension PlacePattern {
    /// The marks of minutes and of seconds.
    private static let minutes: [[UInt8]] = ["'", "\u{2032}", "\u{2019}"].map { Array($0.utf8) }
    private static let seconds: [[UInt8]] = ["\"", "''", "\u{2033}", "\u{201D}"].map {
        Array($0.utf8)
    }
    private static let longestNumber = 12
    /// How far from an angle without seconds the next one may begin.
    private static let longestGap = 32

    /// They begin with the sign of degrees.
    static let angles = [
        PlacePattern(degrees, isNumber: true) { bytes, position in
            guard let end = endOfMinutes(bytes, position) else { return false }
            if let end = endOfNumber(bytes, end), endOfMark(seconds, bytes, end) != nil {
                return true
            }
            return (end..<min(bytes.count, end + longestGap)).contains {
                bytes[$0...].starts(with: degrees) && endOfMinutes(bytes, $0) != nil
            }
        }
    ]

    private static let degrees = Array("°".utf8)

    /// Where minutes end that follow a number of degrees; nil if there are none.
    ///
    /// - Parameter position: Where the sign of degrees is.
    private static func endOfMinutes(_ bytes: Bytes, _ position: Int) -> Int? {
        let last = bytes[..<position].suffix(longestNumber).last { $0 != 0x20 }
        guard last.map(PlaceText.isDigit) == true else { return nil }
        return endOfNumber(bytes, position + degrees.count).flatMap {
            endOfMark(minutes, bytes, $0)
        }
    }

    /// Where a number ends that may follow spaces; nil if there is none.
    private static func endOfNumber(_ bytes: Bytes, _ start: Int) -> Int? {
        let text = bytes[min(start, bytes.count)...].prefix(2 * longestNumber)
        let number = text.drop { $0 == 0x20 }
        let end = number.prefix { PlaceText.isDigit($0) || ".,".utf8.contains($0) }.endIndex
        return number.first.map(PlaceText.isDigit) == true ? end : nil
    }

    /// Where one of some marks ends that may follow spaces; nil if there is none.
    private static func endOfMark(_ marks: [[UInt8]], _ bytes: Bytes, _ start: Int) -> Int? {
        let text = bytes[min(start, bytes.count)...].prefix(longestNumber).drop { $0 == 0x20 }
        return marks.first { text.starts(with: $0) }.map { text.startIndex + $0.count }
    }
}
