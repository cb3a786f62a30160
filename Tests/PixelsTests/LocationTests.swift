// SPDX-License-Identifier: MIT

import Files
import Foundation
import HEIFFormats
import Photos
import Processes
import RareFormats
import SystemPackage
import TestSupport
import Testing
import Videos

@testable import Pixels

/// Files that each tell one place in one way; ExifTool, FFmpeg and a search for the numbers judge.
@Suite struct LocationTests {
    private static let names: [String] = {
        let folder = Fixtures.path("location")
        let names = (try? Directory.entries(of: folder))?.map(\.name.string) ?? []
        return names.sorted()
    }()

    private let home: TestHome

    init() throws {
        home = try TestHome()
        HEIFFormats.install()
        RareFormats.install()
        VideoFile.prepare()
    }

    @Test func `there is a file for each way`() {
        #expect(Self.names.count > 50)
    }

    @Test(arguments: names)
    func `a file tells no place afterwards, and everything else`(name: String) throws {
        let original = try Fixtures.bytes("location/\(name)")
        let cleaned = try #require(try Self.cleaned(original), "nothing was removed")
        #expect(cleaned.count == original.count)
        #expect(Self.coordinates(in: cleaned) == [])
        #expect(try Self.cleaned(cleaned) == nil, "something was left to remove")

        let path = home.scratch.appending(name)
        try home.write(cleaned, to: path)
        let before = try facts(Fixtures.path("location/\(name)"))
        let after = try facts(path)
        // What is overwritten in place is still there, and empty.
        let places = after.filter { Self.tellsPlace($0.key) && !["", "0"].contains($0.value) }
        #expect(places == [:])
        #expect(after.filter { $0.value.contains("48.858") || $0.value.contains("30.24") } == [:])
        let lost = before.filter { after[$0.key] != $0.value && !Self.tellsPlace($0.key) }
        #expect(lost.filter { !Self.isCarrier($0.key, name) } == [:])
        try expectSamePicture(name, original, cleaned)
    }

    /// The same search that the removal trusts finds each of them, except codes that only ExifTool
    /// knows, names, and numbers in data of other kinds.
    @Test(arguments: names)
    func `the second search finds what was not removed`(name: String) throws {
        let mayMiss = [
            "map.tif", "satellite.tif", "maker.jpg", "maker-unknown.jpg", "maker-leica.jpg",
            "private.dng", "xmp-city-0.png", "xmp-city-1.png", "xmp-city-2.png", "utf8.jpg",
            "bytes.jpg", "xmp-angle.jpg", "manifest-keys.jpg", "description.mp4", "pages.tif",
            "texts.mkv", "xmp-texts.jpg",
        ].contains(name)
        let original = try Fixtures.bytes("location/\(name)")
        #expect(mayMiss || LocationScan.findsPlace(in: original))
    }

    @Test(arguments: [
        "48.8584, 2.2945", "48.8584\u{B0} N, 2.2945\u{B0} E", "48.8584N 2.2945E",
        "geo:48.8584,2.2945",
        "lat=48.8584 long=2.2945", "(48.8584; -2.2945)", "48\u{B0}51'30.24\"N 2\u{B0}17'40.2\"E",
        "48 deg 51' 30.24\" N, 2 deg 17' 40.20\" E", "48\u{B0} 51\u{2032} N", "geo:lat=48.8584",
        "48,8584 2,2945", "N 48 51.504 E 002 17.670", "48.86 N, 2.29 E",
        "48\u{B0} 51.5 N 2\u{B0} 17.7 E",
        "485130N 0021740E", "S 22.9, W 43.2", "48 51 30 North, 2 17 40 East",
        "https://maps.app.goo.gl/abcdef", "see what3words.com/index.home.raft",
        "lat=48.8584&lng=2.2945", "https://a.example/?lat=48.8584&lon=2.2945",
        "Latitud: 48.8584, Longitud: 2.2945", "Latitudine 48.8584 Longitudine 2.2945",
        "Breitengrad 48.8584, L\u{E4}ngengrad 2.2945", "48.8584 and 2.2945",
        "48.8584 Nord 2.2945 Est", "48d51m30s N 2d17m40s E", "N 48d51m30s E 2d17m40s",
        "Breite 48.8584 (aus der Wanderkarte), L\u{E4}nge 2.2945",
        "lat 48.8584\nheight 35 m, from the map\nlon 2.2945",
        "lat%3D48.8584%26lon%3D2.2945", "https://a.example/?at=48.8584%2c2.2945",
    ])
    func `coordinates are recognized however they are written`(text: String) {
        #expect(PlaceText.tellsPosition(text.utf8))
        let latin = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        guard latin.count == text.unicodeScalars.count else { return }
        #expect(PlaceText.tellsPosition(latin))
        #expect(PlaceText.tellsPosition(latin.flatMap { [$0, 0] }))
    }

