// SPDX-License-Identifier: MIT

import Photos

/// Comments and descriptions that somebody wrote freely, and which tell coordinates.
extension PlacePattern {
    /// A longer text is not a description.
    private static let longestText = 64 << 10

    static let comments: [PlacePattern] = [
        // Comments of JPEG and JPEG 2000; their sizes include themselves.
        PlacePattern([0xFF, 0xFE]) { bytes, position in
            tellsCoordinates(bytes, size: position + 2..<position + 4, .bigEndian, less: 2)
        },
        PlacePattern([0xFF, 0x64]) { bytes, position in
            tellsCoordinates(bytes, size: position + 2..<position + 4, .bigEndian, less: 2)
        },
        // Attributes of OpenEXR.
        PlacePattern(Array("string\0".utf8)) { bytes, position in
            tellsCoordinates(bytes, size: position + 7..<position + 11, .littleEndian)
        },
        // Descriptions of HEIF items.
        PlacePattern(Array("udes".utf8)) { bytes, position in
            position >= 4
                && tellsCoordinates(
                    bytes, size: position - 4..<position, .bigEndian, less: 8, skipping: 4)
        },
        // Comments of drawings.
        PlacePattern(Array("<!--".utf8)) { bytes, position in
            let limit = min(bytes.count, position + longestText)
            // Another start is a hit of its own.
            let start = Array("<!--".utf8)
            var end = position + 4
            while end < limit {
                if bytes[end] == 0x3E, bytes[end - 1] == 0x2D, end > position + 5 { break }
                if bytes[end] == 0x3C, bytes[end..<min(end + 4, limit)].elementsEqual(start) {
                    break
                }
                end += 1
            }
            return LocationScan.findsCoordinates(bytes[position..<min(end, limit)])
        },
    ]

    /// Whether a size and a text with coordinates follow.
    ///
    /// - Parameters:
    ///   - size: Where the size is.
    ///   - less: How much is subtracted from it.
    ///   - skipping: The number of bytes between the size and the text.
    static func tellsCoordinates(
        _ bytes: Bytes, size: Range<Int>, _ order: ByteReader.Order, less: Int = 0,
        skipping: Int = 0
    ) -> Bool {
        guard size.upperBound <= bytes.count else { return false }
        let digits = order == .bigEndian ? Array(bytes[size]) : bytes[size].reversed()
        let count = digits.reduce(0) { $0 << 8 | Int($1) } - less
        let start = size.upperBound + skipping
        guard count >= 8, count <= longestText, start + count <= bytes.count else { return false }
        // A comment of JPEG 2000 starts with a number, a description of HEIF with a version.
        let text = bytes[start..<start + count].drop { $0 < 0x20 }
        let isText = text.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) || $0 == 0 }
        return isText && LocationScan.findsCoordinates(text)
    }
}
