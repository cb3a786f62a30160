// SPDX-License-Identifier: MIT

import Photos

/// How something that tells a place begins, and how it goes on.
struct PlacePattern: Sendable {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    /// The first bytes; letters in lower case if ``isText``.
    private let start: [UInt8]
    private let isText: Bool
    /// Whether it consists of numbers, and nothing that tells what they mean.
    let isNumber: Bool
    /// Whether it is a file that is written as characters, which takes long to read.
    let isEncoded: Bool
    /// Whether it is a chunk of a PNG file, whose text may be compressed.
    let isChunk: Bool
    /// Whether what surrounds the start confirms it.
    private let confirms: @Sendable (Bytes, Int) -> Bool

    init(
        _ start: [UInt8], isText: Bool = false, isNumber: Bool = false,
        isEncoded: Bool = false, isChunk: Bool = false,
        _ confirms: @escaping @Sendable (Bytes, Int) -> Bool = { _, _ in true }
    ) {
        self.start = start
        self.isText = isText
        self.isNumber = isNumber
        self.isEncoded = isEncoded
        self.isChunk = isChunk
        self.confirms = confirms
    }

    func matches(_ bytes: Bytes, at position: Int) -> Bool {
        guard bytes.count - position >= start.count else { return false }
        for (index, expected) in start.enumerated() {
            var byte = bytes[position + index]
            if isText, (0x41...0x5A).contains(byte) { byte |= 0x20 }
            if byte != expected { return false }
        }
        return confirms(bytes, position)
    }

    // MARK: - By their first two bytes

    static let byPair: [UInt16: [PlacePattern]] = {
        var byPair: [UInt16: [PlacePattern]] = [:]
        for pattern in all {
            func variants(_ byte: UInt8) -> [UInt8] {
                pattern.isText && (0x61...0x7A).contains(byte) ? [byte, byte & 0xDF] : [byte]
            }
            for first in variants(pattern.start[0]) {
                for second in variants(pattern.start[1]) {
                    byPair[UInt16(first) << 8 | UInt16(second), default: []].append(pattern)
                }
            }
        }
        return byPair
    }()

    /// 1 for each pair of bytes with which a pattern begins, by the little-endian number of the pair.
    ///
    /// A byte for each is found in half the time of a bit, and this is done for every byte of a file.
    static let pairs: [UInt8] = {
        var isStart = [UInt8](repeating: 0, count: 65_536)
        for pair in byPair.keys { isStart[Int(pair.byteSwapped)] = 1 }
        return isStart
    }()

    // MARK: - Patterns

    private static let all =
        names + directories + boxes + texts + comments + streams + numbers + angles + chunks

    /// Names of properties, and sentences of GPS receivers.
    private static let names: [PlacePattern] = {
        let words = [
            "latitude", "longitude", "longtitude", "iso6709", "geo:lat", "geo:long",
            "gpscoordinates", "locationcreated", "locationshown", "sublocation", "photoshop:city",
            "photoshop:state", "photoshop:country", "cai.location", "iptc4xmpcore:location",
            "iptc4xmpcore:countrycode", "wgs-84", "$gprmc,", "$gpgga,", "$gnrmc,",
            "$gngga,", "freegps ", "ligogpsinfo", "lrftargetl",
        ]
        let wide = ["latitude", "longitude"].flatMap { word in
            [
                PlacePattern(word.utf8.flatMap { [$0, 0] }, isText: true),
                PlacePattern(word.utf8.flatMap { [0, $0] }, isText: true),
            ]
        }
        // The name of a namespace goes on with “_pos”.
        let datum = PlacePattern(Array("wgs84".utf8), isText: true) { bytes, position in
            position + 5 >= bytes.count || bytes[position + 5] != UInt8(ascii: "_")
        }
        // The subtitles of drones.
        let drone = PlacePattern(Array("gps(".utf8), isText: true) { bytes, position in
            position + 4 < bytes.count
                && ((0x30...0x39).contains(bytes[position + 4]) || bytes[position + 4] == 0x2D)
        }
        // `geo:48.8584,2.2945`
        let uri = PlacePattern(Array("geo:".utf8), isText: true) { bytes, position in
            let text = bytes[position..<min(bytes.count, position + 40)]
            return position + 4 < bytes.count
                && ((0x30...0x39).contains(bytes[position + 4]) || bytes[position + 4] == 0x2D)
                && text.contains(UInt8(ascii: ","))
        }
        // The list of a program that keeps people, places and names apart.
        let list = PlacePattern(Array("<places>".utf8), isText: true) { bytes, position in
            position + 8 < bytes.count && bytes[position + 8] != UInt8(ascii: "<")
        }
        return words.map { PlacePattern(Array($0.utf8), isText: true) } + wide
            + [datum, drone, uri, list]
    }()

