// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import RareFormats
import TestSupport
import Testing

@testable import Pixels

/// Formats and variants that `scripts/fixtures` writes byte by byte.
@Suite struct OtherFormatTests {
    init() {
        HEIFFormats.install()
        RareFormats.install()
    }

    // MARK: - TIFF

    @Test(
        arguments: LabelledPicture.names(in: "tiff").filter {
            !$0.contains("grey") && !$0.contains("lab")
        })
    func `a TIFF of any sample format has the right colours`(name: String) throws {
        try LabelledPicture.expect(name)
    }

    /// Eight bits are few for Lab colours.
    @Test(arguments: LabelledPicture.names(in: "tiff").filter { $0.contains("lab") })
    func `a TIFF of Lab colours has no cast`(name: String) throws {
        try LabelledPicture.expect(name, tolerance: 10)
    }

    @Test func `the profile of a TIFF in inks says what they look like`() throws {
        try LabelledPicture.expect("colour/profile-of-inks.tif", tolerance: 10)
    }

    @Test(arguments: ["tiff/grey-profile.tif", "psd/grey-profile.psd"])
    func `the profile of a grey picture says how bright it is`(name: String) throws {
        // Eight bits of light are few in the shadows.
        try LabelledPicture.expect(name, isGrey: true, tolerance: 12)
    }

    @Test(arguments: ["tiff/grey-float.tif", "tiff/grey-12-bit.tif"])
    func `a grey TIFF of any sample format is grey`(name: String) throws {
        try LabelledPicture.expect(name, isGrey: true)
    }

    @Test func `a transparent part of a TIFF of floating point stays transparent`() throws {
        let bitmap = try LabelledPicture.expect("tiff/alpha-float.tif")
        #expect(bitmap.pixel(8, 8)[3] == 255)
        #expect(bitmap.pixel(40, 8)[3] == 0)
    }

