// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import Pixels
import TestSupport
import Testing

/// Files that are unusual but valid, or damaged but worth showing, as other programs write them.
@Suite struct VariantTests {
    init() {
        HEIFFormats.install()
    }

    // MARK: - Colours

    @Test func `a CMYK JPEG without Adobe's marker is not black`() throws {
        try expectBlocks(in: "cmyk.jpg", within: 12)
    }

    @Test func `the brightness that a PNG states is shown`() throws {
        try expectBlocks(in: "gamma.png")
    }

    @Test func `the primaries that a PNG states are shown`() throws {
        try expectBlocks(in: "chromaticities.png")
    }

    /// - Source: Portable Network Graphics (Third Edition), 4.3: cICP has precedence.
    @Test func `the code points of a PNG count more than its profile`() throws {
        try expectBlocks(in: "code-points.png")
    }

    // MARK: - Libraries

    /// Debian 12 has libheif 1.15.
    @Test func `an uncompressed HEIF is shown, or the library is too old and not the file damaged`()
        throws
    {
        do {
            try expectBlocks(in: "uncompressed.heif")
        } catch {
            #expect(error as? PixelError == .needsLibheif)
        }
    }

    // MARK: - Layout

    @Test func `a PNG whose transparency comes too early shows no foreign memory`() throws {
        for _ in 0..<4 { try expectBlocks(in: "transparency-before-palette.png") }
    }

    @Test(arguments: [
        "gap.bmp", "short-palette.bmp", "short-core.bmp", "short-os2.bmp", "suggested-colours.bmp",
    ])
    func `the pixels of a bitmap begin where its header says`(name: String) throws {
        try expectBlocks(in: name)
    }

    @Test func `the pixels of a bitmap do not begin inside its colours`() throws {
        try expectBlocks(in: "early-offset.bmp")
    }

    @Test func `a bitmap with four bits for each channel has its colours and its transparency`()
        throws
    {
        try expectBlocks(in: "four-bits.bmp", within: 9)
        let (bitmap, _) = try PictureFile.decode(
            try Fixtures.open("variants/four-bits.bmp"), fitting: 256)
        #expect(bitmap.pixel(2, 2).last == 255)
        #expect(bitmap.pixel(46, 2).last == 170)
    }

