// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// JPEGs with bytes between their segments that belong to none; decoders skip them.
@Suite struct StrayByteTests {
    /// What damage and programs leave there, and how much of it.
    private static let kinds: [(name: String, bytes: [UInt8])] = [
        ("fill", [0xFF]), ("stuffed", [0xFF, 0]), ("restarts", [0xFF, 0xD3]), ("zeros", [0]),
        ("picture", [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x01]),
        ("empty comments", [0xFF, 0xFE, 0, 0]),
    ]

    /// A file with other bytes in front of its metadata.
    private func file(_ name: String, behind stray: [UInt8]) throws -> [UInt8] {
        let picture = try Fixtures.bytes(name)
        let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 0x61, 0x62]
        return picture.prefix(2) + comment + stray + picture.dropFirst(2)
    }

    @Test(arguments: kinds.map(\.name), [1, 4095, 4096, 50_000])
    func `the size and the orientation behind stray bytes are read`(
        kind: String, count: Int
    ) throws {
        let unit = try #require(Self.kinds.first { $0.name == kind }).bytes
        // Comments of no length are segments, of which a file has few.
        let repeats = unit.count == 4 ? min(count, 100) : count / unit.count + 1
        let stray = [UInt8](repeatElement(unit, count: repeats).joined())
        let original = try ImageFacts(reading: FileBytes(Fixtures.open("orientation/6.jpg")))
        let damaged = try MemoryFile.make(
            named: "damaged", holding: file("orientation/6.jpg", behind: stray))
        let facts = try ImageFacts(reading: FileBytes(damaged))
        #expect(facts.storedSize == original.storedSize)
        #expect(facts.orientation == original.orientation)
        #expect(original.orientation != .upright)
    }

    @Test(arguments: ["exif.jpg", "xmp.jpg"], [0, 9000])
    func `a location behind stray bytes is removed and the picture kept`(
        name: String, count: Int
    ) throws {
        let bytes = try file(
            "location/\(name)", behind: [0, 1] + [UInt8](repeating: 0xFF, count: count))
        let derived = try #require(
            try PictureFile.derive(
                MemoryFile.make(named: "placed", holding: bytes),
                Derivation(removesLocation: true)))
        #expect(derived.isLocationRemoved && !derived.isConverted)
        #expect(!LocationScan.findsPlace(in: derived.bytes))
    }

    /// Nikon's cameras store XMP behind the frame.
    ///
    /// - Source: ITU-T T.81, B.2.4: such segments may precede a scan as well as a frame.
    @Test(arguments: ["jpeg/baseline.jpg", "jpeg/progressive.jpg"], ["Exif", "comment", "XMP"])
    func `metadata between the frame and a scan is removed and the picture kept`(
        name: String, kind: String
    ) throws {
        let picture = try Fixtures.bytes(name)
        let text = Array("48.858400, 2.294500".utf8)
        let placed =
            switch kind {
            case "Exif": try metadata(of: "location/exif.jpg")
            case "XMP": try metadata(of: "location/xmp.jpg")
            default: [0xFF, 0xFE, 0, UInt8(text.count + 2)] + text
            }
        let frame = try #require(JPEGSegments(Block(picture[...])).first { $0.isFrame })
        let behind = picture[frame.whole.range.lowerBound...]
        // Before each table and each scan; between the bytes of a scan there is no such marker.
        var places: [Int] = []
        for marker in [0xC4, 0xDA] as [UInt8] {
            var from = behind.startIndex
            while let place = behind.firstIndex(of: [0xFF, marker], from: from) {
                places.append(place)
                from = place + 2
            }
        }
        #expect(places.count >= (name.contains("progressive") ? 10 : 2))
        for place in places {
            let file = Array(picture[..<place] + placed + picture[place...])
            for wish in [
                Derivation(removesLocation: true),
                Derivation(removesLocation: false, removesMetadata: true),
            ] {
                let derived = try #require(
                    try PictureFile.derive(
                        MemoryFile.make(named: "placed", holding: file), wish))
                #expect(!derived.isConverted)
                let whole = derived.whole(of: file)
                #expect(!LocationScan.findsPlace(in: whole))
                let (bitmap, _) = try PictureFile.decode(
                    MemoryFile.make(named: "made", holding: whole), fitting: 640)
                let (expected, _) = try PictureFile.decode(Fixtures.open(name), fitting: 640)
                #expect(bitmap.bytes == expected.bytes)
            }
        }
    }

    /// The segments with metadata of a file.
    private func metadata(of name: String) throws -> [UInt8] {
        JPEGSegments(Block(try Fixtures.bytes(name)[...])).filter { $0.marker == 0xE1 }
            .flatMap { $0.whole.bytes(count: $0.whole.count) }
    }
}

extension DerivedPicture {
    /// The whole file, of whatever parts.
    fileprivate func whole(of original: [UInt8]) -> [UInt8] {
        guard let parts else { return bytes }
        var (whole, rest) = (original, bytes[...])
        for part in parts {
            whole.replaceSubrange(part, with: rest.prefix(part.count))
            rest = rest.dropFirst(part.count)
        }
        return whole
    }
}
