// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// What is asked for is done, or is an error; and what was written is read again.
@Suite struct OutputCheckTests {
    @Test func `a clip of a photo with bytes between its segments is done`() throws {
        let file = try Fixtures.open("variants/junk.jpg")
        let facts = try ImageFacts(reading: FileBytes(file))
        let derivation = try #require(
            Derivation(
                of: facts, byteCount: 748, options: OutputOptions(),
                clip: Clip(area: PixelRectangle(x: 3, y: 2, width: 20, height: 10)),
                removesLocation: false))
        let derived = try #require(try PictureFile.derive(file, derivation))
        let result = try MemoryFile.make(named: "result", holding: derived.bytes)
        #expect(
            try ImageFacts(reading: FileBytes(result)).size == PixelSize(width: 20, height: 10))
    }

    @Test func `a clip outside the photo is an error`() throws {
        let file = try Fixtures.open("jpeg/baseline.jpg")
        let derivation = try #require(
            Derivation(
                of: try ImageFacts(reading: FileBytes(file)), byteCount: 23_650,
                options: OutputOptions(),
                clip: Clip(area: PixelRectangle(x: 700, y: 0, width: 20, height: 10)),
                removesLocation: false))
        #expect(throws: PixelError.damaged) { try PictureFile.derive(file, derivation) }
    }

    /// A file whose header says nothing, and whose decoder finds nothing.
    @Test func `a size that was asked for is not ignored if that of the photo is unknown`() throws {
        let file = try Fixtures.open("broken/marker-loop.jpg")
        var options = OutputOptions()
        options.maximumSide = 100
        let derivation = try #require(
            Derivation(
                of: try ImageFacts(reading: FileBytes(file)), byteCount: 20_000,
                options: options, removesLocation: false))
        #expect(throws: PixelError.damaged) { try PictureFile.derive(file, derivation) }
    }

    // MARK: - Reading again

    /// Hard edges at every distance from those of the blocks, at the best and the worst quality.
    @Test(arguments: OutputFormat.allCases, [1, 90])
    func `no good file is taken for a wrong one`(format: OutputFormat, quality: Int) throws {
        for width in Array(stride(from: 1, to: 220, by: 3)) + [641, 769, 1281, 2049] {
            let height = width > 220 ? 96 : max(1, width * 7 / 9)
            let size = PixelSize(width: width, height: height)
            var pixels: [UInt8] = []
            for y in 0..<size.height {
                for x in 0..<width {
                    let isInside = x < width / 2 && y < size.height / 2
                    pixels += isInside ? [255, 0, 0, 255] : [0, 0, 0, 0]
                }
            }
            let file = try MemoryFile.make(
                named: "edges",
                holding: Bitmap(size: size, format: .rgba, bytes: pixels).png())
            let change = PictureChange(
                format: format, size: size, quality: quality, maximumByteCount: 1 << 20,
                isStandard: true)
            _ = try PictureFile.derive(file, Derivation(removesLocation: false, picture: change))
        }
    }

    @Test(arguments: OutputFormat.allCases)
    func `a file that shows something else is found`(format: OutputFormat) throws {
        let bitmap = try picture
        let bytes = try encoded(bitmap, format)
        let check = try OutputCheck(bytes, is: format.mediaType, bitmap.size, .upright)
        try check.shows(bitmap)
        #expect(throws: PixelError.miswritten) {
            try check.shows(bitmap.upright(from: .turnedAround))
        }
    }

    @Test(arguments: OutputFormat.allCases)
    func `a file that is damaged is found`(format: OutputFormat) throws {
        let bitmap = try picture
        let bytes = try encoded(bitmap, format)
        // The part of a picture that is missing is grey, black or transparent.
        let half = Array(bytes.prefix(bytes.count / 2))
        #expect(throws: PixelError.self) {
            try OutputCheck(half, is: format.mediaType, bitmap.size, .upright).shows(bitmap)
        }
    }

    /// Files whose metadata is overwritten in place, and how far from their end the picture is.
    @Test(arguments: [
        ("location/comment.jp2", 20), ("location/comment.j2k", 20), ("location/comments.exr", 20),
        ("hdr/bright.hdr", 20), ("raw/canon.cr2", 250), ("raw/nikon.nef", 250),
        ("raw/adobe.dng", 1200), ("raw/panasonic.rw2", 1200),
    ])
    func `a picture that is overwritten beside its metadata is found`(
        name: String, fromEnd: Int
    ) throws {
        let file = try Fixtures.bytes(name)
        let facts = try ImageFacts(
            reading: FileBytes(try MemoryFile.make(named: "file", holding: file)))
        var damaged = file
        damaged[file.count - fromEnd] ^= 0xFF
        #expect(throws: PixelError.miswritten) {
            try UnchangedPicture.check(damaged, madeFrom: Block(file[...]), facts)
        }
        try UnchangedPicture.check(file, madeFrom: Block(file[...]), facts)
    }

    @Test func `a file of another size, type or orientation is found`() throws {
        let bytes = try Fixtures.bytes("orientation/6.jpg")
        let size = PixelSize(width: 48, height: 32)
        _ = try OutputCheck(bytes, is: .jpeg, size, .turnedRight)
        #expect(throws: PixelError.miswritten) {
            try OutputCheck(bytes, is: .jpeg, size, .upright)
        }
        #expect(throws: PixelError.miswritten) {
            try OutputCheck(bytes, is: .png, size, .turnedRight)
        }
        #expect(throws: PixelError.miswritten) {
            try OutputCheck(
                bytes, is: .jpeg, PixelSize(width: 32, height: 48), .turnedRight)
        }
    }

    /// A picture with much detail.
    private var picture: Bitmap {
        get throws {
            try PictureFile.decode(try Fixtures.open("jpeg/baseline.jpg"), fitting: 320).0
        }
    }

    private func encoded(_ bitmap: Bitmap, _ format: OutputFormat) throws -> [UInt8] {
        let file = try MemoryFile.make(named: "picture", holding: bitmap.png())
        if format == .png { return bitmap.png() }
        let change = PictureChange(format: format, size: bitmap.size, quality: 90)
        return try #require(
            try PictureFile.derive(file, Derivation(removesLocation: false, picture: change))
        ).bytes
    }
}