    @Test(arguments: [8, 16], [false, true])
    func `a TIFF with a palette and with transparency has its colours`(
        bits: Int, isTransparent: Bool
    ) throws {
        let file = Self.paletteTIFF(bits: bits, alpha: isTransparent ? 0.5 : nil)
        let (bitmap, _) = try PictureFile.decode(
            try MemoryFile.make(named: "palette", holding: file), fitting: 256)
        #expect(bitmap.size == PixelSize(width: 2, height: 1))
        #expect(bitmap.pixel(0, 0).prefix(3) == [230, 30, 30])
        #expect(bitmap.pixel(1, 0).prefix(3) == [30, 30, 230])
        if isTransparent { #expect((127...128).contains(bitmap.pixel(0, 0)[3])) }
    }

    /// Two pixels, with the first and the last index.
    private static func paletteTIFF(bits: Int, alpha: Double?) -> [UInt8] {
        func short(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        func sample(_ value: Int) -> [UInt8] { bits == 8 ? [UInt8(value)] : short(value) }
        let most = (1 << bits) - 1
        let transparency = alpha.map { sample(Int(Double(most) * $0)) } ?? []
        let pixels = sample(0) + transparency + sample(most) + transparency
        // A column of reds, one of greens and one of blues.
        var colours: [UInt8] = []
        for (first, last) in [(230, 30), (30, 30), (30, 230)] {
            colours += short(first * 257)
            colours += [UInt8](repeating: 0, count: 2 * (most - 1))
            colours += short(last * 257)
        }
        let samples = alpha == nil ? 1 : 2
        var entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (0x100, 3, 1, 2), (0x101, 3, 1, 1), (0x103, 3, 1, 1), (0x106, 3, 1, 3),
            (0x102, 3, samples, samples == 1 ? bits : bits | bits << 16), (0x111, 4, 1, 8),
            (0x115, 3, 1, samples), (0x116, 3, 1, 1), (0x117, 4, 1, pixels.count),
            (0x140, 3, 3 << bits, 8 + pixels.count),
        ]
        // Not multiplied with the colour.
        if alpha != nil { entries.append((0x152, 3, 1, 2)) }
        entries.sort { $0.tag < $1.tag }
        let start = 8 + pixels.count + colours.count
        var file = Array("II*\0".utf8)
        file += LocationTests.little(start)
        file += pixels
        file += colours
        file += short(entries.count)
        for entry in entries {
            file += short(entry.tag)
            file += short(entry.type)
            file += LocationTests.little(entry.count)
            file += LocationTests.little(entry.value)
        }
        return file + [0, 0, 0, 0]
    }

    @Test func `an icon that contains a PNG is shown`() throws {
        try expectBlocks(in: "png.ico")
    }

    /// The picture that is announced has 96 × 64 pixels, and 16 black rows follow.
    @Test(arguments: [24, 48])
    func `the padding of a HEIC's small picture is not shown`(side: Int) throws {
        let (bitmap, facts) = try PictureFile.decode(
            try Fixtures.open("variants/padded-thumbnail.heic"), fitting: side, .fast)
        #expect(facts.size == PixelSize(width: 192, height: 128))
        #expect(bitmap.size == PixelSize(width: side, height: side * 2 / 3))
        // Yellow at the bottom left.
        let pixel = bitmap.pixel(side / 6, bitmap.size.height - 2)
        #expect(pixel[0] > 200 && pixel[1] > 200 && pixel[2] < 60, "\(pixel)")
    }

    // MARK: - Truncated files

    /// What is left of it is shown, or it is damaged; it is not unsupported.
    @Test(arguments: ["formats/blocks.heic", "variants/padded-thumbnail.heic"], [0.6, 0.8, 0.97])
    func `a truncated HEIC has its size, and is shown or called damaged`(
        name: String, share: Double
    ) throws {
        let whole = try Fixtures.bytes(name)
        let cut = try MemoryFile.make(
            named: "cut", holding: Array(whole.prefix(Int(Double(whole.count) * share))))
        let facts = try ImageFacts(reading: FileBytes(Fixtures.open(name)))
        #expect(try ImageFacts(reading: FileBytes(cut)).size == facts.size)
        do throws(PixelError) {
            let (bitmap, _) = try PictureFile.decode(cut, fitting: 256)
            #expect(bitmap.size == facts.size?.fitted(in: 256))
        } catch {
            #expect(error == .damaged)
        }
    }

    @Test(arguments: ["cut.png", "cut-interlaced.png"])
    func `the rows of a truncated PNG are shown`(name: String) throws {
        let (bitmap, _) = try PictureFile.decode(
            try Fixtures.open("variants/\(name)"), fitting: 256)
        #expect(bitmap.size == PixelSize(width: 48, height: 32))
        #expect(bitmap.pixel(8, 8) == [230, 30, 30])
        #expect(bitmap.pixel(40, 14) == [30, 30, 230])
        // More than half of the file is there, so more than half of the rows.
        #expect(bitmap.pixel(8, 17) == [230, 230, 30])
    }

    // MARK: - Facts

    @Test func `a JPEG with bytes between its segments has its size`() throws {
        let file = try Fixtures.open("variants/junk.jpg")
        #expect(try ImageFacts(reading: FileBytes(file)).size == PixelSize(width: 48, height: 32))
        try expectBlocks(in: "junk.jpg")
    }

    @Test(arguments: ["xmp-original.jpg", "xmp-created.jpg", "compressed-xmp.png"])
    func `a date that is only in XMP counts more than that of a change`(name: String) throws {
        try expectDate(in: name)
    }

    /// ImageMagick and libavif write the name of a profile differently.
    @Test(arguments: ["text-profile.png", "exif-profile.png"])
    func `the date in a PNG's textual profile is read`(name: String) throws {
        try expectDate(in: name)
    }

    private func expectDate(in name: String) throws {
        let facts = try ImageFacts(reading: FileBytes(Fixtures.open("variants/\(name)")))
        #expect(
            facts.taken
                == CaptureDate(
                    year: 2026, month: 5, day: 3, hour: 14, minute: 10, second: 59, offset: 120))
    }

    /// The centres of the six blocks of the labelled picture.
    private static let blocks: [(x: Int, y: Int, colour: [Int])] = [
        (8, 8, [230, 30, 30]), (24, 8, [30, 200, 30]), (40, 8, [30, 30, 230]),
        (8, 24, [230, 230, 30]), (24, 24, [230, 30, 230]), (40, 24, [30, 230, 230]),
    ]

    private func expectBlocks(in name: String, within tolerance: Int = 6) throws {
        let (bitmap, _) = try PictureFile.decode(
            try Fixtures.open("variants/\(name)"), fitting: 256)
        #expect(bitmap.size == PixelSize(width: 48, height: 32))
        for (x, y, colour) in Self.blocks {
            for (found, expected) in zip(bitmap.pixel(x, y), colour) {
                #expect(abs(Int(found) - expected) <= tolerance, "at \(x), \(y)")
            }
        }
    }
}