    @Test func `the metadata of a BigTIFF is read and its location removed`() throws {
        // exiftool writes no BigTIFF, so the entries are put together here.
        var bytes = try Fixtures.bytes("tiff/big-turned.tif")
        let position = bytes.withDirectory(
            tag: 0x8825, leadsTo: [(1, 2, Array("N\0".utf8)), (2, 5, [8, 0, 0, 0, 0, 0, 0, 0])])
        let memory = try MemoryFile.make(named: "big", holding: bytes)
        let facts = try ImageFacts(reading: FileBytes(memory))
        #expect(facts.mediaType == .tiff)
        #expect(facts.orientation.rawValue == 6)
        #expect(facts.size == LabelledPicture.size)
        let derived = try #require(
            try PictureFile.derive(memory, Derivation(removesLocation: true)))
        #expect(derived.isLocationRemoved)
        let clean = derived.applied(to: bytes)
        #expect(clean.count == bytes.count)
        #expect(clean[position..<position + 8].allSatisfy { $0 == 0 })
        let (bitmap, _) = try PictureFile.decode(
            try MemoryFile.make(named: "clean", holding: clean), fitting: 256)
        #expect(bitmap.pixel(8, 8)[0] > 200)
    }

    // MARK: - Formats without a library

    private static let colourful: [String] = {
        let others = LabelledPicture.names(in: "tga") + LabelledPicture.names(in: "pcx")
        return [
            "netpbm/text.ppm", "netpbm/10-bit.ppm", "netpbm/light.pfm", "netpbm/motorola.pfm",
        ] + others.filter { !$0.contains("grey") && !$0.contains("16-bit") }
    }()

    @Test(arguments: colourful)
    func `a picture of every variant is decoded`(name: String) throws {
        try LabelledPicture.expect(name)
    }

    @Test(arguments: ["netpbm/alpha.pam", "tga/alpha.tga", "qoi/alpha.qoi"])
    func `a transparent half stays transparent`(name: String) throws {
        let bitmap = try LabelledPicture.expect(name)
        #expect(bitmap.pixel(8, 8)[3] == 255)
        #expect(bitmap.pixel(40, 8)[3] == 0)
    }

    @Test(arguments: ["netpbm/grey.pgm", "tga/grey.tga", "psd/grey.psd"])
    func `a grey picture is grey`(name: String) throws {
        try LabelledPicture.expect(name, isGrey: true)
    }

    @Test func `five bits for each colour are spread over the whole range`() throws {
        try LabelledPicture.expect("tga/16-bit.tga", tolerance: 6)
    }

    @Test(arguments: ["netpbm/bits.pbm", "netpbm/text.pbm"])
    func `a one in a PBM is black`(name: String) throws {
        let (bitmap, _) = try PictureFile.decode(try Fixtures.open(name), fitting: 256)
        #expect(bitmap.pixel(8, 8) == [255, 255, 255])
        #expect(bitmap.pixel(24, 8) == [0, 0, 0])
    }

    @Test func `a TGA without alpha is not transparent`() throws {
        let bitmap = try LabelledPicture.expect("tga/no-alpha.tga")
        #expect(bitmap.format == .rgb || bitmap.pixel(8, 8)[3] == 255)
    }

    /// TGA has no signature: the start of these files must not count as one.
    @Test(
        arguments: [
            // A cursor, a TrueType font, a program, silence, an MPEG stream, an MP3.
            [0, 0, 2, 0, 1, 0, 32, 32, 0, 0, 1, 0, 1, 0, 0xA8, 8, 0, 0],
            [0, 1, 0, 0, 0, 12, 0, 0x80, 0, 3, 0, 0x40, 0x4F, 0x53, 0x2F, 0x32, 0, 0],
            [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 1, 0xBA, 0x44, 0, 4, 0, 4, 1, 1, 0x89, 0xC3, 0xF8, 0, 0, 1, 0xBB],
            [0xFF, 0xFB, 0x90, 0x64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func `other files are not taken for TGA`(head: [UInt8]) {
        #expect(MediaType.sniffed(from: head) != .targa)
    }

    // MARK: - JPEG

    @Test(arguments: LabelledPicture.names(in: "lossless").filter { !$0.contains("grey") })
    func `a lossless JPEG is decoded`(name: String) throws {
        try LabelledPicture.expect(name)
    }

    /// Hardly any other program reads it.
    @Test(arguments: LabelledPicture.names(in: "lossless"))
    func `a lossless JPEG is encoded again for an app that wants a compatible one`(
        name: String
    ) throws {
        let file = try Fixtures.open(name)
        let facts = try ImageFacts(reading: FileBytes(file))
        var options = OutputOptions()
        options.representation = .compatible
        let derivation = try #require(
            Derivation(of: facts, byteCount: 1000, options: options, removesLocation: false))
        let derived = try #require(try PictureFile.derive(file, derivation))
        // A frame of the baseline process.
        #expect(derived.bytes.indices.contains { derived.bytes[$0...].starts(with: [0xFF, 0xC0]) })
    }

    @Test func `a grey lossless JPEG is grey`() throws {
        try LabelledPicture.expect("lossless/grey.jpg", isGrey: true)
    }

    @Test func `a GIF without a table of colours is shown`() throws {
        // One pixel with the index 1, which is white by convention.
        let bytes: [UInt8] =
            Array("GIF87a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
            + [2, 2, 0x4C, 0x01, 0, 0x3B]
        let (bitmap, _) = try PictureFile.decode(
            try MemoryFile.make(named: "gif", holding: bytes), fitting: 8)
        #expect(bitmap.pixel(0, 0) == [255, 255, 255, 255])
    }

    /// Browsers accept codes of any size up to 12 bits; writers use more than the colours need.
    @Test func `a GIF with wide codes is shown`() throws {
        // Codes of ten bits: clear (512), the index 0 of a red table, end (513).
        let codes: [UInt8] = [0x00, 0x02, 0x10, 0x20]
        let bytes: [UInt8] =
            Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 230, 30, 30, 0, 0, 0]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 9, 4] + codes + [0, 0x3B]
        let (bitmap, _) = try PictureFile.decode(
            try MemoryFile.make(named: "gif", holding: bytes), fitting: 8)
        #expect(bitmap.pixel(0, 0) == [230, 30, 30, 255])
    }

    // MARK: - Photoshop

    @Test(arguments: LabelledPicture.names(in: "psd").filter { !$0.contains("grey") })
    func `the merged picture of every mode and depth is shown`(name: String) throws {
        try LabelledPicture.expect(name, tolerance: 3)
    }

    @Test func `transparency counts, but a selection that was kept does not`() throws {
        let transparent = try LabelledPicture.expect("psd/transparent.psd", tolerance: 3)
        #expect(transparent.pixel(8, 8)[3] == 128)
        let selection = try LabelledPicture.expect("psd/selection.psd")
        #expect(selection.format == .rgb)
    }

    @Test func `the date in a Photoshop document is read`() throws {
        let facts = try ImageFacts(
            reading: FileBytes(try Fixtures.open("formats/blocks.psd")))
        #expect(facts.taken == CaptureDate(exif: "2026:05:03 14:10:59", offset: nil))
    }

    // MARK: - Light

    @Test(arguments: (2...8).map { "hdr/turned-\($0).hdr" } + ["hdr/flat.hdr"])
    func `a picture of light is turned upright and keeps its colours`(name: String) throws {
        try LabelledPicture.expect(name)
    }

    @Test func `light that is brighter than white keeps its shape and is not cut off`() throws {
        let (bitmap, _) = try PictureFile.decode(
            try Fixtures.open("hdr/bright.hdr"), fitting: 256)
        let green = bitmap.pixel(24, 8)
        let yellow = bitmap.pixel(8, 24)
        // Twenty times as bright: the colours of the blocks are still apart.
        #expect(green[1] > green[0] && green[1] > green[2])
        #expect(yellow[0] > 200 && yellow[1] > 200 && yellow[2] < yellow[0])
        let luminances = LabelledPicture.blocks.map { block in
            let pixel = bitmap.pixel(block.x, block.y).map(Int.init)
            return 2126 * pixel[0] + 7152 * pixel[1] + 722 * pixel[2]
        }
        #expect(Set(luminances).count == luminances.count)
        // The order of the blocks by brightness: blue, red, magenta, green, cyan, yellow.
        #expect(
            luminances.indices.sorted { luminances[$0] < luminances[$1] } == [2, 0, 4, 1, 5, 3])
    }

    // MARK: - Codecs of photo-portal-rare

    @Test(
        arguments: LabelledPicture.names(in: "exr").filter { name in
            !["alpha", "bright", "grey", "part"].contains { name.contains($0) }
        })
    func `an OpenEXR picture of every layout has the right colours`(name: String) throws {
        try LabelledPicture.expect(name)
    }

    @Test func `a grey OpenEXR picture is grey`() throws {
        try LabelledPicture.expect("exr/grey.exr", isGrey: true)
    }

    @Test func `a transparent part of an OpenEXR picture stays transparent`() throws {
        let (bitmap, _) = try PictureFile.decode(try Fixtures.open("exr/alpha.exr"), fitting: 256)
        #expect(bitmap.pixel(8, 8) == [230, 30, 30, 255])
        #expect(bitmap.pixel(40, 8)[3] == 0)
    }

    @Test func `the whole display window is shown, wherever its pixels are stored`() throws {
        let (bitmap, facts) = try PictureFile.decode(
            try Fixtures.open("exr/part.exr"), fitting: 256)
        #expect(facts.size == LabelledPicture.size)
        #expect(bitmap.size == LabelledPicture.size)
        #expect(bitmap.pixel(8, 8) == [0, 0, 0])
        #expect(bitmap.pixel(40, 8) == [30, 30, 230])
    }

    @Test func `the date of an OpenEXR picture is read`() throws {
        let facts = try ImageFacts(
            reading: FileBytes(try Fixtures.open("formats/blocks.exr")))
        #expect(facts.taken == CaptureDate(exif: "2026:05:03 14:10:59", offset: nil))
    }

    @Test(arguments: ["formats/blocks.jp2", "jp2/stream.j2k", "jp2/tiles.jp2"])
    func `JPEG 2000 is decoded in its container and as a codestream`(name: String) throws {
        try LabelledPicture.expect(name, tolerance: 4)
    }

    @Test func `a raw file without a preview is developed`() throws {
        let file = try Fixtures.open("sensor/adobe.dng")
        let (bitmap, facts) = try PictureFile.decode(file, fitting: 192)
        #expect(facts.mediaType == .adobeDNG)
        #expect(bitmap.size == PixelSize(width: 192, height: 128))
        for (x, y, colour) in LabelledPicture.blocks {
            let pixel = bitmap.pixel(x * 4, y * 4).map(Int.init)
            // Developing may change the brightness, but not which colours are strong.
            for (found, expected) in zip(pixel, colour) {
                #expect(expected > 128 ? found > 180 : found < 60, "\(pixel) at \(x), \(y)")
            }
        }
        let (small, _) = try PictureFile.decode(file, fitting: 48)
        #expect(small.size == LabelledPicture.size)
    }

    /// The specification wants eight bits of alpha for 32 bits; files with other numbers exist.
    @Test func `a TGA that states half of its alpha is a TGA`() throws {
        var bytes = try Fixtures.bytes("tga/alpha.tga")
        bytes[17] = bytes[17] & 0xF0 | 4
        let file = try MemoryFile.make(named: "half", holding: bytes)
        let (bitmap, facts) = try PictureFile.decode(file, fitting: 256)
        #expect(facts.mediaType == .targa)
        #expect(Array(bitmap.pixel(8, 8)) == [230, 30, 30, 255])
    }

    /// JPEG XL in DNG is newer than any LibRaw of Debian; Debian 12 has version 0.20.
    @Test func `a raw file that LibRaw does not know is unsupported and not damaged`() throws {
        var bytes = try Fixtures.bytes("sensor/adobe.dng")
        // The tag of compression, a number of 16 bits: 1 for none.
        let entry: [UInt8] = [0x03, 0x01, 3, 0, 1, 0, 0, 0, 1, 0]
        let value = try #require(bytes.firstRange(of: entry)).upperBound - 2
        bytes.replaceSubrange(value..<value + 2, with: [0x42, 0xCD])
        let file = try MemoryFile.make(named: "newer", holding: bytes)
        do {
            _ = try PictureFile.decode(file, fitting: 192)
            Issue.record("it was decoded")
        } catch {
            #expect([.needsLibRaw, .unsupported].contains(error))
        }
    }

    // MARK: - Damage

    @Test(
        arguments: ["tiff", "netpbm", "tga", "pcx", "qoi", "psd", "hdr", "exr", "jp2", "lossless"])
    func `truncated files give a picture or an error`(folder: String) throws {
        var shown = 0
        for name in LabelledPicture.names(in: folder) {
            let bytes = try Fixtures.bytes(name)
            for count in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 40)) {
                let file = try MemoryFile.make(named: "short", holding: Array(bytes.prefix(count)))
                if (try? PictureFile.decode(file, fitting: 64)) != nil { shown += 1 }
            }
        }
        #expect(shown > 0)
    }

    @Test(arguments: ["formats/blocks.jp2", "jp2/stream.j2k", "jp2/tiles.jp2"])
    func `what is there of a truncated JPEG 2000 picture is shown`(name: String) throws {
        let bytes = try Fixtures.bytes(name)
        // In the last tile, before the marker of the end, and in the middle of it.
        for count in [bytes.count * 9 / 10, bytes.count - 2, bytes.count - 1] {
            let file = try MemoryFile.make(named: "short", holding: Array(bytes.prefix(count)))
            let (bitmap, _) = try PictureFile.decode(file, fitting: 256)
            let (x, y, colour) = LabelledPicture.blocks[0]
            let pixel = bitmap.pixel(x, y).map(Int.init)
            for (found, expected) in zip(pixel, colour) {
                #expect(abs(found - expected) < 50, "\(pixel) instead of \(colour)")
            }
        }
    }

    @Test(
        arguments: [
            Array("P6 70000 70000 255\n".utf8), Array("PF\n40000 40000\n-1\n".utf8),
            Array("qoif".utf8) + [0, 1, 0, 0, 0, 1, 0, 0, 3, 0],
            Array("#?RADIANCE\n\n-Y 90000 +X 90000\n".utf8),
            Array("8BPS".utf8) + [
                0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 4, 0, 0, 0, 8, 0, 3,
            ],
        ] as [[UInt8]])
    func `a picture that claims too many pixels is refused`(start: [UInt8]) throws {
        let file = try MemoryFile.make(
            named: "huge", holding: start + [UInt8](repeating: 1, count: 100))
        #expect(throws: PixelError.tooLarge) { try PictureFile.decode(file, fitting: 64) }
    }
}

