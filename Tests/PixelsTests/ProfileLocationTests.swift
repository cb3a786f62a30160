// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import TestSupport
import Testing

@testable import Pixels

/// Places in the texts of colour profiles, judged by ExifTool.
@Suite struct ProfileLocationTests {
    private let photos: TaggedPhotos

    init() throws {
        HEIFFormats.install()
        photos = try TaggedPhotos()
    }

    private static let place = "Tower at 48.8584, 2.2945"

    private enum Kind: CaseIterable {
        case localized, chinese, ascii, description, own, gap, reserved
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        ByteReader.Order.bigEndian.bytes(of: number, width: 4)
    }

    /// A text in two languages.
    private static func localized(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let record = bigEndian(units.count) + bigEndian(16 + 2 * 12)
        return Array("mluc".utf8) + bigEndian(0) + bigEndian(2) + bigEndian(12)
            + Array("enUS".utf8) + record + Array("zhCN".utf8) + record + units
    }

    /// The profile of a fixture with more tags.
    private static func profile(_ kind: Kind, isLarge: Bool) throws -> [UInt8] {
        let file = Block(try Fixtures.bytes("colour/profile.webp")[...])
        let chunk = try #require(RIFFChunk.chunks(of: file).first { $0.name == "ICCP" })
        let old = try #require(ICCProfile(chunk.content))
        var tags = old.tags.filter { $0.isNumeric }.map {
            (name: $0.signature, value: Array($0.value.bytes(count: $0.value.count)))
        }
        func add(_ name: String, _ value: [UInt8]) { tags.append((Array(name.utf8), value)) }
        if isLarge {
            // More than a segment of a JPEG holds.
            add("larg", Array("ui08".utf8) + [UInt8](repeating: 7, count: 70_000))
        }
        let text = Array(place.utf8)
        switch kind {
        case .localized: add("desc", localized(place))
        case .chinese: add("desc", localized("坐标 48.8584，2.2945"))
        case .ascii: add("cprt", Array("text".utf8) + bigEndian(0) + text + [0])
        case .description:
            add(
                "desc",
                Array("desc".utf8) + bigEndian(0) + bigEndian(text.count + 1) + text + [0]
                    + [UInt8](repeating: 0, count: 78))
        case .own: add("zzzz", Array("zzzz".utf8) + bigEndian(0) + text)
        case .gap, .reserved: break
        }
        add("name", localized("A harmless name"))
        var header = Array(chunk.content.bytes(count: ICCProfile.headerSize))
        var (table, values): ([UInt8], [UInt8]) = (bigEndian(tags.count), [])
        let start = ICCProfile.headerSize + 4 + 12 * tags.count
        for tag in tags {
            table += tag.name + bigEndian(start + values.count) + bigEndian(tag.value.count)
            values += tag.value
            while values.count % 4 > 0 { values.append(0) }
        }
        if kind == .gap { values += text }
        if kind == .reserved { header.replaceSubrange(100..<124, with: text.prefix(24)) }
        // A checksum.
        header.replaceSubrange(84..<100, with: [UInt8](repeating: 9, count: 16))
        header.replaceSubrange(0..<4, with: bigEndian(start + values.count))
        return header + table + values
    }

    private static let carriers = [
        "jpeg/baseline.jpg", "png/rgb.png", "formats/blocks.tif", "formats/blocks.webp",
        "formats/blocks.psd", "formats/blocks.gif",
    ]

    @Test(arguments: carriers, Kind.allCases)
    private func `a text in a profile that tells a place goes, and the colours stay`(
        name: String, kind: Kind
    ) throws {
        for isLarge in [false, true] {
            let profile = try Self.profile(kind, isLarge: isLarge)
            let path = try photos.write(profile, "profile.icc")
            let photo = try photos.copy(name, ["-ICC_Profile<=\(path)"])
            let derived = try #require(
                try PictureFile.derive(photo, Derivation(removesLocation: true)), "\(name)")
            #expect(derived.isLocationRemoved && !derived.isConverted)
            let result = try photos.applied(derived, to: photo)
            let old = try photos.binary(of: photo, "-ICC_Profile")
            #expect(old == profile)
            let new = try photos.binary(
                of: try MemoryFile.make(named: "result", holding: result), "-ICC_Profile")
            #expect(
                ICCProfile.colours(in: Block(new[...])).dropFirst()
                    .elementsEqual(ICCProfile.colours(in: Block(old[...])).dropFirst()))
            let text = String(decoding: new.filter { $0 != 0 }, as: UTF8.self)
            #expect(!text.contains("48.85"))
            #expect(text.contains("A harmless name"))
            #expect(new[84..<100].allSatisfy { $0 == 0 })
            #expect(try LocationTests.cleaned(result) == nil)
        }
    }

    @Test(arguments: carriers)
    func `a profile without a place stays as it is`(name: String) throws {
        let file = Block(try Fixtures.bytes("colour/profile.webp")[...])
        let chunk = try #require(RIFFChunk.chunks(of: file).first { $0.name == "ICCP" })
        let path = try photos.write(Array(chunk.content.bytes(count: chunk.content.count)), "p.icc")
        let photo = try photos.copy(name, ["-ICC_Profile<=\(path)"])
        #expect(try PictureFile.derive(photo, Derivation(removesLocation: true)) == nil)
    }

    @Test func `the name of a profile in a PNG that tells a place goes`() throws {
        let path = try photos.write(try Self.profile(.reserved, isLarge: false), "profile.icc")
        let photo = try photos.copy(
            "png/rgb.png", ["-ICC_Profile<=\(path)", "-PNG:ProfileName=\(Self.place)"])
        let derived = try #require(
            try PictureFile.derive(photo, Derivation(removesLocation: true)))
        let result = try photos.applied(derived, to: photo)
        #expect(!String(decoding: result, as: UTF8.self).contains("48.85"))
    }
}