    /// Latitude and longitude in a GPS directory of EXIF data, and in Nikon's videos: three
    /// fractions each.
    private static let directories: [PlacePattern] = [
        PlacePattern([2, 0, 5, 0, 3, 0, 0, 0]) { bytes, position in
            contains([4, 0, 5, 0, 3, 0, 0, 0], bytes, position + 12, 40)
        },
        PlacePattern([0, 2, 0, 5, 0, 0, 0, 3]) { bytes, position in
            contains([0, 4, 0, 5, 0, 0, 0, 3], bytes, position + 12, 40)
        },
        // BigTIFF.
        PlacePattern([2, 0, 5, 0, 3, 0, 0, 0, 0, 0, 0, 0]) { bytes, position in
            contains([4, 0, 5, 0, 3, 0, 0, 0, 0, 0, 0, 0], bytes, position + 20, 60)
        },
        PlacePattern([0x01, 0x20, 0x00, 0x02, 0x00, 0x05, 0x00, 0x03]),
        PlacePattern([0x1C, 0x02], confirmsIPTC),
    ]

    /// Boxes and chunks with a position, and streams of positions.
    private static let boxes: [PlacePattern] =
        [
            PlacePattern([0xA9, 0x78, 0x79, 0x7A], followsSize),
            PlacePattern(Array("loci".utf8), followsSize),
            PlacePattern(Array("gps0".utf8), followsSize),
            PlacePattern(Array("gpmd".utf8), followsSize),
            PlacePattern(Array("camm".utf8), followsSize),
            PlacePattern(Array("rtmd".utf8), followsSize),
            PlacePattern(Array("brobExif".utf8), compressesPlace),
            PlacePattern(Array("brobxml ".utf8), compressesPlace),
            PlacePattern(Array("brobjumb".utf8)),
        ]
        + ["GPS5l", "GPS9?", "GLPI?", "GPRI?"].map { stream in
            PlacePattern(Array(stream.utf8)) { bytes, position in
                // The size of a value, and how many there are.
                guard bytes.count - position > 8 else { return false }
                let count = Int(bytes[position + 6]) << 8 | Int(bytes[position + 7])
                let size = min(Int(bytes[position + 5]) * count, 40)
                return (position + 8..<min(bytes.count, position + 8 + size))
                    .contains { bytes[$0] != 0 }
            }
        }

    /// `+48.8584+002.2945/`, and pictures as characters.
    private static let texts: [PlacePattern] =
        (0x30...0x39).flatMap { digit in
            [
                PlacePattern([0x2B, digit], confirmsPosition),
                PlacePattern([0x2D, digit], confirmsPosition),
            ]
        } + [PlacePattern(Array("/9j/".utf8), isEncoded: true, hidesPlace)]

    // MARK: - Confirmation

    private static func contains(
        _ bytes: [UInt8], _ buffer: Bytes, _ start: Int, _ count: Int
    ) -> Bool {
        let end = min(buffer.count - bytes.count, start + count)
        guard start <= end else { return false }
        return (start...end).contains { position in
            bytes.indices.allSatisfy { buffer[position + $0] == bytes[$0] }
        }
    }

    /// Whether a size of less than 64 KiB precedes a name.
    private static func followsSize(_ bytes: Bytes, _ position: Int) -> Bool {
        guard position >= 4, bytes[position - 4] == 0, bytes[position - 3] == 0 else {
            return false
        }
        let size = Int(bytes[position - 2]) << 8 | Int(bytes[position - 1])
        return size > 8 && bytes.count - position > 8
            && (position + 4..<position + 8).contains { bytes[$0] != 0 }
            || size > 12
    }

