// SPDX-License-Identifier: MIT

import Files
import Photos
import Pixels
import TestSupport
import Testing

/// Files that are unusual but valid, or damaged but worth showing, as other programs write them.
@Suite struct VariantTests {
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

    @Test(arguments: ["gap.bmp", "short-palette.bmp", "short-core.bmp", "suggested-colours.bmp"])
    func `the pixels of a bitmap begin where its header says`(name: String) throws {
        try expectBlocks(in: name)
    }

    @Test func `the pixels of a bitmap do not begin inside its colours`() throws {
        try expectBlocks(in: "early-offset.bmp")
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
