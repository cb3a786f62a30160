// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// The dominant colour, and the small picture that it is read from.
@Suite struct ColourTests {
    private static let red = PhotoColour(red: 250, green: 0, blue: 0)

    private static func bitmap(_ format: Bitmap.Format, _ pixels: [[UInt8]]) -> Bitmap {
        Bitmap(
            size: PixelSize(width: pixels.count, height: 1), format: format,
            bytes: pixels.flatMap(\.self))
    }

    @Test func `of several colours, the one that most pixels have roughly is the dominant one`() {
        let sky: [[UInt8]] = [[90, 140, 250], [94, 144, 254], [92, 142, 252]]
        let others: [[UInt8]] = [[250, 0, 0], [0, 250, 0]]
        #expect(
            Self.bitmap(.rgb, others + sky).dominantColour
                == PhotoColour(red: 92, green: 142, blue: 252))
        #expect(
            Self.bitmap(.rgba, (others + sky).map { $0 + [255] }).dominantColour
                == PhotoColour(red: 92, green: 142, blue: 252))
    }

    @Test(arguments: [UInt8.min, 254])
    func `a picture with a transparent part has no dominant colour`(alpha: UInt8) {
        let pixels: [[UInt8]] = [[1, 2, 3, 255], [1, 2, 3, alpha]]
        #expect(Self.bitmap(.rgba, pixels).dominantColour == nil)
    }

    @Test(arguments: ["matching", "letterboxed", "small"])
    func `the colour is read from the small picture in EXIF data`(name: String) throws {
        let colour = try #require(try facts("preview/\(name).jpg").colour)
        #expect(Self.difference(colour, Self.red) <= 6, "\(colour)")
    }

    @Test(arguments: ["outside", "bomb", "second-picture"])
    func `without a small picture that can be decoded the colour is unknown`(name: String) throws {
        let facts = try facts("preview/\(name).jpg")
        #expect(facts.colour == nil)
        #expect(facts.size != nil)
    }

    @Test(arguments: [
        "jpeg/baseline.jpg", "png/rgb.png", "formats/blocks.webp", "video/moving.mp4",
    ])
    func `nothing is decoded for the colour of a file without a small picture`(
        name: String
    ) throws {
        #expect(try facts(name).colour == nil)
    }

    /// Cameras put pictures of 4:3 between black bars if the photo has another shape.
    @Test func `bars beside the small picture do not count`() throws {
        let black = [[UInt8]](repeating: [0, 0, 0], count: 6)
        let blue = [[UInt8]](repeating: [10, 20, 250], count: 4)
        let letterboxed = Bitmap(
            size: PixelSize(width: 2, height: 5), format: .rgb,
            bytes: (black.prefix(3) + blue + black.prefix(3)).flatMap(\.self))
        #expect(letterboxed.dominantColour == PhotoColour(red: 0, green: 0, blue: 0))
        let part = PixelRectangle(letterboxed.size).narrowed(to: PixelSize(width: 2, height: 2))
        #expect(
            letterboxed.cropped(to: part).dominantColour
                == PhotoColour(red: 10, green: 20, blue: 250))
    }

    @Test(arguments: ["nikon.nef", "adobe.dng", "fujifilm.raf", "canon.cr3"])
    func `a raw file has the colour of its small preview, if it has one`(name: String) throws {
        #expect(try facts("raw/\(name)").colour != nil)
    }

    private func facts(_ name: String) throws -> ImageFacts {
        try ImageFacts(reading: FileBytes(Fixtures.open(name)))
    }

    private static func difference(_ one: PhotoColour, _ other: PhotoColour) -> Int {
        zip([one.red, one.green, one.blue], [other.red, other.green, other.blue])
            .map { abs(Int($0) - Int($1)) }.max() ?? 0
    }
}
