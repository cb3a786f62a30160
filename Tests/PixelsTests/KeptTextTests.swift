// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// What stays when a place beside it is removed, judged by ExifTool.
@Suite struct KeptTextTests {
    private let photos: TaggedPhotos

    init() throws { photos = try TaggedPhotos() }

    @Test(arguments: [
        ["Paris 48.8584, 2.2945"], ["geo:lat=48.8584", "geo:lon=2.2945"],
        ["latitude 48.8584", "longitude 2.2945"], ["48.8584", "2.2945"],
    ])
    func `a keyword that tells a place goes, and the others stay`(places: [String]) throws {
        let words = (["Zoe"] + places + ["birthday"]).map { "-XMP-dc:Subject=\($0)" }
        let photo = try photos.copy("jpeg/baseline.jpg", words)
        let derived = try #require(
            try PictureFile.derive(photo, Derivation(removesLocation: true)))
        let cleaned = try photos.applied(derived, to: photo)
        let found = try photos.tags(of: cleaned, "-sep", ", ", "-XMP-dc:Subject")
        #expect(found["Subject"]?.contains("Zoe") == true)
        #expect(found["Subject"]?.contains("birthday") == true)
        #expect(found["Subject"]?.contains("8584") == false)
        #expect(found["Subject"]?.contains("2945") == false)
        #expect(try LocationTests.cleaned(cleaned) == nil, "something was left to remove")
    }

    @Test func `computer and document of a photo survive a conversion without the location`()
        throws
    {
        let photo = try photos.copy(
            "jpeg/baseline.jpg",
            ["-IFD0:HostComputer=Desk", "-IFD0:DocumentName=Page 7", "-GPSLatitude=48.8584"])
        let picture = PictureChange(
            format: .webP, size: PixelSize(width: 20, height: 15), quality: 90)
        for removesLocation in [false, true] {
            let derived = try #require(
                try PictureFile.derive(
                    photo, Derivation(removesLocation: removesLocation, picture: picture)))
            let found = try photos.tags(of: derived.bytes)
            #expect(found["HostComputer"] == "Desk")
            #expect(found["DocumentName"] == "Page 7")
        }
    }

    // MARK: - Raw files

    /// IPTC records of a caption and a city.
    private static let records: [UInt8] = [(120, "At night"), (90, "Lisbon")].flatMap {
        (number: UInt8, text: String) -> [UInt8] in
        [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }

    /// The settings of Nikon's program: a head, a setting of one byte, and the records.
    private static func settings() -> [UInt8] {
        func setting(_ number: Int, _ value: [UInt8]) -> [UInt8] {
            LocationTests.little(number) + [UInt8](repeating: 7, count: 14)
                + LocationTests.little(value.count + 4) + value
        }
        let body = setting(0x76A4_3200, [1]) + setting(0x9EF5_F6E0, records)
        return [UInt8](repeating: 7, count: 18) + LocationTests.little(body.count + 4) + body
    }

    private static func directory(
        _ entries: [(tag: Int, type: Int, count: Int, value: Int)]
    ) -> [UInt8] {
        func short(_ number: Int) -> [UInt8] { Array(LocationTests.little(number).prefix(2)) }
        return short(entries.count)
            + entries.flatMap {
                short($0.tag) + short($0.type) + LocationTests.little($0.count)
                    + LocationTests.little($0.value)
            } + [0, 0, 0, 0]
    }

    /// A raw file with a table for its pixels and the settings in the note of its maker.
    private static func raw(settings: [UInt8], preview: [UInt8] = []) -> [UInt8] {
        let table = Array("the table of the sensor".utf8)
        // In the note: a directory of two entries, at 8.
        let values = 8 + 2 + 24 + 4
        let note =
            Array("Nikon\0\u{2}\u{10}\0\0II*\0".utf8) + LocationTests.little(8)
            + directory([
                (0x96, 7, table.count, values), (0xE01, 7, settings.count, values + table.count),
            ]) + table + settings
        let make = Array("NIKON CORPORATION\0".utf8)
        let first = 8 + 2 + 7 * 12 + 4
        let second = 2 + 12 + 4
        return Array("II*\0".utf8) + LocationTests.little(8)
            + directory([
                (0x100, 4, 1, 320), (0x101, 4, 1, 240), (0x106, 3, 1, 32_803),
                (0x10F, 2, make.count, first + second),
                (0x201, 4, 1, first + second + make.count + note.count),
                (0x202, 4, 1, preview.count), (0x8769, 4, 1, first),
            ]) + directory([(0x927C, 7, note.count, first + second + make.count)]) + make + note
            + preview
    }

    /// ExifTool counts the records.
    @Test func `a city among the settings of Nikon's program goes, and the note stays`() throws {
        let file = Self.raw(settings: Self.settings())
        let before = try photos.tags(of: file, "-a", "-G1", "-IPTC:all", "-Nikon:all")
        #expect(before["IPTC2:City"] == "Lisbon" && before["IPTC2:Caption-Abstract"] == "At night")
        let cleaned = try #require(try LocationTests.cleaned(file))
        let after = try photos.tags(of: cleaned, "-a", "-G1", "-IPTC:all", "-Nikon:all")
        #expect(after["IPTC2:City"] == nil)
        #expect(after["IPTC2:Caption-Abstract"] == "At night")
        #expect(after["Nikon:NEFLinearizationTable"] != nil)
        #expect(cleaned.firstRange(of: Array("the table of the sensor".utf8)) != nil)
    }

    /// Its preview needs none.
    @Test func `a note in the preview of a raw file goes with the position that it names`() throws {
        var preview = try Fixtures.bytes("location/maker.jpg")
        let city = try #require(preview.firstRange(of: Array("Paris".utf8))).lowerBound
        preview.replaceSubrange(city..<city + 16, with: Array("latitude 48.8584".utf8))
        let cleaned = try #require(
            try LocationTests.cleaned(Self.raw(settings: Self.settings(), preview: preview)))
        #expect(cleaned.firstRange(of: Array("latitude 48".utf8)) == nil)
        #expect(cleaned.firstRange(of: Array("the table of the sensor".utf8)) != nil)
    }

    /// Without the note, no program could develop the file.
    @Test func `a raw file keeps the note of its maker or is refused`() throws {
        let file = Self.raw(settings: Array("GPSLatitude 48.8584, 2.2945".utf8))
        let photo = try MemoryFile.make(named: "original", holding: file)
        #expect(throws: PixelError.locationStays) {
            try PictureFile.derive(photo, Derivation(removesLocation: true))
        }
    }
}
