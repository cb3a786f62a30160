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

/// Places in files that are inside others.
@Suite struct LocationInsideTests {
    init() {
        HEIFFormats.install()
        RareFormats.install()
        VideoFile.prepare()
    }

    // MARK: - Drawings

    /// The ways in which a picture is written into a drawing.
    private static let spellings = [
        "image/x;base64,", "image/x;BASE64,", "image/x;Base64,", "image/x;charset=utf-8;base64,",
        "image/x; base64 ,", "image/x;base%36%34,", ";base64,", "image/x;base64,escaped",
        "image/x;base64,blanks", "image/x;base64,references", "image/x,escaped",
    ]

    @Test(arguments: spellings, ["location/exif.jpg", "location/raw-profile.png"])
    func `a photo in a drawing loses its location, however it is written`(
        spelling: String, name: String
    ) throws {
        let photo = try Fixtures.bytes(name)
        let drawing = Self.drawing(Self.uri(spelling, photo))
        #expect(LocationScan.findsPlace(in: drawing), "the second search misses it")
        let cleaned = try #require(try LocationTests.cleaned(drawing), "nothing was removed")
        #expect(cleaned.count == drawing.count)
        #expect(!LocationScan.findsPlace(in: cleaned))
        #expect(try LocationTests.cleaned(cleaned) == nil, "something was left to remove")
        // The picture is the one that remains of the file itself.
        let expected = try #require(try LocationTests.cleaned(photo))
        #expect(try Self.content(of: cleaned, spelling) == expected)
    }

    @Test(arguments: spellings)
    func `a photo without a location stays as it is in a drawing`(spelling: String) throws {
        let photo = try Fixtures.bytes("jpeg/dated.jpg")
        #expect(try LocationTests.cleaned(Self.drawing(Self.uri(spelling, photo))) == nil)
    }

    /// A letter that stands for itself leaves no room for a zero.
    @Test func `a photo in a drawing that cannot be edited is refused`() throws {
        let photo = try Fixtures.bytes("location/exif.jpg")
        let data = photo.map { byte in
            let isLetter = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
            return isLetter ? String(UnicodeScalar(byte)) : Self.escaped(byte)
        }
        let drawing = Self.drawing("data:image/jpeg," + data.joined())
        let file = try MemoryFile.make(named: "drawing", holding: drawing)
        #expect(throws: PixelError.locationStays) {
            try PictureFile.derive(file, Derivation(removesLocation: true))
        }
    }

    @Test func `the drawing in a drawing in a drawing tells no place`() throws {
        let photo = try Fixtures.bytes("location/raw-profile.png")
        var drawing = Self.drawing(Self.uri("image/png;base64,", photo))
        for _ in 0..<2 { drawing = Self.drawing(Self.uri("image/svg+xml;base64,", drawing)) }
        #expect(LocationScan.findsPlace(in: drawing))
        let cleaned = try #require(try LocationTests.cleaned(drawing))
        #expect(!LocationScan.findsPlace(in: cleaned))
        let deep = (0..<8).reduce(drawing) { inner, _ in
            Self.drawing(Self.uri("image/svg+xml;base64,", inner))
        }
        #expect(LocationScan.findsPlace(in: deep), "nobody reads as deep")
    }

    @Test func `the shapes of an embedded drawing are no place`() throws {
        let inner =
            "%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Cpath d='M48.8584 2.2945z'/%3E"
            + "%3C/svg%3E"
        let drawing = Self.drawing("data:image/svg+xml," + inner)
        #expect(try LocationTests.cleaned(drawing) == nil)
    }

    // MARK: - Videos

    @Test func `a video whose frames have compressed metadata with a place is refused`() throws {
        let movie = try Fixtures.bytes("video/moving.mp4")
        let media = try #require(movie.firstRange(of: Array("mdat".utf8))).upperBound
        func file(_ picture: [UInt8]) throws -> Descriptor {
            let start = media + 64
            return try MemoryFile.make(
                named: "movie",
                holding: Array(movie.prefix(start)) + picture
                    + movie.dropFirst(start + picture.count))
        }
        let placed = try Fixtures.bytes("location/raw-profile.png")
        #expect(throws: PixelError.locationStays) {
            try PictureFile.derive(file(placed), Derivation(removesLocation: true))
        }
        let quiet = try #require(try LocationTests.cleaned(placed))
        #expect(try PictureFile.derive(file(quiet), Derivation(removesLocation: true)) == nil)
    }

    @Test func `a compressed text whose end is out of reach counts as a place`() throws {
        let picture = try Fixtures.bytes("location/raw-profile.png")
        let name = try #require(picture.firstRange(of: Array("zTXt".utf8)))
        let data = [UInt8](repeating: 7, count: 100)
        #expect(LocationScan.findsPlace(in: data + picture[..<(name.upperBound + 60)]))
        // The name alone is nothing.
        #expect(!LocationScan.findsPlace(in: data + Array("zTXt".utf8) + data))
    }

    // MARK: - Helpers

    private static func drawing(_ uri: String) -> [UInt8] {
        Array(
            ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"48\" height=\"32\">"
                + "<image width=\"24\" height=\"32\" href=\"\(uri)\"/></svg>").utf8)
    }

    private static func escaped(_ byte: UInt8) -> String {
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// A picture as a URI; the word behind the comma says how its data is written.
    private static func uri(_ spelling: String, _ picture: [UInt8]) -> String {
        let parts = spelling.split(separator: ",", omittingEmptySubsequences: false)
        let base64 = Data(picture).base64EncodedString()
        let data =
            switch (parts[0].contains(";"), parts[1]) {
            case (false, _): picture.map(escaped).joined()
            case (_, "escaped"):
                base64.replacing("+", with: "%2B").replacing("/", with: "%2F")
                    .replacing("=", with: "%3d")
            case (_, "blanks"): "\n  " + base64.map { "\($0)" }.joined(separator: " ")
            case (_, "references"):
                base64.replacing("+", with: "&#x2b;").replacing("/", with: "&#047;")
            default: base64
            }
        return "data:\(parts[0]),\(data)"
    }

    /// The picture in a drawing.
    private static func content(of drawing: [UInt8], _ spelling: String) throws -> [UInt8] {
        let text = String(decoding: drawing, as: UTF8.self)
        let start = try #require(text.range(of: "href=\"data:")).upperBound
        let data = text[start...].prefix { $0 != "\"" }.drop { $0 != "," }.dropFirst()
        if !spelling.contains(";") {
            let bytes = data.split(separator: "%").compactMap { UInt8($0, radix: 16) }
            return bytes
        }
        var plain = try #require(String(data).removingPercentEncoding)
        for code in 0x2B...0x7A {
            guard let scalar = UnicodeScalar(code) else { continue }
            plain = plain.replacing("&#x\(String(code, radix: 16));", with: String(scalar))
            let decimal = "\(code)"
            let zeros = String(repeating: "0", count: 3 - decimal.count)
            plain = plain.replacing("&#\(zeros)\(decimal);", with: String(scalar))
        }
        return Array(try #require(Data(base64Encoded: plain, options: .ignoreUnknownCharacters)))
    }
}
