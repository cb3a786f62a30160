// SPDX-License-Identifier: MIT

import Photos

extension Patch {
    /// Blanks the properties of an XMP packet whose names begin with “GPS”, in any namespace.
    ///
    /// - Parameter packet: The packet in memory; properties are attributes or elements.
    /// - Returns: Whether there were any.
    /// - Source: XMP Specification Part 1, 7; CIPA DC-010, Exif 2.3 metadata for XMP.
    mutating func removeXMPLocation(from packet: Block) -> Bool {
        let properties = XMPText(packet.bytes(count: packet.count)).locations
        for property in properties {
            if let block = packet.part(
                at: property.lowerBound - packet.range.lowerBound, count: property.count)
            {
                fill(block, with: UInt8(ascii: " "))
            }
        }
        return !properties.isEmpty
    }
}

/// The text of an XMP packet.
private struct XMPText {
    /// The longest value of a property to remove.
    private static let maximumProperty = 4096

    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// The ranges of the properties with a location.
    var locations: [Range<Int>] {
        var properties: [Range<Int>] = []
        for pattern in [":GPS", ":Gps"] {
            var position = bytes.startIndex
            while let colon = bytes.firstIndex(of: Array(pattern.utf8), from: position) {
                let property = property(around: colon)
                if let property { properties.append(property) }
                position = property?.upperBound ?? colon + pattern.utf8.count
            }
        }
        return properties
    }

    /// The range of a whole property, starting at its name or bracket.
    private func property(around colon: Int) -> Range<Int>? {
        var start = colon
        while start > bytes.startIndex, isNameByte(bytes[start - 1]) { start -= 1 }
        guard start > bytes.startIndex, start < colon else { return nil }
        var end = colon + 1
        while end < bytes.endIndex, isNameByte(bytes[end]) { end += 1 }
        let limit = min(bytes.endIndex, end + Self.maximumProperty)
        if bytes[start - 1] == UInt8(ascii: "<") {
            return elementEnd(named: Array(bytes[start..<end]), from: end, limit).map {
                start - 1..<$0
            }
        }
        guard let open = bytes[end..<limit].firstIndex(where: { isQuote($0) }),
            let close = bytes[(open + 1)..<limit].firstIndex(of: bytes[open]),
            bytes[end..<open].allSatisfy({ $0 == UInt8(ascii: "=") || isBlank($0) })
        else { return nil }
        return start..<close + 1
    }

    private func elementEnd(named name: [UInt8], from start: Int, _ limit: Int) -> Int? {
        guard let bracket = bytes[start..<limit].firstIndex(of: UInt8(ascii: ">")) else {
            return nil
        }
        if bytes[bracket - 1] == UInt8(ascii: "/") { return bracket + 1 }
        let closing = Array("</".utf8) + name
        guard let end = bytes[..<limit].firstIndex(of: closing, from: bracket),
            let last = bytes[end..<limit].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        return last + 1
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: byte >= 0x80
        }
    }

    private func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }
}