    @Test(arguments: [
        "Summer 2024", "f/2.8, 1/250 s", "12.5 x 8.25 cm", "3.1415", "at 25\u{B0}", "geo: rocks",
        "version 1.2.3.4", "20.11.2024 10:00:00", "turned 90 deg", "1920 x 1080",
        "1,234,567 of 12,345 67,890", "north of 10 things, east of 5", "30 s, 5 W",
        "192.168.178.100", "10.168.100.100", "1.234.567.890 people", "Flat: 123456 long: 98765",
        "12.3456 for the first, and 23.4567 for the second",
    ])
    func `other numbers are no coordinates`(text: String) {
        #expect(!PlaceText.tellsPosition(text.utf8))
        #expect(!LocationScan.findsCoordinates(text.utf8))
    }

    @Test(arguments: [
        "lat=48.8584&lng=2.2945", "https://a.example/?lat=48.8584&lon=2.2945",
        "Latitud: 48.8584, Longitud: 2.2945", "48.8584 and 2.2945", "48.8584 Nord 2.2945 Est",
        "Breitengrad 48.8584, L\u{E4}ngengrad 2.2945", "It is 48.8584. 2.2945 it is.",
    ])
    func `the second search finds coordinates with words between them`(text: String) {
        #expect(LocationScan.findsCoordinates(text.utf8))
    }

    @Test(arguments: [
        "Location: Paris", "location = 'Paris'", "Location Paris",
        "\"location\": {\"name\": \"x\"}",
        "location paris", "A day\nlocation paris", "GPS N 48 51 30", "gpsPosition: 48 51",
        "NMEA 4851", "https%3A%2F%2Fa.example%2F%3Fgps%3D48.85",
        "at latitude 48",
    ])
    func `a word for a place with a value is a place`(text: String) {
        #expect(PlaceText.describesPlace(text.utf8))
        #expect(PlaceText.describesPlace(text.utf8.flatMap { [$0, 0] }))
    }

    @Test(arguments: [
        "A nice location for lunch", "shot on location in winter", "a walk with the gps",
        "no gps, no map", "my favourite location.", "location",
    ])
    func `a word for a place alone is no place`(text: String) {
        #expect(!PlaceText.describesPlace(text.utf8))
    }

    @Test func `a description that only mentions a location stays`() throws {
        let text = "A nice location for lunch, found without a GPS"
        let photo = home.scratch.appending("mentioned.jpg")
        try home.write(Fixtures.bytes("jpeg/grey.jpg"), to: photo)
        try ExifTool.run([
            "-q", "-overwrite_original", "-ImageDescription=\(text)", "-UserComment=\(text)",
            "-Comment=\(text)", photo.string,
        ])
        let file = try Descriptor.openForReading(photo)
        #expect(try PictureFile.derive(file, Derivation(removesLocation: true)) == nil)
    }

    /// Pixels of a picture in which they were found.
    @Test func `signs, points and digits in any order are no position`() {
        #expect(!LocationScan.findsPlace(in: Array("62.26-11.1-.00./5".utf8)))
        #expect(!LocationScan.findsPlace(in: Array("7+..11+2222/".utf8)))
        #expect(LocationScan.findsPlace(in: Array("x+48.8584+002.2945/".utf8)))
        #expect(LocationScan.findsPlace(in: Array("x-4851.50-00217.67+035.0/".utf8)))
    }

