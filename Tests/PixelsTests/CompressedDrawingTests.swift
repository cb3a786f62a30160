// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import RareFormats
import TestSupport
import Testing

@testable import Pixels

/// SVG in gzip, as in files that end with `.svgz`.
@Suite struct CompressedDrawingTests {
    init() {
        HEIFFormats.install()
        RareFormats.install()
    }

    @Test func `a compressed drawing is shown`() throws {
        try LabelledPicture.expect("formats/blocks.svgz")
    }

    @Test func `a compressed file that is no drawing is no picture`() throws {
        let file = try FileBytes(try Fixtures.open("broken/text.svgz"))
        #expect(throws: PixelError.unsupported) { try ImageFacts(reading: file) }
    }

    @Test func `a drawing that becomes too large is refused`() throws {
        let file = try FileBytes(try Fixtures.open("broken/bomb.svgz"))
        #expect(throws: PixelError.self) { try ImageFacts(reading: file) }
    }

    @Test func `a truncated compressed drawing is refused`() throws {
        let bytes = try Fixtures.bytes("formats/blocks.svgz")
        for count in [3, 10, 20, bytes.count / 2, bytes.count - 1] {
            let file = try MemoryFile.make(named: "short", holding: Array(bytes.prefix(count)))
            #expect(throws: PixelError.self) { try PictureFile.decode(file, fitting: 64) }
        }
    }

    @Test func `a compressed drawing is converted for an app that wants another format`() throws {
        let file = try Fixtures.open("formats/blocks.svgz")
        let facts = try ImageFacts(reading: FileBytes(file))
        var options = OutputOptions()
        options.formats = [.png]
        let derivation = try #require(
            Derivation(of: facts, byteCount: 300, options: options, removesLocation: true))
        let derived = try #require(try PictureFile.derive(file, derivation))
        let (bitmap, made) = try PictureFile.decode(
            try MemoryFile.make(named: "png", holding: derived.bytes), fitting: 64)
        #expect(made.mediaType == .png)
        #expect(Array(bitmap.pixel(8, 8).prefix(3)) == [230, 30, 30])
    }

    /// The drawing contains a position, and a photo with one.
    @Test func `the location of a compressed drawing is removed`() throws {
        let file = try Fixtures.open("svg/place.svgz")
        let derived = try #require(try PictureFile.derive(file, Derivation(removesLocation: true)))
        #expect(derived.isLocationRemoved && !derived.isConverted && derived.parts == nil)
        let clean = try MemoryFile.make(named: "clean", holding: derived.bytes)
        #expect(try PictureFile.derive(clean, Derivation(removesLocation: true)) == nil)
        let old = try PictureFile.decode(file, fitting: 64).0
        #expect(try PictureFile.decode(clean, fitting: 64).0.bytes == old.bytes)
    }
}
