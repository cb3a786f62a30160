// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import Pixels
import RareFormats
import SystemPackage
import TestSupport
import Testing

@Suite struct DecodingTests {
    init() {
        HEIFFormats.install()
        RareFormats.install()
    }

    /// The centres of the six blocks of the upright labelled picture.
    private static let blocks: [(x: Int, y: Int, colour: [Int])] = [
        (8, 8, [230, 30, 30]), (24, 8, [30, 200, 30]), (40, 8, [30, 30, 230]),
        (8, 24, [230, 230, 30]), (24, 24, [230, 30, 230]), (40, 24, [30, 230, 230]),
    ]

    @Test(arguments: 1...8)
    func `every orientation is turned upright`(tag: Int) throws {
        try expectBlocks(in: "orientation/\(tag).jpg")
    }

    /// Each shows the same scene with another digit in the middle.
    @Test(
        .enabled(if: Corpora.areAvailable, Comment(rawValue: Corpora.skipReason)),
        arguments: ["Landscape", "Portrait"])
    func `the real photographs of every orientation look alike`(scene: String) throws {
        let pictures = try Corpora.manifest
            .filter { $0.name.hasPrefix("orientation/\(scene)") }
            .map { try PictureFile.decode(try Descriptor.openForReading($0.path), fitting: 96).0 }
        #expect(pictures.count == 9)
        let first = try #require(pictures.first)
        for picture in pictures {
            try #require(picture.size == first.size)
            let difference = zip(picture.bytes, first.bytes).reduce(0) {
                $0 + abs(Int($1.0) - Int($1.1))
            }
            #expect(difference / first.bytes.count < 6)
        }
    }

    @Test(arguments: ["rgb", "interlaced", "16-bit", "palette"])
    func `every kind of PNG is decoded`(name: String) throws {
        try expectBlocks(in: "png/\(name).png")
    }

    @Test(arguments: [
        "blocks.webp", "blocks.lossless.webp", "blocks.turned.webp", "moving.webp", "blocks.heic",
        "blocks.avif", "blocks.jxl", "blocks.gif", "moving.gif", "blocks.tif", "motorola.tiff",
        "16-bit.tiff", "turned.tiff", "blocks.bmp", "blocks.ico", "blocks.svg",
    ])
    func `every other format is decoded`(name: String) throws {
        try expectBlocks(in: "formats/\(name)")
    }

    /// ITU-T H.273 has many ways to write the same colours.
    @Test(arguments: [
        "10-bit.heic", "12-bit.avif", "limited-range.avif", "bt2020.avif", "smpte240m.avif",
        "green-blue-red.avif",
    ])
    func `every kind of sample in HEIF files is decoded`(name: String) throws {
        try expectBlocks(in: "heif/\(name)")
    }

    /// libheif 1.15 forgets a turn that the file lists before the size.
    @Test func `a HEIF file that lists its turn before its size is upright`() throws {
        try expectBlocks(in: "heif/turned.avif")
        let facts = try ImageFacts(reading: FileBytes(Fixtures.open("heif/turned.avif")))
        #expect(facts.size == PixelSize(width: 48, height: 32))
    }

    @Test func `a grey HEIF file is grey`() throws {
        let (bitmap, _) = try PictureFile.decode(try Fixtures.open("heif/grey.heic"), fitting: 256)
        for x in [0, 13, 30, 47] {
            let colours = bitmap.pixel(x, 8)
            #expect(colours[0] == colours[1] && colours[1] == colours[2])
            #expect(abs(Int(colours[0]) - x * 5) <= 6, "at \(x)")
        }
    }

    @Test func `a transparent part of a HEIF file stays transparent`() throws {
        let (bitmap, _) = try PictureFile.decode(
            try Fixtures.open("heif/alpha.heic"), fitting: 256)
        #expect(bitmap.format == .rgba)
        #expect(bitmap.pixel(8, 8)[3] > 250)
        #expect(abs(Int(bitmap.pixel(8, 8)[0]) - 230) <= 6)
        #expect(bitmap.pixel(40, 8)[3] < 5)
    }

    @Test(arguments: [
        "nikon.nef", "sony.arw", "pentax.pef", "adobe.dng", "olympus.orf", "panasonic.rw2",
        "fujifilm.raf", "canon.cr3",
    ])
    func `a raw file shows its largest preview, turned like the raw data`(name: String) throws {
        try expectBlocks(in: "raw/\(name)")
    }

    @Test func `a small picture of a raw file comes from its small preview`() throws {
        let (bitmap, _) = try PictureFile.decode(try Fixtures.open("raw/nikon.nef"), fitting: 24)
        #expect(bitmap.size == PixelSize(width: 24, height: 16))
    }

    @Test func `the bars of a camera's small picture are not shown`() throws {
        let (bitmap, _) = try PictureFile.decode(try Fixtures.open("raw/canon.cr3"), fitting: 24)
        #expect(bitmap.size == PixelSize(width: 24, height: 16))
        // Red, although the small picture is black.
        #expect(bitmap.pixel(2, 1)[0] > 200)
    }