    /// City, state, country and the like, with a text.
    ///
    /// - Source: IPTC Information Interchange Model 4.2, 6.
    private static func confirmsIPTC(_ bytes: Bytes, _ position: Int) -> Bool {
        let names: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]
        guard bytes.count - position > 6 else { return false }
        guard names.contains(bytes[position + 2]) else {
            return tellsCoordinates(bytes, size: position + 3..<position + 5, .bigEndian)
        }
        guard bytes[position + 3] == 0 else { return false }
        let count = Int(bytes[position + 4])
        let end = position + 5 + count
        guard count >= 2, count <= 128, end <= bytes.count else { return false }
        let isText = (position + 5..<end).allSatisfy { bytes[$0] >= 0x20 && bytes[$0] != 0x7F }
        return isText && (end == bytes.count || bytes[end] == 0x1C || bytes[end] == 0)
    }

    /// Two numbers with a sign and decimals, and a solidus at the end.
    ///
    /// - Source: ISO 6709, Annex H.
    private static func confirmsPosition(_ bytes: Bytes, _ position: Int) -> Bool {
        var index = position
        for numbers in 0..<3 {
            guard index < bytes.count else { return false }
            if bytes[index] == UInt8(ascii: "/") { return numbers > 1 }
            guard [0x2B, 0x2D].contains(bytes[index]) else { return false }
            let start = index + 1
            index = start
            func skipDigits() {
                while index < bytes.count, index - start < 16, (0x30...0x39).contains(bytes[index])
                {
                    index += 1
                }
            }
            // Digits, and perhaps a point and more of them.
            skipDigits()
            guard (1...7).contains(index - start) else { return false }
            if index < bytes.count, bytes[index] == 0x2E {
                index += 1
                skipDigits()
            }
            if index - start < (numbers < 2 ? 4 : 1) { return false }
        }
        return index < bytes.count && [0x2F, 0x43].contains(bytes[index])
    }

    /// Whether a compressed box tells a place, or cannot be read.
    private static func compressesPlace(_ bytes: Bytes, _ position: Int) -> Bool {
        guard position >= 4 else { return true }
        let size = bytes[position - 4..<position].reduce(0) { $0 << 8 | Int($1) }
        let end = position - 4 + size
        guard size >= 12, end <= bytes.count,
            let content = CompressedBox.decompressed(Array(bytes[position + 4..<end]))
        else { return true }
        return namesPlace(content)
    }

    /// Whether bytes contain a name or a directory that tells a place.
    private static func namesPlace(_ content: [UInt8]) -> Bool {
        content.withUnsafeBufferPointer { content in
            content.indices.contains { index in
                byFirst[Int(content[index] | 0x20)].contains { $0.matches(content, at: index) }
            }
        }
    }

    /// Directories and names by their first byte, in lower case.
    private static let byFirst: [[PlacePattern]] = (0...255).map { byte in
        (directories + names).filter { Int($0.start[0] | 0x20) == byte }
    }

    /// The most bytes of a JPEG to read.
    private static let maximumJPEG = 96 << 10

    /// At most how many bytes are read of a file that is written as characters.
    static func encodedCount(_ bytes: Bytes, _ position: Int) -> Int {
        let limit = min(bytes.count, position + maximumJPEG / 3 * 4)
        var end = position
        while end < limit, isEncoded(bytes[end]) { end += 1 }
        return end - position
    }

    /// Whether a byte belongs to a file that is written as characters, or to a break between lines.
    private static func isEncoded(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2B, 0x2F, 0x20, 0x09, 0x0A, 0x0D: true
        case UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"): true
        default: false
        }
    }

    /// Whether a JPEG that is written as characters tells a place.
    private static func hidesPlace(_ bytes: Bytes, _ position: Int) -> Bool {
        var content: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        var index = position
        while index < bytes.count, content.count < maximumJPEG {
            let byte = bytes[index]
            index += 1
            let value: UInt8
            switch byte {
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            case 0x0A, 0x0D, 0x20, 0x09: continue
            case UInt8(ascii: "&"):
                // A line feed, written as a character reference.
                while index < bytes.count, bytes[index] != UInt8(ascii: ";") { index += 1 }
                index += 1
                continue
            default:
                index = bytes.count
                continue
            }
            bits = bits << 6 | UInt32(value)
            count += 1
            if count % 4 == 0 {
                content.append(UInt8(truncatingIfNeeded: bits >> 16))
                content.append(UInt8(truncatingIfNeeded: bits >> 8))
                content.append(UInt8(truncatingIfNeeded: bits))
            }
        }
        return content.count > 100 && namesPlace(content)
    }
}