    /// What the parsers leave out on purpose is found by the search, and then everything goes.
    @Test func `a place where nobody expects it is found`() throws {
        let picture = try Fixtures.bytes("jpeg/grey.jpg")
        // Before its end, where decoders skip what they do not need.
        let file = picture.dropLast(2) + Array("latitude=48.8584".utf8) + picture.suffix(2)
        let memory = try MemoryFile.make(named: "hidden", holding: Array(file))
        let derived = try #require(
            try PictureFile.derive(memory, Derivation(removesLocation: true)))
        #expect(derived.isLocationRemoved && derived.isConverted)
        #expect(!LocationScan.findsPlace(in: derived.bytes))
        let (bitmap, facts) = try PictureFile.decode(
            try MemoryFile.make(named: "anew", holding: derived.bytes), fitting: 4096)
        #expect(facts.mediaType == .jpeg)
        #expect(bitmap.size == PixelSize(width: 64, height: 48))
    }

    @Test func `a video of which nobody knows the place is refused`() throws {
        let file = [0, 0, 1, 0xBA] + [UInt8](repeating: 9, count: 5000)
        let place = Array("+48.8584+002.2945/".utf8)
        let quiet = try MemoryFile.make(named: "quiet", holding: file)
        #expect(try PictureFile.derive(quiet, Derivation(removesLocation: true)) == nil)
        let telling = try MemoryFile.make(named: "telling", holding: file + place + file)
        #expect(throws: PixelError.locationStays) {
            try PictureFile.derive(telling, Derivation(removesLocation: true))
        }
    }

    @Test func `a compressed box without a place stays`() throws {
        let original = try Fixtures.bytes("variants/compressed-date.jxl")
        #expect(original.firstRange(of: Array("brobExif".utf8)) != nil)
        #expect(try Self.cleaned(original) == nil)
    }

    /// Its comments and second pictures are compressed, where no search sees them.
    @Test func `the JPEG that a JPEG XL picture restores tells no place`() throws {
        let original = try Fixtures.bytes("location/restored.jxl")
        let before = try #require(RestoredJPEG.bytes(of: original))
        #expect(Self.coordinates(in: before) != [])
        let cleaned = try #require(try Self.cleaned(original))
        #expect(RestoredJPEG.bytes(of: cleaned).map { Self.coordinates(in: $0) } ?? [] == [])
        // One without a place can still be restored.
        let quiet = try Fixtures.bytes("variants/compressed-date.jxl")
        #expect(RestoredJPEG.bytes(of: quiet) != nil)
        #expect(try Self.cleaned(quiet) == nil)
    }

    @Test func `metadata survives beside a place that was compressed with it`() throws {
        for number in 0..<3 {
            let name = "xmp-city-\(number).png"
            let cleaned = try #require(try Self.cleaned(Fixtures.bytes("location/\(name)")))
            let path = home.scratch.appending(name)
            try home.write(cleaned, to: path)
            let facts = try facts(path)
            #expect(facts["XMP-dc:Title"] == "Summer", "\(name)")
        }
    }

    /// Camcorders write their position into the stream itself.
    @Test func `a video whose frames tell a place is refused`() throws {
        let identifier: [UInt8] = [
            0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C,
            0x9A,
            0x66,
        ]
        func file(_ entries: [UInt8]) throws -> Descriptor {
            let message =
                identifier + Array("MDPM".utf8) + [UInt8(entries.count / 5)] + entries
            let movie = try Fixtures.bytes("video/moving.mp4")
            // Among the samples, which are at its start.
            let media = try #require(movie.firstRange(of: Array("mdat".utf8))).upperBound
            return try MemoryFile.make(
                named: "movie",
                holding: Array(movie.prefix(media + 64)) + message
                    + movie.dropFirst(media + 64 + message.count))
        }
        let date: [UInt8] = [0x18, 0x20, 0x24, 0x05, 0x03]
        #expect(
            try PictureFile.derive(file(date), Derivation(removesLocation: true)) == nil)
        // Degrees and minutes of a latitude.
        let place: [UInt8] = [0xB2, 0, 48, 0, 1, 0xB3, 0, 51, 0, 1]
        #expect(throws: PixelError.locationStays) {
            try PictureFile.derive(file(date + place), Derivation(removesLocation: true))
        }
    }

    /// Data larger than a header that is read at once.
    @Test(arguments: ["png", "webp", "jxl"])
    func `a place in metadata of more than a megabyte is removed`(kind: String) throws {
        // The position is at the end; what precedes it is a value of a tag.
        let filler = [UInt8](repeating: 0x20, count: 1_200_000)
        var exif = Array("II*\0".utf8) + Self.little(8)
        let gpsAt = 8 + 2 + 24 + 4 + filler.count
        exif += [2, 0] + [0x0E, 1, 2, 0] + Self.little(filler.count) + Self.little(38)
        exif += [0x25, 0x88, 4, 0, 1, 0, 0, 0] + Self.little(gpsAt) + Self.little(0)
        exif += filler + [2, 0] + [2, 0, 5, 0, 3, 0, 0, 0] + Self.little(gpsAt + 30)
        exif += [4, 0, 5, 0, 3, 0, 0, 0] + Self.little(gpsAt + 30) + Self.little(0)
        for number in [48, 1, 51, 1, 3024, 100] { exif += Self.little(number) }
        let file: [UInt8]
        switch kind {
        case "png":
            let picture = try Fixtures.bytes("png/rgb.png")
            let chunk = Self.big(exif.count) + Array("eXIf".utf8) + exif + Self.big(0)
            file = Array(picture.prefix(33)) + chunk + picture.dropFirst(33)
        case "webp":
            let picture = try Fixtures.bytes("formats/blocks.turned.webp")
            let chunk =
                Array("EXIF".utf8) + Self.little(exif.count) + exif
                + (exif.count % 2 == 0 ? [] : [0])
            let size = picture.count - 8 + chunk.count
            file = Array(picture.prefix(4)) + Self.little(size) + picture.dropFirst(8) + chunk
        default:
            let picture = try Fixtures.bytes("location/after.jxl")
            file = picture + Self.big(12 + exif.count) + Array("Exif\0\0\0\0".utf8) + exif
        }
        let cleaned = try #require(try Self.cleaned(file))
        #expect(Self.coordinates(in: cleaned) == [])
        #expect(try Self.cleaned(cleaned) == nil)
    }

    // MARK: - Helpers

    static func little(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(number).littleEndian) { Array($0) }
    }

    static func big(_ number: Int) -> [UInt8] { little(number).reversed() }

    /// The file without its location; nil if it has none.
    static func cleaned(_ bytes: [UInt8]) throws -> [UInt8]? {
        let file = try MemoryFile.make(named: "original", holding: bytes)
        guard let derived = try PictureFile.derive(file, Derivation(removesLocation: true)) else {
            return nil
        }
        #expect(derived.isLocationRemoved && !derived.isConverted)
        return derived.applied(to: bytes)
    }

    /// The ways in which the coordinates occur in a file.
    static func coordinates(in bytes: [UInt8]) -> [String] {
        func numbers(_ values: [UInt32]) -> ([UInt8], [UInt8]) {
            (values.flatMap { little(Int($0)) }, values.flatMap { big(Int($0)) })
        }
        func double(_ value: Double) -> [[UInt8]] {
            let bits = withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
            return [bits, bits.reversed()]
        }
        func float(_ value: Float) -> [[UInt8]] {
            let bits = withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
            return [bits, bits.reversed()]
        }
        let fractions = numbers([48, 1, 51, 1])
        let scaled = numbers([488_584_000])
        let fixed = numbers([UInt32(48.8584 * 65536)])
        var patterns: [(String, [UInt8])] = [
            ("fractions", fractions.0), ("fractions", fractions.1), ("scaled", scaled.0),
            ("scaled", scaled.1), ("fixed", fixed.0), ("fixed", fixed.1),
        ]
        patterns += double(48.8584).map { ("double", $0) } + float(48.8584).map { ("float", $0) }
        for text in [
            "48.8584", "2.2945", "30.24", "48,51.504", "2,17.67", "48:51:30", "48/1, 51/1", "Paris",
            "WGS-84",
            "4711", "France", "300000003300000001",
        ] {
            patterns.append((text, Array(text.utf8)))
        }
        return patterns.filter { bytes.firstRange(of: $0.1) != nil }.map(\.0)
    }

    /// Whether a fact of ExifTool is about a place.
    static func tellsPlace(_ name: String) -> Bool {
        let words = [
            "GPS", "Latitude", "Longitude", "Location", "City", "Country", "MCCData", "CellID",
            "Cellid", "Geo", "PixelScale", "ISO6709", "Place", "TiePoint", ":State", "Province",
        ]
        return words.contains { name.contains($0) } && !name.contains("SubjectLocation")
    }

    /// Facts that are about what carried the place, and go with it.
    private static func isCarrier(_ name: String, _ file: String) -> Bool {
        let carriers: [String: [String]] = [
            "comment.jpg": ["Comment"], "unknown.jpg": [],
            "manifest.jpg": ["JUMBF", "CBOR", "JSON"], "manifest-name.jpg": ["JUMBF", "JSON"],
            "manifest-keys.jpg": ["JUMBF", "CBOR", "JSON"],
            "manifest.png": ["JUMBF", "JSON"], "manifest.jxl": ["JUMBF", "JSON"],
            "nikon.mp4": [], "sony.mp4": ["XML", "Track1:XML", "Handler", "UserData"],
            "subtitles.mp4": ["Track2", "Track3"],
            "subtitles.mkv": ["Track2", "Track3"], "subtitles.webm": ["Track2", "Track3"],
            "texts.mkv": ["Title", "TrackName", "ChapterString"],
            "xmp-texts.jpg": [
                "LogComment", "PreservedFileName", "Notes", "Teaser", "Note", "OtherConditions",
                "Description", "Rights", "Source", "Subject",
            ],
            "gopro-track.mp4": ["Track", "GoPro", "QuickTime"],
            "camera-track.mp4": ["Track"], "timed.mov": ["Track"],
            "maker-unknown.jpg": ["MakerNote"], "text.png": ["TextualData"],
            // ExifTool shows the packet of a BigTIFF as numbers, too.
            "map.tif": [], "big.tif": ["ApplicationNotes"], "drawing.svg": ["XMP"],
            "gopro.mp4": ["GoPro"], "gopro.jpg": [],
            "xmp-names.jpg": ["XMP-dwc", "XMP-geo", "XMP-cell"],
            "comments.exr": ["Comments"], "descriptions.png": ["Description", "Comment", "Note"],
            "descriptions.jpg": [
                "Description", "Subject", "Headline", "Caption", "Comment",
            ],
            "utf8.jpg": ["ImageDescription", "UserComment"],
            "bytes.jpg": ["ImageDescription", "UserComment"], "xmp-angle.jpg": ["Description"],
            "raw-profile-capitals.png": ["RawProfileTypeEXIF"],
            "jukebox.jpg": ["MediaJukebox", "Comment"], "xmp-target.jpg": ["LRFTarget"],
            "original.dng": ["OriginalRaw"], "description.mp4": ["LongDescription"],
            "references.svg": ["Desc"], "attributes.exr": [],
            "variables.hdr": ["Comment", "Gps", "Lat", "Lon"], "description.heic": ["Description"],
        ]
        return (carriers[file] ?? []).contains { name.contains($0) } || name.contains("IPTCDigest")
            || name.contains("Warning") || name.contains("FLIR:") || name.contains("XMP-dwc")
            || name.contains("XMP-geo") || name.contains("XMP-cell")
    }

    private func expectSamePicture(_ name: String, _ old: [UInt8], _ new: [UInt8]) throws {
        let path = home.scratch.appending(name)
        if ["mp4", "mov", "mkv", "webm", "avi"].contains(where: { name.hasSuffix($0) }) {
            #expect(
                try frames(Fixtures.path("location/\(name)")) == frames(path), "the frames changed")
            return
        }
        func decode(_ bytes: [UInt8]) throws -> Bitmap {
            try PictureFile.decode(
                try MemoryFile.make(named: "picture", holding: bytes), fitting: 4096
            ).0
        }
        #expect(try decode(old).bytes == decode(new).bytes, "the pixels changed")
    }

    private func frames(_ path: FilePath) throws -> String {
        String(
            decoding: try ProgramOutput.capture(
                "ffmpeg", ["-v", "quiet", "-i", path.string, "-map", "0:v", "-f", "framemd5", "-"],
                timeout: .seconds(60)), as: UTF8.self)
    }

    private func facts(_ path: FilePath) throws -> [String: String] {
        // ExifTool knows no metadata of theirs.
        if ["tga", "pam"].contains(path.extension) { return [:] }
        let output = try ExifTool.run([
            "-j", "-G1", "-a", "-ee", "-n", "--File:all", "--System:all", "--Composite:all",
            path.string,
        ])
        let list = try JSONSerialization.jsonObject(with: Data(output)) as? [[String: Any]]
        return (list?.first ?? [:]).mapValues { "\($0)" }
            .filter { $0.key != "SourceFile" && !$0.key.contains("ExifTool") }
    }
}

extension DerivedPicture {
    /// The whole derived file.
    func applied(to original: [UInt8]) -> [UInt8] {
        guard let parts else { return bytes }
        var result = original
        var start = 0
        for part in parts {
            result.replaceSubrange(part, with: bytes[start..<start + part.count])
            start += part.count
        }
        return result
    }
}
