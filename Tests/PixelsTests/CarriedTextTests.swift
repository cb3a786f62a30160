// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import TestSupport
import Testing

@testable import Pixels

/// What people wrote about a photo that is converted, judged by ExifTool.
@Suite struct CarriedTextTests {
    private let photos: TaggedPhotos

    init() throws {
        HEIFFormats.install()
        photos = try TaggedPhotos()
    }

    private static let texts = [
        "XMP-dc:Title": "Turm & <Tür> “42”", "XMP-dc:Description": "At night",
        "XMP-dc:Creator": "Žofie", "XMP-dc:Rights": "© Somebody", "XMP-xmp:Rating": "4",
        "XMP-xmpRights:UsageTerms": "Ask first", "XMP-photoshop:Headline": "Tower",
        "XMP-iptcCore:CreatorWorkEmail": "z@example.org",
    ]
    /// What belongs to the file, to its colours, or to some of its pixels.
    private static let others = [
        "XMP-tiff:Orientation": "6", "XMP-exif:ExifImageWidth": "4000",
        "XMP-crs:Saturation": "+50", "XMP-xmpMM:DocumentID": "uuid:1",
        "XMP-dc:Format": "image/tiff",
    ]
    private static let formats = [
        "jpeg/baseline.jpg", "png/rgb.png", "formats/blocks.tif", "formats/blocks.webp",
        "formats/blocks.heic", "formats/blocks.psd", "raw/adobe.dng",
    ]