extension [UInt8] {
    /// Adds an entry to the first directory of a little-endian BigTIFF, and the directory it leads to.
    ///
    /// - Returns: Where the value of the last entry of the new directory is.
    fileprivate mutating func withDirectory(
        tag: UInt16, leadsTo entries: [(tag: UInt16, type: UInt16, value: [UInt8])]
    ) -> Int {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
            Swift.withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        func number(at offset: Int) -> Int {
            self[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let old = number(at: 8)
        let count = number(at: old)
        let table = Array(self[old + 8..<old + 8 + count * 20])
        let gps = self.count
        var directory = bytes(UInt64(entries.count))
        for entry in entries {
            directory += bytes(entry.tag) + bytes(entry.type) + bytes(UInt64(1))
            directory += (entry.value + [UInt8](repeating: 0, count: 8)).prefix(8)
        }
        self += directory + bytes(UInt64(0))
        let position = self.count - 16
        let main = self.count
        // A tag that is larger than all others.
        self += bytes(UInt64(count + 1)) + table
        self += bytes(tag) + bytes(UInt16(18)) + bytes(UInt64(1)) + bytes(UInt64(gps))
        self += bytes(UInt64(0))
        replaceSubrange(8..<16, with: bytes(UInt64(main)))
        return position
    }
}