    /// The expected values come from exiftool.
    @Test(
        arguments: [
            ([], "JpgFromRaw"), (["trak"], "PreviewImage"), (["trak", "PRVW"], "ThumbnailImage"),
        ] as [([String], String)])
    func `the best of Canon's embedded pictures is shown`(
        missing: [String], tag: String
    ) throws {
        let path = Fixtures.path("raw/canon.cr3").string
        let picture = try ExifTool.run(["-b", "-\(tag)", path])
        let (stored, _) = try PictureFile.decode(
            try MemoryFile.make(named: "picture", holding: picture), fitting: 256)
        var bytes = try Fixtures.bytes("raw/canon.cr3")
        for name in missing {
            while let place = bytes.firstRange(of: Array(name.utf8)) {
                bytes[place.lowerBound] = 0x78
            }
        }
        let (bitmap, facts) = try PictureFile.decode(
            try MemoryFile.make(named: "raw", holding: bytes), fitting: 256)
        let expected = stored.upright(from: facts.orientation)
        #expect(bitmap.size == expected.size)
        #expect(bitmap.bytes == expected.bytes)
        let words = try ExifTool.run(
            ["-n", "-s3", "-IFD0:Orientation", "-DateTimeOriginal", path])
        #expect(String(decoding: words, as: UTF8.self) == "6\n2026:05:04 03:02:01\n")
        #expect(facts.orientation.rawValue == 6)
        #expect(facts.taken == CaptureDate(exif: "2026:05:04 03:02:01", offset: nil))
    }

    @Test func `a transparent colour of a GIF is transparent`() throws {
        let (bitmap, _) = try PictureFile.decode(
            try Fixtures.open("formats/hole.gif"), fitting: 256)
        #expect(bitmap.pixel(8, 8) == [230, 30, 30, 255])
        #expect(bitmap.pixel(40, 8)[3] == 0)
    }

    @Test func `a transparent part stays transparent`() throws {
        let (bitmap, _) = try PictureFile.decode(try Fixtures.open("png/rgba.png"), fitting: 256)
        #expect(bitmap.format == .rgba)
        #expect(bitmap.pixel(8, 8) == [230, 30, 30, 255])
        #expect(bitmap.pixel(40, 8)[3] == 0)
    }

    @Test(arguments: [
        ("jpeg/baseline.jpg", 256, 256, 192), ("jpeg/progressive.jpg", 128, 128, 96),
        ("jpeg/baseline.jpg", 1000, 640, 480), ("jpeg/baseline.jpg", 1, 1, 1),
        ("jpeg/baseline.jpg", 639, 639, 479), ("orientation/6.jpg", 24, 24, 16),
    ])
    func `the result fits and keeps its shape`(
        name: String, side: Int, width: Int, height: Int
    ) throws {
        let (bitmap, _) = try PictureFile.decode(try Fixtures.open(name), fitting: side)
        #expect(bitmap.size == PixelSize(width: width, height: height))
    }

    @Test func `grey stays grey`() throws {
        let (bitmap, _) = try PictureFile.decode(try Fixtures.open("jpeg/grey.jpg"), fitting: 64)
        for x in stride(from: 0, to: 64, by: 7) {
            let pixel = bitmap.pixel(x, 20)
            #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2])
        }
    }

    @Test(arguments: ["profile.jpg", "profile.png", "profile.webp"])
    func `an embedded profile is converted to sRGB`(name: String) throws {
        try expectBlocks(in: "colour/\(name)")
    }

    @Test func `a conversion leaves alpha alone`() throws {
        let (bitmap, _) = try PictureFile.decode(
            try Fixtures.open("colour/profile-and-alpha.png"), fitting: 256)
        for (found, expected) in zip(bitmap.pixel(8, 8), [230, 30, 30, 255]) {
            #expect(abs(Int(found) - expected) <= 6)
        }
        #expect(bitmap.pixel(40, 8)[3] == 0)
    }

    @Test(arguments: [
        "profile-of-cmyk.jpg", "profile-cut.jpg", "profile-offsets.jpg", "profile-nonsense.jpg",
    ])
    func `a profile that does not match the picture is ignored`(name: String) throws {
        try expectBlocks(in: "colour/\(name)")
    }

    @Test(arguments: [
        ("matching", 128, Fidelity.fast, true), ("matching", 128, .exact, false),
        ("matching", 256, .fast, false), ("letterboxed", 128, .fast, false),
        ("second-picture", 160, .fast, true), ("second-picture", 128, .exact, false),
        ("second-picture", 161, .fast, false), ("small", 128, .fast, false),
        ("bomb", 128, .fast, false), ("outside", 128, .fast, false),
    ])
    func `an embedded preview is used only if it matches the picture`(
        name: String, side: Int, fidelity: Fidelity, isUsed: Bool
    ) throws {
        let file = try Fixtures.open("preview/\(name).jpg")
        let (bitmap, facts) = try PictureFile.decode(file, fitting: side, fidelity)
        #expect(bitmap.size == facts.size?.fitted(in: side))
        let pixel = bitmap.pixel(bitmap.size.width / 2, bitmap.size.height / 2)
        #expect((pixel[0] > 240 && pixel[1] < 15) == isUsed)
    }

