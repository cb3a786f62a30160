// SPDX-License-Identifier: MIT

import Files
import Foundation
import HEIFFormats
import Photos
import Pixels
import SystemPackage
import TestSupport
import Testing

/// Metadata that a converted picture takes over, judged by ExifTool.
@Suite struct CarriedMetadataTests {
    private let photos: TaggedPhotos

    init() throws {
        HEIFFormats.install()
        photos = try TaggedPhotos()
    }

    private static let tags = [
        "DateTimeOriginal": "2024:05:03 10:00:00", "Make": "Maker", "Model": "Model 1",
        "Copyright": "(c) Somebody", "ImageDescription": "A tower", "Artist": "Somebody",
        "ExposureTime": "0.01",
    ]

    @Test(
        arguments: [
            "formats/blocks.tif", "formats/motorola.tiff", "raw/adobe.dng",
            "jpeg/baseline.jpg", "png/rgb.png", "formats/blocks.webp", "formats/blocks.heic",
        ], OutputFormat.allCases)
    func `a converted photo keeps its date, camera, copyright and description`(
        name: String, format: OutputFormat
    ) throws {
        let photo = try tagged(name)
        let derived = try #require(
            try PictureFile.derive(
                photo, Derivation(removesLocation: false, picture: smaller(format))))
        let found = try photos.tags(of: derived.bytes)
        for (tag, value) in Self.tags { #expect(found[tag] == value, "\(tag)") }
        #expect(found["GPSLatitude"] == "48.8584")
        #expect(found["Orientation"].map { $0 == "1" } ?? true)
    }

    private static let carriers = [
        ("jpeg/baseline.jpg", "XMP-dc"), ("jpeg/baseline.jpg", "IPTC"),
        ("formats/blocks.tif", "XMP-dc"), ("formats/blocks.tif", "IPTC"),
        ("formats/blocks.psd", "XMP-dc"), ("formats/blocks.psd", "IPTC"),
        ("png/rgb.png", "XMP-dc"), ("formats/blocks.webp", "XMP-dc"),
        ("formats/blocks.heic", "XMP-dc"), ("raw/adobe.dng", "XMP-dc"),
    ]
    private static let descriptions = [
        "XMP-dc": ["Description": "Turm & <Tür> “42”", "Creator": "Žofie", "Rights": "© Somebody"],
        "IPTC": [
            "Caption-Abstract": "Turm & <Tür> “42”", "By-line": "Žofie",
            "CopyrightNotice": "© Somebody",
        ],
    ]

