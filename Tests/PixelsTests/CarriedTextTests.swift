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
        "formats/blocks.heic", "formats/blocks.psd", "raw/adobe.dng", "formats/blocks.gif",
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

    @Test(arguments: [
        "jpeg/baseline.jpg", "formats/blocks.tif", "formats/blocks.psd", "png/rgb.png",
    ])
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

    @Test(arguments: ["2020:02:03 04:05:06", "2020-02-03T04:05:06", "Mon, 03 Feb 2020 04:05:06"])
    func `the date of a PNG that is only a text is read, and survives a conversion`(
        text: String
    ) throws {
        // ExifTool writes a form of its own.
        let photo = try photos.file(
            try Self.png(with: "Creation Time\0" + text), "dated.png", ["-PNG:Title=Tower"])
        let expected = CaptureDate(exif: "2020:02:03 04:05:06")
        #expect(try ImageFacts(reading: FileBytes(photo)).taken == expected)
        #expect(try date(photo, "-EXIF:DateTimeOriginal") == "2020:02:03 04:05:06")
    }

    @Test func `a date that is only in IPTC records survives a conversion`() throws {
        let photo = try photos.copy(
            "jpeg/baseline.jpg",
            ["-IPTC:DateCreated=2020:02:03", "-IPTC:TimeCreated=04:05:06+03:00"])
        #expect(try date(photo, "-EXIF:DateTimeOriginal") == "2020:02:03 04:05:06")
        #expect(try date(photo, "-EXIF:OffsetTimeOriginal") == "+03:00")
    }

    /// What ExifTool reads in a conversion.
    private func date(_ photo: Descriptor, _ tag: String) throws -> String? {
        let picture = PictureChange(
            format: .jpeg, size: PixelSize(width: 20, height: 15), quality: 90)
        let derived = try #require(
            try PictureFile.derive(
                photo, Derivation(removesLocation: false, picture: picture)))
        return try photos.tags(of: derived.bytes, tag).values.first
    }

    /// A picture with a text.
    private static func png(with text: String) throws -> [UInt8] {
        let file = try Fixtures.bytes("png/rgb.png")
        // Behind the signature and the first chunk. Readers need not check the sum of a text.
        let chunk =
            LocationTests.big(text.utf8.count) + Array("tEXt".utf8) + Array(text.utf8)
            + [UInt8](repeating: 0, count: 4)
        return file[..<33] + chunk + file[33...]
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
        let carried = CarriedXMP.packets(
            WrittenMetadata(xmp: Array(packet.utf8)[...]), PhotoTexts(), removesLocation: false)
        #expect(carried == [Array(packet.utf8)])
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

    @Test func `what is only in IPTC records goes first if a packet gets too long`() throws {
        let long = String(repeating: "Long. ", count: 10_500)
        let keywords = (1...100).map { "-IPTC:Keywords=\($0) \(String(repeating: "x", count: 55))" }
        let photo = try photos.copy(
            "formats/blocks.tif", ["-XMP-dc:Description=\(long)"] + keywords)
        let found = try converted(photo, .jpeg)
        #expect(found["XMP-dc:Description"]?.count == long.count)
        #expect(found["XMP-dc:Subject"] == nil)
        #expect(try converted(photo, .png)["XMP-dc:Subject"] != nil)
    }

    private static let namespaces =
        " xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"
        + " xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:xmpMM='http://ns.adobe.com/xap/1.0/mm/'"
        + " xmlns:ps='http://ns.adobe.com/photoshop/1.0/'"

    /// The tags of a converted photo with this packet and the keyword “tram” in IPTC records.
    private func converted(_ packet: String) throws -> [String: String] {
        let written = WrittenMetadata(
            xmp: Array(packet.utf8)[...],
            iptc: Block([0x1C, 2, 25, 0, 4] + Array("tram".utf8)[...]))
        let packets = CarriedXMP.packets(written, PhotoTexts(written), removesLocation: false)
        return try photos.tags(of: try #require(packets.first), "-G1", "-XMP:all")
    }

    @Test func `the title of an ingredient is not that of the photo`() throws {
        let found = try converted(
            "<rdf:RDF\(Self.namespaces)><rdf:Description rdf:about='uuid:1'><xmpMM:Pantry><rdf:Bag>"
                + "<rdf:li rdf:parseType='Resource'><dc:title><rdf:Alt><rdf:li xml:lang='x-default'>"
                + "Part</rdf:li></rdf:Alt></dc:title></rdf:li></rdf:Bag></xmpMM:Pantry>"
                + "<ps:Headline>Whole</ps:Headline></rdf:Description></rdf:RDF>")
        #expect(found["XMP-dc:Title"] == nil && found["XMP-photoshop:Headline"] == "Whole")
        #expect(found["XMP-dc:Subject"] == "tram" && found["XMP-rdf:About"] == "uuid:1")
    }

    @Test func `text that is written without references survives a conversion`() throws {
        let found = try converted(
            "<rdf:RDF\(Self.namespaces)> <rdf:Description rdf:about=''>\n<ps:Headline>"
                + "<![CDATA[ a > < b ]]></ps:Headline> <ps:Credit>1 > 0</ps:Credit>"
                + "</rdf:Description></rdf:RDF>")
        #expect(found["XMP-photoshop:Headline"]?.contains("a > < b") == true)
        #expect(found["XMP-photoshop:Credit"] == "1 > 0")
    }

    /// The prefixes in a packet mean nothing.
    @Test(arguments: ["", " "])
    func `a packet with another prefix for RDF survives a conversion`(blank: String) throws {
        let found = try converted(
            "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><r:RDF"
                + " xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'\(blank)>"
                + "<r:Description xmlns:ps='http://ns.adobe.com/photoshop/1.0/'>"
                + "<ps:Headline>Tower</ps:Headline></r:Description></r:RDF\(blank)>")
        #expect(found["XMP-photoshop:Headline"] == "Tower")
        #expect(found["XMP-dc:Subject"] == "tram")
    }

    @Test func `the end of a packet in a comment is not its end`() throws {
        let found = try converted(
            "<rdf:RDF\(Self.namespaces)><!-- </rdf:RDF> --><rdf:Description>"
                + "<ps:Headline>Tower</ps:Headline></rdf:Description></rdf:RDF>")
        #expect(found["XMP-photoshop:Headline"] == "Tower" && found["XMP-dc:Subject"] == "tram")
    }

    @Test func `a text that looks like what a packet is about is a text`() throws {
        let found = try converted(
            "<rdf:RDF\(Self.namespaces)><rdf:Description><ps:Headline>:about=\"x</ps:Headline>"
                + "<ps:Credit ps:x=\"1\">y</ps:Credit></rdf:Description></rdf:RDF>")
        #expect(
            found["XMP-photoshop:Headline"] == ":about=\"x" && found["XMP-dc:Subject"] == "tram")
    }

    @Test func `a property whose namespace has two prefixes is not repeated`() throws {
        let packet =
            "<rdf:RDF\(Self.namespaces) xmlns:x='http://purl.org/dc/elements/1.1/'><rdf:Description>"
            + "<x:subject><rdf:Bag><rdf:li>night</rdf:li></rdf:Bag></x:subject>"
            + "</rdf:Description></rdf:RDF>"
        #expect(try converted(packet)["XMP-dc:Subject"] == "night")
    }

    @Test(arguments: OutputFormat.allCases)
    func `a long packet does not make a small file impossible`(format: OutputFormat) throws {
        let long = String(repeating: "Long. ", count: 2000)
        let photo = try photos.copy("formats/blocks.tif", ["-XMP-dc:Description=\(long)"])
        #expect(try converted(photo, format, maximumByteCount: 6000) == [:])
    }
}
