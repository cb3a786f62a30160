// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import TestSupport
import Testing

@testable import Pixels

/// Places in the names, properties and structure of HEIF files, and in boxes of JPEG XL.
@Suite struct ItemPlaceTests {
    private static let place = Array("48° 51' 30.24\" N, 2° 17' 40.2\" E".utf8)

    init() {
        HEIFFormats.install()
    }

    private enum Spot: CaseIterable {
        case itemName, handler, property, kindOfAuxiliary, alternative, description, reference
        case group, unusedData
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        ByteReader.Order.bigEndian.bytes(of: content.count + 8, width: 4) + Array(name.utf8)
            + content
    }

    private static func all(_ block: Block) -> [UInt8] { Array(block.bytes(count: block.count)) }

    /// A HEIF file with a text in its metadata, which is at its end so that nothing else moves.
    private static func picture(_ text: [UInt8], at spot: Spot) throws -> [UInt8] {
        let file = try Fixtures.bytes("formats/blocks.heic")
        let old = try #require(
            ISOBox.boxes(in: Block(file[...])).first { $0.name == "meta" })
        let boxes = ISOBox.boxes(in: old.content.dropFirst(4))
        var meta = Array(old.content.bytes(count: 4))
        for box in boxes {
            var content = all(box.content)
            switch (box.name, spot) {
            case ("hdlr", .handler): content = Array(content.prefix(24)) + text + [0]
            case ("iinf", .itemName):
                // A version, flags and a count precede the items.
                let items = ISOBox.boxes(in: box.content.dropFirst(6), atMost: 1000)
                content = Array(content.prefix(6))
                for item in items {
                    let old = all(item.content)
                    // A version, flags, a number, an index and a type.
                    let rest = old.dropFirst(12).drop { $0 != 0 }
                    content += Self.box("infe", Array(old.prefix(12)) + text + rest)
                }
            case ("iprp", _):
                content = ISOBox.boxes(in: box.content).flatMap { list in
                    Self.box(
                        list.name,
                        all(list.content) + (list.name == "ipco" ? property(text, spot) : []))
                }
            default: break
            }
            meta += Self.box(box.name, content)
        }
        switch spot {
        case .reference:
            let link = Self.box("url ", [0, 0, 0, 0] + text + [0])
            meta += Self.box("dinf", Self.box("dref", [0, 0, 0, 0, 0, 0, 0, 1] + link))
        case .group:
            meta += Self.box("grpl", Self.box("altr", [UInt8](repeating: 0, count: 12) + text))
        case .unusedData: meta += Self.box("idat", text)
        default: break
        }
        // The old metadata becomes free space.
        var new = file
        let type = old.typeField.range.lowerBound
        new.replaceSubrange(type..<type + 4, with: Array("free".utf8))
        for index in old.content.range { new[index] = 0 }
        return new + Self.box("meta", meta)
    }

    private static func property(_ text: [UInt8], _ spot: Spot) -> [UInt8] {
        switch spot {
        case .property: box("zzzz", text)
        case .kindOfAuxiliary: box("auxC", [0, 0, 0, 0] + Array("urn:".utf8) + text + [0])
        case .alternative: box("altt", [0, 0, 0, 0] + text + [0, 0])
        case .description: box("udes", [0, 0, 0, 0] + Array("en\0A name\0".utf8) + text + [0, 0])
        default: []
        }
    }

    private func pixels(of file: [UInt8]) throws -> [UInt8] {
        try PictureFile.decode(try MemoryFile.make(named: "picture", holding: file), fitting: 4096)
            .0.bytes
    }

    @Test(arguments: Spot.allCases)
    private func `a position in the structure of a HEIF file goes`(spot: Spot) throws {
        let file = try Self.picture(Self.place, at: spot)
        let cleaned = try #require(try LocationTests.cleaned(file), "nothing was removed")
        #expect(cleaned.count == file.count)
        #expect(cleaned.firstRange(of: Array("51' 30.24".utf8)) == nil)
        #expect(try LocationTests.cleaned(cleaned) == nil)
        #expect(try pixels(of: cleaned) == pixels(of: file))
    }

    @Test(arguments: [Spot.itemName, .handler, .alternative, .description])
    private func `a text without a position stays in a HEIF file`(spot: Spot) throws {
        let file = try Self.picture(Array("A tower in summer".utf8), at: spot)
        #expect(try LocationTests.cleaned(file) == nil)
    }

    /// A HEIF file whose picture is a JPEG.
    private static func picture(holding stream: [UInt8]) -> [UInt8] {
        let start = box("ftyp", Array("mif1\0\0\0\0mif1jpeg".utf8))
        func number(_ number: Int, _ width: Int = 2) -> [UInt8] {
            ByteReader.Order.bigEndian.bytes(of: number, width: width)
        }
        func meta(_ offset: Int) -> [UInt8] {
            let entry = box("infe", [2, 0, 0, 0] + number(1) + number(0) + Array("jpeg\0".utf8))
            let place = number(1) + number(0) + number(1) + number(offset, 4)
            return box(
                "meta",
                [0, 0, 0, 0]
                    + box(
                        "hdlr",
                        [UInt8](repeating: 0, count: 8) + Array("pict".utf8)
                            + [UInt8](repeating: 0, count: 13))
                    + box("pitm", [0, 0, 0, 0] + number(1))
                    + box("iinf", [0, 0, 0, 0] + number(1) + entry)
                    + box(
                        "iloc",
                        [0, 0, 0, 0, 0x44, 0] + number(1) + place + number(stream.count, 4)))
        }
        let size = start.count + meta(0).count + 8
        return start + meta(size) + box("mdat", stream)
    }

    @Test func `a JPEG that is an item loses its location`() throws {
        let stream = try Fixtures.bytes("location/exif.jpg")
        let file = Self.picture(holding: stream)
        let cleaned = try #require(try LocationRemoval.apply(to: file))
        #expect(cleaned.count == file.count)
        // It is the one that remains of the file itself.
        let expected = try #require(try LocationTests.cleaned(stream))
        #expect(cleaned.firstRange(of: expected) != nil)
    }

    @Test func `an item that is damaged is noticed`() throws {
        let file = try Fixtures.bytes("formats/blocks.heic")
        let facts = try ImageFacts(
            reading: FileBytes(try MemoryFile.make(named: "item", holding: file)))
        let media = try #require(ISOBox.boxes(in: Block(file[...])).first { $0.name == "mdat" })
        var broken = file
        for index in media.content.range.suffix(40) { broken[index] = 0 }
        #expect(throws: PixelError.miswritten) {
            try UnchangedPicture.check(broken, madeFrom: Block(file[...]), facts)
        }
        try UnchangedPicture.check(file, madeFrom: Block(file[...]), facts)
    }

    @Test(arguments: ["jxll", "jxli"])
    func `a position in an index of a JPEG XL file goes`(name: String) throws {
        let file =
            try Fixtures.bytes("variants/compressed-date.jxl") + Self.box(name, Self.place)
        let cleaned = try #require(try LocationTests.cleaned(file), "nothing was removed")
        #expect(cleaned.firstRange(of: Array("51' 30.24".utf8)) == nil)
        #expect(try LocationTests.cleaned(cleaned) == nil)
    }
}