    /// With EXIF data that says other things, and without any.
    @Test(arguments: carriers, [false, true])
    func `a description that is not in EXIF data survives a conversion`(
        carrier: (name: String, group: String), hasEXIF: Bool
    ) throws {
        let (name, group) = carrier
        let photo = try photos.copy(
            name,
            (Self.descriptions[group] ?? [:]).map { "-\(group):\($0.key)=\($0.value)" }
                + (hasEXIF ? ["-EXIF:Model=Model 1"] : []))
        for removesLocation in [false, true] {
            let derived = try #require(
                try PictureFile.derive(
                    photo, Derivation(removesLocation: removesLocation, picture: smaller(.webP))))
            let found = try photos.tags(of: derived.bytes)
            #expect(found["ImageDescription"] == "Turm & <Tür> “42”")
            #expect(found["Artist"] == "Žofie")
            #expect(found["Copyright"] == "© Somebody")
            #expect(found["Model"] == (hasEXIF ? "Model 1" : nil) || name.hasPrefix("raw/"))
        }
    }

    /// The date of a change, which is in EXIF data, is another one.
    @Test(
        arguments: [
            "jpeg/baseline.jpg", "formats/blocks.tif", "png/rgb.png", "formats/blocks.heic",
        ], [false, true])
    func `a capture date that is only in XMP survives a conversion`(
        name: String, hasEXIF: Bool
    ) throws {
        let photo = try photos.copy(
            name,
            ["-XMP-exif:DateTimeOriginal=2024:05:03 10:00:00+02:00"]
                + (hasEXIF ? ["-EXIF:ModifyDate=2025:01:01 00:00:00", "-EXIF:ISO=100"] : []))
        for removesLocation in [false, true] {
            let derived = try #require(
                try PictureFile.derive(
                    photo, Derivation(removesLocation: removesLocation, picture: smaller(.jpeg))))
            let found = try photos.tags(of: derived.bytes)
            #expect(found["DateTimeOriginal"] == "2024:05:03 10:00:00")
            #expect(found["OffsetTimeOriginal"] == "+02:00")
            #expect(found["ModifyDate"] == (hasEXIF ? "2025:01:01 00:00:00" : nil))
            #expect(found["ISO"] == (hasEXIF ? "100" : nil))
        }
    }

    @Test func `the description in EXIF data counts more than that in XMP`() throws {
        let photo = try photos.copy(
            "jpeg/baseline.jpg",
            ["-EXIF:ImageDescription=A tower", "-XMP-dc:Description=Another tower"])
        let derived = try #require(
            try PictureFile.derive(
                photo, Derivation(removesLocation: false, picture: smaller(.png))))
        #expect(try photos.tags(of: derived.bytes)["ImageDescription"] == "A tower")
    }

    /// Others than those that are taken from XMP and IPTC records.
    @Test(arguments: OutputFormat.allCases)
    func `texts in EXIF data that tell a position do not survive a conversion without it`(
        format: OutputFormat
    ) throws {
        let place = "Tower at 48.8584, 2.2945"
        let photo = try photos.copy(
            "jpeg/baseline.jpg",
            [
                "-EXIF:Model=Model 1", "-EXIF:ImageDescription=\(place)",
                "-EXIF:UserComment=\(place)", "-EXIF:XPComment=\(place)", "-EXIF:Artist=Somebody",
                "-EXIF:DateTimeOriginal=2024:05:03 10:00:00",
            ])
        let derived = try #require(
            try PictureFile.derive(
                photo, Derivation(removesLocation: true, picture: smaller(format))))
        #expect(derived.isLocationRemoved)
        let found = try photos.tags(of: derived.bytes)
        #expect(found.filter { $0.value.contains("48.85") } == [:])
        #expect(found["Model"] == "Model 1")
        #expect(found["Artist"] == "Somebody")
        #expect(found["DateTimeOriginal"] == "2024:05:03 10:00:00")
    }

    @Test func `a description that tells a position goes with it`() throws {
        let photo = try photos.copy(
            "jpeg/baseline.jpg",
            ["-EXIF:Model=Model 1", "-XMP-dc:Description=Tower at 48.8584, 2.2945"])
        let derived = try #require(
            try PictureFile.derive(
                photo, Derivation(removesLocation: true, picture: smaller(.webP))))
        let found = try photos.tags(of: derived.bytes)
        #expect(found["ImageDescription"] == nil)
        #expect(found["Model"] == "Model 1")
    }

    /// Its directories are in boxes of their own.
    @Test func `a converted CR3 keeps its date and its camera`() throws {
        let photo = try Fixtures.open("raw/canon.cr3")
        let derived = try #require(
            try PictureFile.derive(
                photo, Derivation(removesLocation: true, picture: smaller(.jpeg))))
        let found = try photos.tags(of: derived.bytes)
        #expect(found["DateTimeOriginal"] == "2026:05:04 03:02:01")
        #expect(found["Model"] == "Canon EOS R")
    }

    @Test(arguments: ["formats/blocks.tif", "raw/adobe.dng", "jpeg/baseline.jpg"])
    func `a converted photo without its location keeps the rest`(name: String) throws {
        let derived = try #require(
            try PictureFile.derive(
                try tagged(name), Derivation(removesLocation: true, picture: smaller(.jpeg))))
        let found = try photos.tags(of: derived.bytes)
        for (tag, value) in Self.tags { #expect(found[tag] == value, "\(tag)") }
        #expect(found.keys.filter { $0.contains("GPS") } == [])
    }

    /// A small picture with 60 KB of EXIF data, as cameras write it.
    @Test(arguments: OutputFormat.allCases)
    func `a photo with much metadata becomes small enough and keeps its date`(
        format: OutputFormat
    ) throws {
        let photo = try tagged("jpeg/dated.jpg", padding: 60_000)
        let size = try #require(try ImageFacts(reading: FileBytes(photo)).size)
        let derived = try #require(
            try PictureFile.derive(
                photo,
                Derivation(
                    removesLocation: false,
                    picture: PictureChange(
                        format: format, size: size, quality: 90, maximumByteCount: 12_000))))
        #expect(derived.bytes.count <= 12_000)
        let found = try photos.tags(of: derived.bytes)
        #expect(found["DateTimeOriginal"] == Self.tags["DateTimeOriginal"])
        #expect(found["Copyright"] == Self.tags["Copyright"])
        let result = try MemoryFile.make(named: "result", holding: derived.bytes)
        #expect(try ImageFacts(reading: FileBytes(result)).size == size)
    }

    // MARK: - Without metadata

    @Test(arguments: ["jpeg/baseline.jpg", "png/rgb.png", "formats/blocks.webp"])
    func `nothing but orientation and colour is left of the metadata`(name: String) throws {
        let photo = try tagged(name, orientation: 6)
        let derivation = Derivation(removesLocation: false, removesMetadata: true)
        let derived = try #require(try PictureFile.derive(photo, derivation))
        #expect(try photos.tags(of: derived.bytes, "-EXIF:all", "-XMP:all") == ["Orientation": "6"])
        let result = try MemoryFile.make(named: "result", holding: derived.bytes)
        #expect(
            try PictureFile.decode(photo, fitting: 4096).0.bytes
                == PictureFile.decode(result, fitting: 4096).0.bytes)
        #expect(try PictureFile.derive(result, derivation) == nil)
    }

    @Test func `the colours of a photo stay when its metadata goes`() throws {
        let photo = try tagged("colour/profile.jpg")
        let derived = try #require(
            try PictureFile.derive(
                photo, Derivation(removesLocation: false, removesMetadata: true)))
        let result = try MemoryFile.make(named: "result", holding: derived.bytes)
        let (bitmap, _) = try PictureFile.decode(result, fitting: 64)
        #expect(bitmap.bytes[0] > 200 && bitmap.bytes[1] < 60)
    }

    @Test(arguments: ["formats/blocks.heic", "formats/blocks.tif"])
    func `a photo of another format is converted to leave its metadata behind`(
        name: String
    ) throws {
        let photo = try tagged(name)
        let derivation = try #require(
            Derivation(
                of: try ImageFacts(reading: FileBytes(photo)), byteCount: 1000,
                options: OutputOptions(), removesLocation: false, removesMetadata: true))
        let derived = try #require(try PictureFile.derive(photo, derivation))
        #expect(derived.isConverted)
        #expect(try photos.tags(of: derived.bytes, "-EXIF:all", "-XMP:all") == [:])
    }

    private func smaller(_ format: OutputFormat) -> PictureChange {
        PictureChange(
            format: format, size: PixelSize(width: 24, height: 16), quality: 90, isStandard: true)
    }

    /// A copy of a fixture with metadata.
    private func tagged(
        _ name: String, padding: Int = 0, orientation: Int? = nil
    ) throws -> Descriptor {
        var words = Self.tags.map { "-EXIF:\($0.key)=\($0.value)" }
        words += ["-EXIF:GPSLatitude=48.8584", "-EXIF:GPSLatitudeRef=N"]
        if let orientation { words += ["-Orientation=\(orientation)", "-XMP:Title=Tower"] }
        if padding > 0 { words.append("-UserComment=\(String(repeating: "x", count: padding))") }
        return try photos.copy(name, words)
    }
}
