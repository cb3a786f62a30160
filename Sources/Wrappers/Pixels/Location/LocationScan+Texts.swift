// SPDX-License-Identifier: MIT

import Photos

/// Coordinates in text that somebody wrote freely.
///
/// Two numbers with decimals occur in many kinds of data, so only what is a comment or a description
/// is searched for them.
extension LocationScan {
    /// How far the header of a format may go whose metadata is text.
    private static let headerSize = 64 << 10

    /// Whether a comment at the start of a file tells a place.
    static func startsWithPlace(_ start: [UInt8]) -> Bool {
        let head = start.prefix(headerSize)
        switch (head.first, head.dropFirst().first) {
        case (UInt8(ascii: "P"), let kind?) where "1234567Ff".utf8.contains(kind):
            // The latitude may be in one line, and the longitude in the next.
            return findsCoordinates(comments(in: head).joined(separator: [0x0A]))
        case (UInt8(ascii: "#"), UInt8(ascii: "?")):
            // Directions in a scene are numbers, too.
            let header = head.split(separator: 0x0A, omittingEmptySubsequences: false)
                .prefix { !$0.isEmpty && $0 != [0x0D] }
            let known = ["VIEW", "PRIMARIES", "COLORCORR"]
            let free = header.filter { line in
                line.first == UInt8(ascii: "#")
                    || line.contains(UInt8(ascii: "="))
                        && !known.contains { line.starts(with: $0.utf8) }
            }
            return free.contains { findsCoordinates($0) }
        case (let size?, let map?) where size > 8 && map <= 1 && head.count > 18:
            // TGA: the size of a text behind the header.
            let text = head.dropFirst(18).prefix(Int(size))
            let isText = text.allSatisfy { $0 == 0 || $0 >= 0x20 }
            return isText && findsCoordinates(text)
        default: return false
        }
    }

    private static func comments(in head: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        head.split { $0 == 0x0A || $0 == 0x0D }.compactMap { line in
            line.firstIndex(of: UInt8(ascii: "#")).map { line[($0 + 1)...] }
        }
    }

    // MARK: - Coordinates

    /// Whether a latitude and a longitude in degrees follow each other, or an angle has degrees and
    /// minutes.
    static func findsCoordinates(_ text: some Sequence<UInt8>) -> Bool {
        var reader = CoordinateReader()
        return text.contains { reader.completesPosition($0) } || reader.completesPosition(0)
    }
}

/// Reads a text byte by byte, and remembers the last number.
private struct CoordinateReader {
    private static let between = Set("nsewlatong ,;:/|=+-()\t\r\n\"'<>".utf8)
        .union([0xC2, 0xB0, 0xBA, 0x00])
    private static let longestGap = 16
    private static let fewestDecimals = 3
    /// With as many decimals, words may stand between two numbers.
    private static let preciseDecimals = 4

    private var whole = 0
    private var digits = 0
    /// The number of digits after the point; nil before it.
    private var decimals: Int?
    /// Whether it has several points, as an address or a version does: `192.168.178.100`.
    private var isChain = false
    /// Whether the last byte was a point behind decimals, which may also end a sentence.
    private var isBehindPoint = false
    /// Whether a number with decimals precedes, and how long ago.
    private var gap: Int?
    /// Whether that number has many decimals.
    private var wasPrecise = false
    /// Whether only punctuation has followed it.
    private var isPlain = true

    /// Whether a byte ends the second number of a position.
    mutating func completesPosition(_ byte: UInt8) -> Bool {
        if (0x30...0x39).contains(byte) {
            if isBehindPoint { (isChain, isBehindPoint) = (true, false) }
            if let count = decimals {
                decimals = count + 1
            } else if digits < 4 {
                whole = whole * 10 + Int(byte - 0x30)
                digits += 1
            }
            return false
        }
        if byte == UInt8(ascii: "."), digits > 0, decimals == nil {
            decimals = 0
            return false
        }
        if byte == UInt8(ascii: "."), (decimals ?? 0) > 0, !isBehindPoint {
            isBehindPoint = true
            return false
        }
        defer { (whole, digits, decimals, isChain, isBehindPoint) = (0, 0, nil, false, false) }
        if digits > 0 {
            let isCoordinate =
                (decimals ?? 0) >= Self.fewestDecimals && digits <= 3 && whole <= 180 && !isChain
            let isPrecise = (decimals ?? 0) >= Self.preciseDecimals
            defer {
                gap = isCoordinate && whole <= 90 ? 1 : nil
                wasPrecise = isPrecise
                isPlain = true
            }
            if isCoordinate, gap != nil, isPlain || wasPrecise && isPrecise { return true }
        } else if let count = gap {
            let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            isPlain = isPlain && Self.between.contains(lower)
            let isGap = isPlain || wasPrecise && PlaceText.isVisible(byte)
            gap = count < Self.longestGap && isGap ? count + 1 : nil
        }
        return false
    }
}
