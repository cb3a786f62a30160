// SPDX-License-Identifier: MIT

import Files
import Foundation
import HEIFFormats
import Photos
import RareFormats
import TestSupport
import Testing
import Videos

@testable import Pixels

/// A position where no program looks for one: in names, gaps, and behind the end.
@Suite struct OddPlaceTests {
    private static let text = Array("48.8584, 2.2945".utf8)

    init() {
        HEIFFormats.install()
        RareFormats.install()
        VideoFile.prepare()
    }

    // MARK: - Pictures that are edited

    @Test func `the plain text of a GIF tells no place`() throws {
        let whole = try Fixtures.bytes("formats/blocks.gif")
        let head: [UInt8] = [0x21, 0x01, 12] + [UInt8](repeating: 0, count: 12)
        try expectRemoved(
            whole.dropLast() + head + [UInt8(Self.text.count)] + Self.text + [0, 0x3B])
    }

    @Test func `the bytes behind a bitmap tell no place`() throws {
        try expectRemoved(try Fixtures.bytes("formats/blocks.bmp") + Self.text)
    }

    @Test func `the gap before the pixels of a bitmap tells no place`() throws {
        var whole = try Fixtures.bytes("formats/blocks.bmp")
        let pixels = Int(whole[10]) | Int(whole[11]) << 8
        whole.insert(contentsOf: Self.text + [0], at: pixels)
        whole.replaceSubrange(10..<14, with: LocationTests.little(pixels + Self.text.count + 1))
        try expectRemoved(whole)
    }

    @Test func `the bytes behind an icon tell no place`() throws {
        try expectRemoved(try Fixtures.bytes("formats/blocks.ico") + Self.text)
    }

    @Test func `the unused bytes of a PCX file tell no place`() throws {
        var whole = try Fixtures.bytes("formats/blocks.pcx")
        whole.replaceSubrange(74..<74 + Self.text.count, with: Self.text)
        try expectRemoved(whole)
    }

    @Test func `the name of the program that wrote a track tells no place`() throws {
        var whole = try Fixtures.bytes("video/moving.mp4")
        let name = try #require(whole.firstRange(of: Array("VideoHandler".utf8))).lowerBound
        // Numbers of two decimals, because the name is short.
        whole.replaceSubrange(name..<name + 12, with: Array("N48.86 E2.29".utf8))
        let cleaned = try #require(try LocationTests.cleaned(whole))
        #expect(cleaned.firstRange(of: Array("48.86".utf8)) == nil)
        #expect(cleaned.count == whole.count)
    }

    @Test func `the padding of an AVI file tells no place`() throws {
        let whole = try Fixtures.bytes("location/info.avi")
        let junk = Array("JUNK".utf8) + LocationTests.little(Self.text.count + 1) + Self.text + [0]
        let quiet = try #require(try LocationTests.cleaned(whole))
        // At the end of the file, whose size precedes it.
        var file = quiet + junk
        file.replaceSubrange(4..<8, with: LocationTests.little(file.count - 8))
        try expectRemoved(file)
    }

