// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// Places in the extensions of a GIF.
@Suite struct GIFLocationTests {
    private static let packet = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
        xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="48,51.504N" \
        exif:GPSLongitude="2,17.67E" xmlns:dc="http://purl.org/dc/elements/1.1/" \
        dc:format="image/gif"/></rdf:RDF></x:xmpmeta>
        """

    /// A block of an extension, divided into pieces.
    private static func blocks(_ content: [UInt8], size: Int = 255) -> [UInt8] {
        stride(from: 0, to: content.count, by: size).flatMap { start in
            let piece = content[start..<min(start + size, content.count)]
            return [UInt8(piece.count)] + piece
        } + [0]
    }

    private static func application(_ name: String) -> [UInt8] {
        [0x21, 0xFF, 11] + Array(name.utf8)
    }

    /// An animation, with the offset behind its table of colours.
    private static func animation() throws -> (file: [UInt8], start: Int) {
        let file = try Fixtures.bytes("formats/moving.gif")
        return (file, 13 + (3 << (Int(file[10] & 7) + 1)))
    }

    /// The animation with an extension before its first frame.
    private static func animation(with extensions: [UInt8]) throws -> [UInt8] {
        let (file, start) = try animation()
        return Array(file[..<start]) + extensions + file[start...]
    }

    private func expectCleaned(_ file: [UInt8], keeps text: String? = nil) throws {
        let original = try MemoryFile.make(named: "original", holding: file)
        let derived = try #require(
            try PictureFile.derive(original, Derivation(removesLocation: true)))
        #expect(derived.isLocationRemoved && !derived.isConverted)
        let cleaned = try #require(try LocationTests.cleaned(file))
        #expect(cleaned.count == file.count)
        // All frames, to the bit.
        let (animation, start) = try Self.animation()
        let count = animation.count - start
        #expect(cleaned.suffix(count) == animation.suffix(count))
        #expect(!String(decoding: cleaned, as: UTF8.self).contains("48,51.504N"))
        if let text { #expect(String(decoding: cleaned, as: UTF8.self).contains(text)) }
        #expect(try LocationTests.cleaned(cleaned) == nil)
    }

    /// The other form has bytes at its end that lead each reader there.
    @Test(arguments: [255, 100, 1])
    func `a GIF whose packet is divided into blocks keeps its frames`(size: Int) throws {
        let file = try Self.animation(
            with: Self.application("XMP DataXMP")
                + Self.blocks(Array(Self.packet.utf8), size: size))
        try expectCleaned(file, keeps: size == 255 ? "image/gif" : nil)
    }

    @Test func `a GIF with an undivided packet keeps its frames`() throws {
        let trailer: [UInt8] = [1] + (0...255).reversed() + [0]
        let file = try Self.animation(
            with: Self.application("XMP DataXMP") + Array(Self.packet.utf8) + trailer)
        try expectCleaned(file, keeps: "image/gif")
    }

    /// The end of the second must not be taken for that of the first.
    @Test func `a GIF with packets of both forms keeps what is between them`() throws {
        let trailer: [UInt8] = [1] + (0...255).reversed() + [0]
        let file = try Self.animation(
            with: Self.application("XMP DataXMP") + Self.blocks(Array(Self.packet.utf8))
                + [0x21, 0xFE] + Self.blocks(Array("Tower".utf8))
                + Self.application("XMP DataXMP") + Array(Self.packet.utf8) + trailer)
        try expectCleaned(file, keeps: "Tower")
    }

    @Test(arguments: ["ImageMagick", "NETSCAPE2.0", "SOMEONE 1.0"])
    func `a place in the extension of a program goes`(name: String) throws {
        let file = try Self.animation(
            with: Self.application(name)
                + Self.blocks(Array("48,51.504N 2,17.67E at 48.8584, 2.2945".utf8)))
        try expectCleaned(file)
    }

    @Test func `an extension without a name that is known loses a place`() throws {
        let file = try Self.animation(
            with: [0x21, 0x42] + Self.blocks(Array("48,51.504N 2,17.67E at 48.8584, 2.2945".utf8)))
        try expectCleaned(file)
    }

    /// Decoders skip them.
    @Test(arguments: [[0], [0, 0, 0]] as [[UInt8]])
    func `a GIF with zeros between its blocks keeps its frames`(zeros: [UInt8]) throws {
        try expectCleaned(
            try Self.animation(
                with: zeros + Self.application("XMP DataXMP")
                    + Self.blocks(Array(Self.packet.utf8)) + zeros), keeps: "image/gif")
    }

    @Test func `what is behind an unknown block of a GIF stays if it tells no place`() throws {
        let (file, start) = try Self.animation()
        let odd = Array(file[..<start]) + [0x42] + file[start...]
        #expect(try LocationTests.cleaned(odd) == nil)
    }

    /// Some programs skip them, and show the frames behind.
    @Test(arguments: [[0], [0, 0, 0], [0x99, 0x98], Array("48,51.504N 2,17.67E".utf8)])
    func `a GIF with stray bytes between its frames keeps them all`(stray: [UInt8]) throws {
        let (animation, start) = try Self.animation()
        let first = try #require(GIFFrame.next(in: animation[...], from: start))
        let second = try #require(GIFFrame.next(in: animation[...], from: first + 1))
        let comment = [0x21, 0xFE] + Self.blocks(Array("48.8584, 2.2945".utf8))
        let file =
            Array(animation[..<start]) + comment + animation[start..<second] + stray
            + animation[second...]
        let cleaned = try #require(try LocationTests.cleaned(file))
        #expect(cleaned.count == file.count)
        #expect(cleaned.suffix(animation.count - second) == animation[second...])
        let text = String(decoding: cleaned, as: UTF8.self)
        #expect(!text.contains("48.8584") && !text.contains("48,51.504N"))
    }

    @Test func `a frame that is lost behind stray bytes is noticed`() throws {
        let (animation, start) = try Self.animation()
        let first = try #require(GIFFrame.next(in: animation[...], from: start))
        let second = try #require(GIFFrame.next(in: animation[...], from: first + 1))
        let file = Array(animation[..<second]) + [0] + animation[second...]
        var broken = file
        for index in broken.indices.suffix(40) { broken[index] = 0 }
        let facts = try ImageFacts(
            reading: FileBytes(try MemoryFile.make(named: "moving", holding: file)))
        #expect(throws: PixelError.miswritten) {
            try UnchangedPicture.check(broken, madeFrom: Block(file[...]), facts)
        }
    }

    @Test func `a frame that is lost is noticed`() throws {
        let file = try Fixtures.bytes("formats/moving.gif")
        var broken = file
        for index in broken.indices.suffix(40) { broken[index] = 0 }
        let facts = try ImageFacts(
            reading: FileBytes(try MemoryFile.make(named: "moving", holding: file)))
        #expect(throws: PixelError.miswritten) {
            try UnchangedPicture.check(broken, madeFrom: Block(file[...]), facts)
        }
        try UnchangedPicture.check(file, madeFrom: Block(file[...]), facts)
    }
}