    @Test(.enabled(if: Corpora.areAvailable, Comment(rawValue: Corpora.skipReason)))
    func `an embedded thumbnail replaces a HEIC picture only for a fast decode`() throws {
        let entry = try #require(
            Corpora.manifest.first { $0.name == "heif/iphone_13_pro_max.HEIC" })
        let file = try Descriptor.openForReading(entry.path)
        let (fast, _) = try PictureFile.decode(file, fitting: 128, .fast)
        let (exact, facts) = try PictureFile.decode(file, fitting: 128, .exact)
        #expect(fast.size == facts.size?.fitted(in: 128))
        #expect(exact.size == fast.size)
        #expect(exact.bytes != fast.bytes)
    }

    @Test func `the first scan of a progressive picture is close enough`() throws {
        let file = try Fixtures.open("jpeg/smooth-progressive.jpg")
        let (fast, _) = try PictureFile.decode(file, fitting: 80, .fast)
        let (exact, _) = try PictureFile.decode(file, fitting: 80, .exact)
        #expect(fast.size == exact.size)
        let error = zip(fast.bytes, exact.bytes).reduce(0) { sum, pair in
            let difference = Int(pair.0) - Int(pair.1)
            return sum + difference * difference
        }
        // 38 dB.
        #expect(Double(error) / Double(fast.bytes.count) < 255 * 255 / 6310)
    }

    @Test func `half a file gives half a picture`() throws {
        let (bitmap, _) = try PictureFile.decode(
            try Fixtures.open("broken/truncated.jpg"), fitting: 640)
        let (whole, _) = try PictureFile.decode(
            try Fixtures.open("jpeg/baseline.jpg"), fitting: 640)
        #expect(bitmap.size == whole.size)
        #expect(bitmap.pixel(100, 10) == whole.pixel(100, 10))
        #expect(bitmap.pixel(100, 470) != whole.pixel(100, 470))
    }

    @Test(
        arguments: [
            ("empty.jpg", .unsupported), ("text.jpg", .unsupported), ("header-only.jpg", .damaged),
            ("marker-loop.jpg", .damaged), ("huge.png", .tooLarge),
        ] as [(String, PixelError)])
    func `a broken file is a clear error`(name: String, error: PixelError) throws {
        #expect(throws: error) {
            try PictureFile.decode(try Fixtures.open("broken/\(name)"), fitting: 256)
        }
    }

    @Test func `a truncated PNG gives the part that exists`() throws {
        let (bitmap, _) = try PictureFile.decode(
            try Fixtures.open("broken/short.png"), fitting: 256)
        #expect(bitmap.pixel(8, 2) == [230, 30, 30])
    }

    @Test func `a PNG that we write is read back the same`() throws {
        for format in [Bitmap.Format.rgb, .rgba] {
            let size = PixelSize(width: 37, height: 21)
            let bytes = (0..<size.width * size.height * format.bytesPerPixel).map {
                UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 3))
            }
            let bitmap = Bitmap(size: size, format: format, bytes: bytes)
            let file = try MemoryFile.make(
                named: "png",
                holding: bitmap.png(texts: [("Thumb::URI", "file:///a"), ("Ä", "ü€")]))
            let (read, _) = try PictureFile.decode(file, fitting: 256)
            #expect(read.format == format)
            #expect(read.bytes == bytes)
            let texts = PNGChunks(try FileBytes(file)).texts
            #expect(texts == ["Thumb::URI": "file:///a", "Ä": "ü?"])
        }
    }

    @Test func `an opaque picture is written without alpha`() throws {
        let size = PixelSize(width: 2, height: 1)
        let bitmap = Bitmap(size: size, format: .rgba, bytes: [1, 2, 3, 255, 4, 5, 6, 255])
        let file = try MemoryFile.make(named: "png", holding: bitmap.png())
        let (read, _) = try PictureFile.decode(file, fitting: 256)
        #expect(read.format == .rgb)
        #expect(read.bytes == [1, 2, 3, 4, 5, 6])
    }

    /// Each must give a picture or an error; none may trap or hang.
    @Test(
        .enabled(if: Corpora.areAvailable, Comment(rawValue: Corpora.skipReason)),
        arguments: Corpora.files(in: "broken/jpeg", "broken/other", "bombs"))
    func `broken files of the corpora give a picture or an error`(entry: Corpora.Entry) throws {
        let file = try Descriptor.openForReading(entry.path)
        do {
            let (bitmap, _) = try PictureFile.decode(file, fitting: 256)
            #expect(max(bitmap.size.width, bitmap.size.height) <= 256)
        } catch {
            #expect(error != .unreadable)
        }
    }

    private func expectBlocks(in name: String) throws {
        let (bitmap, _) = try PictureFile.decode(try Fixtures.open(name), fitting: 256)
        #expect(bitmap.size == PixelSize(width: 48, height: 32))
        for (x, y, colour) in Self.blocks {
            for (found, expected) in zip(bitmap.pixel(x, y), colour) {
                #expect(abs(Int(found) - expected) <= 6, "at \(x), \(y)")
            }
        }
    }
}
