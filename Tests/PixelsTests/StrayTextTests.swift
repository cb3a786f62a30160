// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// Degrees, minutes and seconds as text in parts of files that contain no text.
@Suite struct StrayTextTests {
    private static let place = Array("48° 51' 30.24\" N, 2° 17' 40.2\" E".utf8)

    private func expectGone(_ file: [UInt8], _ name: String) throws {
        let cleaned = try #require(try LocationTests.cleaned(file), "\(name): nothing was removed")
        #expect(cleaned.count == file.count)
        #expect(!String(decoding: cleaned, as: UTF8.self).contains("51' 30.24"), "\(name)")
        #expect(try LocationTests.cleaned(cleaned) == nil, "\(name)")
        #expect(try pixels(of: file) == pixels(of: cleaned), "\(name)")
    }

    /// Nil for markers that no library decodes.
    private func pixels(of file: [UInt8]) throws -> [UInt8]? {
        let memory = try MemoryFile.make(named: "picture", holding: file)
        return try? PictureFile.decode(memory, fitting: 4096).0.bytes
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)]
            + content
    }

    private static let segments: [(UInt8, String)] = [
        (0xF0, ""), (0xFD, ""), (0xE2, "FPXR\0"), (0xE8, "SPIFF\0"), (0xE7, "PENTAX \0"),
        (0xEE, "Adobe\0d\0\0\0\0\0"), (0xEB, "JP\0\u{1}\0\0\0\u{1}"), (0xEF, "Q "),
        (0xE2, "MPF\0"), (0xE2, "urn:iso:std:iso:ts:21496-1\0"), (0xEA, "AROT"),
        (0xE6, "GoPro\0"), (0xE0, "\0\0\0\0\0\0HEAPJPGM"),
    ]

    @Test(arguments: segments)
    func `a position in a segment without text goes`(marker: UInt8, head: String) throws {
        let file = try Fixtures.bytes("jpeg/baseline.jpg")
        let segment = Self.segment(marker, Array(head.utf8) + Self.place)
        try expectGone(Array(file[..<2]) + segment + file[2...], "\(marker)")
    }

    @Test func `a position between the segments of a JPEG goes`() throws {
        let file = try Fixtures.bytes("jpeg/baseline.jpg")
        // Behind the first segment.
        try expectGone(Array(file[..<20]) + Self.place + file[20...], "stray")
    }

    /// The picture of a manifest without a place stays.
    @Test func `a position in a box of a manifest goes`() throws {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            ByteReader.Order.bigEndian.bytes(of: content.count + 8, width: 4) + Array(name.utf8)
                + content
        }
        let manifest = box("jumb", box("jumd", Array("note".utf8)) + box("json", Self.place))
        let segment = Self.segment(0xEB, Array("JP".utf8) + [0, 1, 0, 0, 0, 1] + manifest)
        let file = try Fixtures.bytes("jpeg/baseline.jpg")
        try expectGone(Array(file[..<2]) + segment + file[2...], "manifest")
    }

    /// - Source: Portable Network Graphics (Third Edition), 5.5 and Annex D.
    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        let sum = body.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
                sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320
            }
        }
        let order = ByteReader.Order.bigEndian
        return order.bytes(of: content.count, width: 4) + body
            + order.bytes(of: Int(~sum), width: 4)
    }

    @Test(arguments: ["pCAL", "gIFx", "npTc", "sPLT", "pHYs", "tIME", "ppZz"])
    func `a position in a chunk of a PNG goes`(name: String) throws {
        let file = try Fixtures.bytes("png/rgb.png")
        let chunk = Self.chunk(name, Array("name\0".utf8) + Self.place)
        try expectGone(Array(file[..<33]) + chunk + file[33...], name)
    }

    /// Without the chunk, the colours might be others.
    @Test func `a PNG with a position among its colours is written anew`() throws {
        let file = try Fixtures.bytes("png/rgb.png")
        let chunk = Self.chunk("gAMA", [0, 0, 0xB1, 0x8F] + Self.place)
        let original = Array(file[..<33]) + chunk + file[33...]
        let derived = try #require(
            try PictureFile.derive(
                try MemoryFile.make(named: "original", holding: original),
                Derivation(removesLocation: true)))
        #expect(derived.isLocationRemoved && derived.isConverted)
        #expect(derived.bytes.firstRange(of: Self.place) == nil)
        #expect(try pixels(of: derived.bytes) == pixels(of: original))
    }

    @Test func `a position in a frame of a WebP goes`() throws {
        let file = try Fixtures.bytes("formats/moving.webp")
        let frame = try #require(
            file.indices.first { file[$0...].starts(with: "ANMF".utf8) })
        let old = Int(file[frame + 4]) | Int(file[frame + 5]) << 8 | Int(file[frame + 6]) << 16
        let text = Self.place + (Self.place.count % 2 == 1 ? [0x20] : [])
        let order = ByteReader.Order.littleEndian
        let chunk = Array("NOTE".utf8) + order.bytes(of: text.count, width: 4) + text
        let end = frame + 8 + old + old % 2
        var new = Array(file[..<end]) + chunk + file[end...]
        new.replaceSubrange(
            frame + 4..<frame + 8, with: order.bytes(of: end - frame - 8 + chunk.count, width: 4))
        new.replaceSubrange(4..<8, with: order.bytes(of: new.count - 8, width: 4))
        try expectGone(new, "frame")
    }

    @Test func `a position behind the pixels of a bitmap goes`() throws {
        try expectGone(try Fixtures.bytes("formats/blocks.bmp") + Self.place, "behind")
    }

    @Test func `a position as text behind a TIFF file goes`() throws {
        try expectGone(try Fixtures.bytes("formats/blocks.tif") + Self.place, "behind")
    }

    /// The value of a tag that is no text, in EXIF data and in a TIFF file.
    @Test(arguments: [1, 7], [0xA40B, 0x8828, 0xA302, 0x0110])
    func `a position in a tag of bytes goes`(type: Int, tag: Int) throws {
        func little(_ number: Int, _ width: Int) -> [UInt8] {
            ByteReader.Order.littleEndian.bytes(of: number, width: width)
        }
        let structure =
            Array("II*\0".utf8) + little(8, 4) + little(1, 2) + little(tag, 2) + little(type, 2)
            + little(Self.place.count, 4) + little(26, 4) + little(0, 4) + Self.place
        let file = try Fixtures.bytes("jpeg/baseline.jpg")
        let segment = Self.segment(0xE1, Array("Exif\0\0".utf8) + structure)
        try expectGone(Array(file[..<2]) + segment + file[2...], "\(tag)")
    }

    /// Bytes that are no characters complete what looks like an angle in two of a hundred such blocks.
    @Test func `random data is no position`() {
        var state: UInt64 = 1
        for _ in 0..<200 {
            let block = (0..<65_536).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            #expect(!PlaceText.tellsPosition(inData: block))
        }
    }

    @Test(arguments: ["48°51'30\"N 2°17'40\"E", "北纬39.908度，东经116.397度", "at 48.8584, 2.2945"])
    func `a position is found between bytes that are no text`(text: String) {
        let noise = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 167 | 0x80) }
        let wide = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(PlaceText.tellsPosition(inData: noise + Array(text.utf8) + noise))
        let isLatin = text.utf16.allSatisfy { $0 < 0x100 }
        #expect(!isLatin || PlaceText.tellsPosition(inData: noise + wide + noise))
    }

    /// Where nothing is known of the bytes, they are searched for marks of degrees, minutes and seconds.
    @Test(arguments: [
        "48° 51' 30.24\" N", "48°51′30″", "48 ° 51 ' 30 ''", "48°51.504' 2°17.67'",
        "48°51’30”N",
    ])
    func `an angle is found in any data`(angle: String) {
        let noise = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
        #expect(LocationScan.findsPlace(in: noise + Array(angle.utf8) + noise))
        #expect(LocationScan.findsPlace(in: Array(angle.utf8)))
        #expect(LocationScan.findsPlace(in: noise + Array(angle.utf8)))
    }

    @Test(arguments: [
        "20° C, 5' walk", "rotated by 90°", "° 51' 30\"", "45° 3", "4° '", "48°", "12°30",
    ])
    func `other uses of the sign of degrees are no place`(text: String) {
        #expect(!LocationScan.findsPlace(in: Array(text.utf8)))
    }

    @Test(arguments: [
        "<g class='48.8584, 2.2945'/>", "<g id='p48.8584-2.2945'/>", "<g id='48.8584,2.2945'/>",
    ])
    func `a position in a name that nothing refers to goes from a drawing`(element: String) throws {
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect id='tower'/>"
            + "\(element)</svg>"
        let cleaned = try #require(try LocationTests.cleaned(Array(drawing.utf8)))
        let text = String(decoding: cleaned, as: UTF8.self)
        #expect(!text.contains("48.8584") && text.contains("id='tower'"))
    }

    @Test func `a name that a drawing refers to stays`() throws {
        let drawing =
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
            + "<g id='p48.8584-2.2945'/><use href='#p48.8584-2.2945'/></svg>"
        #expect(try LocationTests.cleaned(Array(drawing.utf8)) == nil)
    }

    @Test(arguments: [
        "<!ATTLIST svg where CDATA '48.8584, 2.2945'>", "<!NOTATION here SYSTEM '48.8584, 2.2945'>",
        "<!ENTITY where '> 48.8584, 2.2945'>",
    ])
    func `a position in a declaration of a drawing goes`(declaration: String) throws {
        let drawing =
            "<!DOCTYPE svg [\(declaration)]>"
            + "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
        let cleaned = try #require(try LocationTests.cleaned(Array(drawing.utf8)))
        #expect(!String(decoding: cleaned, as: UTF8.self).contains("48.8584"))
    }

    @Test(arguments: [
        "<style>/* 48.8584, 2.2945 */ rect { fill: red }</style>",
        "<!-- nothing --><style>rect { fill: red /*48.8584, 2.2945*/ }</style>",
    ])
    func `a position in a comment of a style sheet goes`(style: String) throws {
        let drawing =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">\(style)"
            + "<rect width=\"9\" height=\"9\"/></svg>"
        let cleaned = try #require(try LocationTests.cleaned(Array(drawing.utf8)))
        let text = String(decoding: cleaned, as: UTF8.self)
        #expect(!text.contains("48.8584") && text.contains("fill: red"))
    }

    /// They begin and end as comments of style sheets do.
    @Test func `what is between two patterns of names in a drawing stays`() throws {
        let drawing =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\">"
            + "<desc>made from img/*.svg</desc><path d=\"M48.8584,2.2945 L48.8594,2.2955\"/>"
            + "<style>/* red */ path { fill: red }</style></svg>"
        #expect(try LocationTests.cleaned(Array(drawing.utf8)) == nil)
    }

    @Test func `a drawing whose tags are overwritten is noticed`() throws {
        let old = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><g><path/></g></svg>".utf8)
        let new = Array(String(decoding: old, as: UTF8.self).replacing("</g>", with: "    ").utf8)
        let facts = try ImageFacts(
            reading: FileBytes(try MemoryFile.make(named: "drawing", holding: old)))
        #expect(throws: PixelError.miswritten) {
            try UnchangedPicture.check(new, madeFrom: Block(old[...]), facts)
        }
        try UnchangedPicture.check(old, madeFrom: Block(old[...]), facts)
    }

    @Test func `a position in an entity of a drawing goes`() throws {
        let drawing =
            "<!DOCTYPE svg [<!ENTITY where \"48.8584, 2.2945\"><!ENTITY what \"Tower\">]>"
            + "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>"
        let cleaned = try #require(try LocationTests.cleaned(Array(drawing.utf8)))
        let text = String(decoding: cleaned, as: UTF8.self)
        #expect(!text.contains("48.8584") && text.contains("<!ENTITY what \"Tower\">"))
    }
}