    @Test func `the number of a part in an AVI file stays`() throws {
        var file = try #require(
            try LocationTests.cleaned(try Fixtures.bytes("location/info.avi")))
        let title = try #require(file.firstRange(of: Array("INAM".utf8)))
        file.replaceSubrange(title, with: Array("IPRT".utf8))
        #expect(try LocationTests.cleaned(file) == nil)
    }

    @Test func `a directory of GPS in place of that of the thumbnail tells no place`() throws {
        let coordinate = [48, 1, 51, 1, 3024, 100].flatMap { LocationTests.little($0) }
        var exif = Array("II*\0".utf8) + LocationTests.little(8)
        exif += [1, 0] + [0x12, 1, 3, 0] + LocationTests.little(1) + LocationTests.little(1)
        // The next directory, which says a latitude.
        exif += LocationTests.little(26)
        exif += [1, 0] + [2, 0, 5, 0] + LocationTests.little(3) + LocationTests.little(44)
        exif += LocationTests.little(0) + coordinate
        let cleaned = try #require(
            try LocationTests.cleaned(jpeg(0xE1, Array("Exif\0\0".utf8) + exif)))
        #expect(cleaned.firstRange(of: coordinate) == nil)
    }

    // MARK: - Pictures that lose all metadata, or are written anew

    @Test(
        arguments: [
            (0xED, "Adobe_CM\0 "), (0xE2, "FPXR\0"), (0xE2, "ICC_PROFILE\0\u{1}\u{1}"),
            (0xED, "Photoshop 3.0\u{0}8BIM\u{4}\u{1A}\0\0\0\0\0\u{10}"),
        ] as [(UInt8, String)])
    func `a segment that nobody expects to tell a place tells none`(
        marker: UInt8, name: String
    ) throws {
        try expectGone(jpeg(marker, Array(name.utf8) + Self.text + [0]))
    }

    @Test func `the end of a picture's data, and what follows a missing end, tell no place`() throws
    {
        let whole = try Fixtures.bytes("jpeg/grey.jpg")
        try expectGone(whole.dropLast(2) + [0x20] + Self.text + whole.suffix(2))
        try expectGone(whole.dropLast(2) + Array("@@".utf8) + Self.text)
        try expectGone(whole + [0xFF, 0xD8, 0xFF, 0xDA, 0, 2] + Self.text)
        try expectGone(try Fixtures.bytes("png/rgb.png").dropLast(12) + Self.text)
    }

    @Test func `a video that tells a place among its samples is refused`() throws {
        let movie = try Fixtures.bytes("video/moving.mp4")
        let media = try #require(movie.firstRange(of: Array("mdat".utf8))).upperBound
        let file =
            movie.prefix(media + 64) + Self.text + movie.dropFirst(media + 64 + Self.text.count)
        let memory = try MemoryFile.make(named: "movie", holding: Array(file))
        #expect(throws: PixelError.locationStays) {
            try PictureFile.derive(memory, Derivation(removesLocation: true))
        }
    }

    // MARK: - Numbers that are no place

    @Test(arguments: [
        "0.4361, 0.3851", "0.6400 0.3300", "1.00000, 0.00000", "12.3456 23.4567 34.5678",
        "v48.8584, 2.2945", "48.8584, 192.2945", "98.8584, 2.2945", "1.48.8584, 2.2945",
        "48.858, 2.294", "48.8584 by 2.2945", "<rdf:RDF><x>48.8584, 2.2945</x></rdf:RDF>",
    ])
    func `other numbers in data of any kind are no place`(text: String) {
        let data = [UInt8](repeating: 7, count: 100)
        #expect(!LocationScan.findsPlace(in: data + Array(text.utf8) + data))
    }

    @Test(arguments: [
        "48.8584, 2.2945", "-48.8584,-2.2945,35", "N48.8584 E2.2945",
        "lat=\"48.8584\" lon=\"2.2945\"",
        "0.3136 N, 32.5811 E", "48.858400000000003 2.294500000000000",
    ])
    func `a position in data of any kind is found`(text: String) {
        let data = [UInt8](repeating: 7, count: 100)
        #expect(LocationScan.findsPlace(in: data + Array(text.utf8) + data))
    }

    // MARK: - Drawings

    @Test(arguments: [
        "<g data-lat=\"48.8584\" data-lon=\"2.2945\"/>", "<g aria-label=\"48.8584, 2.2945\"/>",
        "<script>var p = [48.8584, 2.2945]</script>",
    ])
    func `what a drawing does not show tells no place`(content: String) throws {
        let drawing = Self.drawing("<path d=\"M48.8584,2.2945 1.2345,6.7891\"/>" + content)
        let cleaned = try #require(try LocationTests.cleaned(Array(drawing.utf8)))
        let text = String(decoding: cleaned, as: UTF8.self)
        // The path is the picture.
        #expect(text.ranges(of: "48.8584").count == 1)
        #expect(text.ranges(of: "2.2945").count == 1)
    }

    @Test func `a compressed drawing has neither a comment nor anything behind it`() throws {
        let plain = try CompressedDrawing.file(with: Array(Self.drawing("").utf8))
        #expect(try derived(plain) == nil)
        var commented = plain
        commented[3] = 16
        commented.insert(contentsOf: Self.text + [0], at: 10)
        for file in [commented, plain + Self.text] {
            let cleaned = try #require(try derived(file))
            #expect(cleaned.firstRange(of: Self.text) == nil)
            #expect(try derived(cleaned) == nil)
        }
    }

    // MARK: - Helpers

    private static func drawing(_ content: String) -> String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"48\" height=\"32\">"
            + "<rect width=\"9\" height=\"9\"/>\(content)</svg>"
    }

    private func jpeg(_ marker: UInt8, _ content: [UInt8]) throws -> [UInt8] {
        let picture = try Fixtures.bytes("jpeg/grey.jpg")
        let segment = [0xFF, marker, 0, UInt8(content.count + 2)] + content
        return Array(picture.prefix(2) + segment + picture.dropFirst(2))
    }

    /// Expects that the text is overwritten in place.
    private func expectRemoved(
        _ file: [UInt8], location: SourceLocation = #_sourceLocation
    ) throws {
        let cleaned = try #require(
            try LocationTests.cleaned(file), "nothing was removed", sourceLocation: location)
        #expect(cleaned.count == file.count, sourceLocation: location)
        #expect(cleaned.firstRange(of: Self.text) == nil, sourceLocation: location)
        #expect(try LocationTests.cleaned(cleaned) == nil, sourceLocation: location)
    }

    /// Expects that the text is gone, and the picture still there.
    private func expectGone(
        _ file: some Sequence<UInt8>, location: SourceLocation = #_sourceLocation
    ) throws {
        let cleaned = try #require(
            try derived(Array(file)), "nothing was removed", sourceLocation: location)
        #expect(cleaned.firstRange(of: Self.text) == nil, sourceLocation: location)
        let (_, facts) = try PictureFile.decode(
            try MemoryFile.make(named: "anew", holding: cleaned), fitting: 4096)
        #expect(facts.size != nil, sourceLocation: location)
    }

    /// The file without its location; nil if it has none.
    private func derived(_ file: [UInt8]) throws -> [UInt8]? {
        let memory = try MemoryFile.make(named: "original", holding: file)
        guard let derived = try PictureFile.derive(memory, Derivation(removesLocation: true)) else {
            return nil
        }
        #expect(derived.isLocationRemoved)
        return derived.isConverted ? derived.bytes : derived.applied(to: file)
    }
}