    private func converted(
        _ photo: Descriptor, _ format: OutputFormat, removesLocation: Bool = false,
        maximumByteCount: UInt64? = nil
    ) throws -> [String: String] {
        let size = PixelSize(width: 20, height: 15)
        let picture = PictureChange(
            format: format, size: size, quality: 90, maximumByteCount: maximumByteCount)
        let derived = try #require(
            try PictureFile.derive(
                photo, Derivation(removesLocation: removesLocation, picture: picture)))
        return try photos.tags(of: derived.bytes, "-G1", "-XMP:all")
    }

    @Test(arguments: formats, OutputFormat.allCases)
    func `title, description, keywords, rating and rights in XMP survive a conversion`(
        name: String, format: OutputFormat
    ) throws {
        let words = (Self.texts.merging(Self.others) { first, _ in first })
            .map { "-\($0.key)=\($0.value)" }
        let photo = try photos.copy(
            name, words + ["-XMP-dc:Subject=tram", "-XMP-dc:Subject=night"])
        for removesLocation in [false, true] {
            let found = try converted(photo, format, removesLocation: removesLocation)
            for (tag, value) in Self.texts { #expect(found[tag] == value, "\(tag)") }
            for tag in Self.others.keys { #expect(found[tag] == nil) }
            let keywords = found["XMP-dc:Subject"] ?? ""
            #expect(keywords.contains("tram") && keywords.contains("night"))
        }
    }

    @Test(arguments: ["jpeg/baseline.jpg", "formats/blocks.tif", "formats/blocks.psd"])
    func `what is only in IPTC records survives a conversion`(name: String) throws {
        let photo = try photos.copy(
            name,
            [
                "-IPTC:ObjectName=Turm", "-IPTC:Caption-Abstract=Bei Nacht & Nebel",
                "-IPTC:By-line=Žofie", "-IPTC:By-line=Jan", "-IPTC:CopyrightNotice=© Somebody",
                "-IPTC:Keywords=tram", "-IPTC:Keywords=night", "-IPTC:Headline=Tower",
                "-IPTC:Credit=Agency", "-IPTC:City=Lisbon",
                // In the packet, this counts.
                "-XMP-dc:Rights=© Nobody",
            ])
        for (format, removesLocation) in [(OutputFormat.jpeg, false), (.png, true)] {
            let found = try converted(photo, format, removesLocation: removesLocation)
            #expect(found["XMP-dc:Title"] == "Turm")
            #expect(found["XMP-dc:Description"] == "Bei Nacht & Nebel")
            #expect(found["XMP-dc:Rights"] == "© Nobody")
            #expect(found["XMP-photoshop:Headline"] == "Tower")
            #expect(found["XMP-photoshop:Credit"] == "Agency")
            #expect(found["XMP-photoshop:City"] == (removesLocation ? nil : "Lisbon"))
            let authors = found["XMP-dc:Creator"] ?? ""
            #expect(authors.contains("Žofie") && authors.contains("Jan"))
            let keywords = found["XMP-dc:Subject"] ?? ""
            #expect(keywords.contains("tram") && keywords.contains("night"))
        }
    }

    /// - Source: Portable Network Graphics (Third Edition), 11.3.3.1: keywords.
    @Test func `title, author and copyright of a PNG survive a conversion`() throws {
        let photo = try photos.copy(
            "png/rgb.png",
            ["-PNG:Title=Tower", "-PNG:Author=Somebody", "-PNG:Copyright=Nobody", "-XMP="])
        let found = try converted(photo, .webP)
        #expect(found["XMP-dc:Title"] == "Tower")
        #expect(found["XMP-dc:Creator"] == "Somebody")
        #expect(found["XMP-dc:Rights"] == "Nobody")
    }

    @Test(arguments: OutputFormat.allCases)
    func `a place in XMP survives a conversion only with the location`(
        format: OutputFormat
    ) throws {
        let photo = try photos.copy(
            "jpeg/baseline.jpg",
            [
                "-XMP-exif:GPSLatitude=48.8584", "-XMP-exif:GPSLongitude=2.2945",
                "-XMP-photoshop:City=Paris", "-XMP-dc:Title=Tower",
                "-XMP-dc:Description=Seen from 48.8583, 2.2944",
            ])
        let whole = try converted(photo, format)
        #expect(whole["XMP-exif:GPSLatitude"] == "48.8584")
        #expect(whole["XMP-photoshop:City"] == "Paris")
        #expect(whole["XMP-dc:Description"] == "Seen from 48.8583, 2.2944")
        let hidden = try converted(photo, format, removesLocation: true)
        #expect(
            hidden == ["XMP-dc:Title": "Tower", "XMP-x:XMPToolkit": hidden["XMP-x:XMPToolkit"]])
    }

    /// Readers refuse a packet with a property twice.
    @Test func `an empty title is not repeated`() throws {
        let photo = try photos.copy(
            "jpeg/baseline.jpg",
            ["-XMP-dc:Title=", "-XMP-photoshop:Headline=x", "-IPTC:ObjectName=Turm"])
        let found = try converted(photo, .webP)
        #expect(found["XMP-dc:Title"] == "Turm" && found["XMP-photoshop:Headline"] == "x")
    }

    /// It took minutes, because each `>` was followed by a search for its beginning.
    @Test func `a long text of markup characters does not take forever`() throws {
        let long = String(repeating: ">", count: 900_000)
        let packet =
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
            + "<rdf:Description xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:source>\(long)"
            + "</dc:source></rdf:Description></rdf:RDF>"
        let carried = CarriedXMP.packet(
            WrittenMetadata(xmp: Array(packet.utf8)[...]), PhotoTexts(), removesLocation: false)
        #expect(carried == Array(packet.utf8))
    }

    @Test func `a packet that describes nothing but the file is left out`() throws {
        let photo = try photos.copy(
            "jpeg/baseline.jpg", Self.others.map { "-\($0.key)=\($0.value)" })
        for format in OutputFormat.allCases { #expect(try converted(photo, format) == [:]) }
    }

    @Test func `a packet that is longer than a segment is left out of a JPEG only`() throws {
        let long = String(repeating: "Long. ", count: 15_000)
        let photo = try photos.copy("formats/blocks.tif", ["-XMP-dc:Description=\(long)"])
        #expect(try converted(photo, .jpeg) == [:])
        #expect(try converted(photo, .png)["XMP-dc:Description"]?.count == long.count)
    }

    @Test(arguments: OutputFormat.allCases)
    func `a long packet does not make a small file impossible`(format: OutputFormat) throws {
        let long = String(repeating: "Long. ", count: 2000)
        let photo = try photos.copy("formats/blocks.tif", ["-XMP-dc:Description=\(long)"])
        #expect(try converted(photo, format, maximumByteCount: 6000) == [:])
    }
}
