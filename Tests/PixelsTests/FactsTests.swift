// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import Pixels

@Suite struct FactsTests {
    init() {
        HEIFFormats.install()
    }

    @Test(arguments: 1...8)
    func `size and orientation are read for every orientation`(tag: Int) throws {
        let facts = try facts("orientation/\(tag).jpg")
        #expect(facts.mediaType == .jpeg)
        #expect(facts.orientation.rawValue == UInt8(tag))
        #expect(facts.size == PixelSize(width: 48, height: 32))
    }

    @Test func `the date of exposure and its offset are read`() throws {
        #expect(
            try facts("jpeg/dated.jpg").taken
                == CaptureDate(
                    year: 2026, month: 5, day: 3, hour: 14, minute: 10, second: 59, offset: 120))
    }

    @Test func `without a date of exposure the date of the last change is used`() throws {
        #expect(
            try facts("jpeg/undated-offset.jpg").taken
                == CaptureDate(year: 2020, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    }

    @Test(arguments: ["rgb", "rgba", "interlaced", "16-bit", "palette", "grey"])
    func `the size of a PNG is read`(name: String) throws {
        let facts = try facts("png/\(name).png")
        #expect(facts.mediaType == .png)
        #expect(facts.size == PixelSize(width: 48, height: 32))
    }

    @Test(
        arguments: [
            ("blocks.webp", .webp), ("blocks.lossless.webp", .webp), ("moving.webp", .webp),
            ("blocks.turned.webp", .webp), ("blocks.heic", .heic), ("blocks.avif", .avif),
            ("blocks.jxl", .jpegXL), ("blocks.gif", .gif), ("moving.gif", .gif),
            ("blocks.tif", .tiff), ("motorola.tiff", .tiff), ("turned.tiff", .tiff),
            ("blocks.bmp", .bmp), ("blocks.ico", .icon), ("blocks.svg", .svg),
        ] as [(String, MediaType)])
    func `every other format has its type, size and animation`(name: String, type: MediaType) throws
    {
        let facts = try facts("formats/\(name)")
        #expect(facts.mediaType == type)
        #expect(facts.size == PixelSize(width: 48, height: 32))
        #expect(facts.isAnimated == name.hasPrefix("moving"))
    }

    @Test(
        arguments: [
            ("nikon.nef", .nikonRaw), ("sony.arw", .sonyRaw), ("pentax.pef", .pentaxRaw),
            ("adobe.dng", .adobeDNG), ("olympus.orf", .olympusRaw),
            ("panasonic.rw2", .panasonicRaw), ("fujifilm.raf", .fujiRaw),
            ("canon.cr3", .canonRaw3),
        ] as [(String, MediaType)])
    func `type, size and orientation of a raw file are read`(name: String, type: MediaType) throws {
        let facts = try facts("raw/\(name)")
        #expect(facts.mediaType == type)
        #expect(facts.orientation == .turnedRight)
        let sensor = type == .fujiRaw ? (48, 32) : (480, 320)
        #expect(facts.size == PixelSize(width: sensor.0, height: sensor.1))
    }

    @Test(arguments: ["empty.jpg", "text.jpg"])
    func `a file that is not a picture is unsupported`(name: String) {
        #expect(throws: PixelError.unsupported) { try facts("broken/\(name)") }
    }

    @Test(arguments: ["header-only.jpg", "marker-loop.jpg", "exif-offsets.jpg", "truncated.jpg"])
    func `a damaged header is not an error`(name: String) throws {
        #expect(try facts("broken/\(name)").mediaType == .jpeg)
    }

    @Test func `EXIF data with invalid offsets is ignored`() {
        for byte in UInt8.min...UInt8.max {
            let bytes = Array("II*\0".utf8) + [UInt8](repeating: byte, count: 100)
            let exif = EXIF(tiff: bytes[...])
            #expect(exif.taken == nil)
        }
    }

    /// The expected values for the intact images of the corpora come from exiftool.
    @Test(
        .enabled(if: Corpora.areAvailable, Comment(rawValue: Corpora.skipReason)),
        arguments: Corpora.manifest)
    func `facts agree with exiftool`(entry: Corpora.Entry) throws {
        let facts = try ImageFacts(
            reading: FileBytes(Descriptor.openForReading(entry.path)))
        let fields = entry.fields
        #expect(facts.mediaType.rawValue == Self.expectedType(fields))
        let width = try #require(fields["ImageWidth"].flatMap { Int($0) })
        let height = try #require(fields["ImageHeight"].flatMap { Int($0) })
        let stored = PixelSize(width: width, height: height)
        // 0 and values above 8 are undefined; such a picture is shown as stored.
        let tag = fields["Orientation"].flatMap { UInt8($0) }
            .flatMap(Orientation.init(rawValue:))
        switch facts.mediaType {
        case .heic, .avif:
            // The codec applies the container's rotation; EXIF only repeats it.
            let size = try #require(facts.size)
            let turn = Self.turnsWithoutEXIF[entry.name] ?? tag ?? .upright
            #expect(size == turn.applied(to: stored))
        default:
            #expect(facts.storedSize == stored)
            #expect(facts.orientation == tag ?? .upright)
        }
        #expect(facts.isAnimated == Self.moves(entry.name))
    }

    /// A text, a packet, records, a directory or a chunk: where programs write when a picture was made.
    @Test(
        arguments: [
            ("iptc.jpg", "2026:05:03 14:10:59", 120),
            ("main-directory.jpg", "2026:05:03 14:10:59", nil),
            ("settings.jpg", "2026:05:03 14:10:59", nil), ("xmp.psd", "2026:05:03 14:10:59", 120),
            ("xmp.jp2", "2026:05:03 14:10:59", 120), ("xmp.gif", "2026:05:03 14:10:59", 120),
            ("changed.png", "2026:05:03 12:10:59", 0), ("canon.jpg", "2026:05:03 14:10:59", nil),
            ("reconyx.jpg", "2026:05:03 14:10:59", nil),
        ] as [(String, String, Int?)])
    func `a date is found wherever programs write it`(
        name: String, date: String, offset: Int?
    ) throws {
        let taken = try facts("dates/\(name)").taken
        #expect(taken?.exif == date)
        #expect(taken?.offset == offset)
    }

    /// A program that composes pictures keeps the packets of all of them in its own.
    @Test func `a date behind a long history is read`() {
        let history = String(
            repeating: "<xmp:MetadataDate>2020-01-01</xmp:MetadataDate>", count: 99)
        let packet = "<rdf:li>\(history)</rdf:li><exif:DateTimeOriginal>2026-05-03T14:10:59<"
        #expect(XMPDate.read(Array(packet.utf8)[...])?.exif == "2026:05:03 14:10:59")
    }

    @Test(arguments: [4, 8])
    func `a sequence of pictures has the date of its movie`(width: Int) throws {
        var bytes = try Fixtures.bytes("sequence/blocks.heics")
        let header = try #require(bytes.firstRange(of: Array("mvhd".utf8))).upperBound
        // 2026-05-03 14:10:59 in seconds since 1904.
        let seconds = try #require(CaptureDate(exif: "2026:05:03 14:10:59")).secondsIfUTC
        let stated = LocationTests.big(Int(seconds) + 2_082_844_800)
        bytes[header] = width == 8 ? 1 : 0
        let field = width == 8 ? [0, 0, 0, 0] + stated : stated
        bytes.replaceSubrange(header + 4..<header + 4 + width, with: field)
        let file = try MemoryFile.make(named: "sequence", holding: bytes)
        let date = try ImageFacts(reading: FileBytes(file)).taken
        #expect(date?.exif == "2026:05:03 14:10:59")
        #expect(date?.offset == 0)
    }

    /// Files of the corpora whose container rotates them although their EXIF data does not;
    /// libheif's own program decodes them in the same way.
    private static let turnsWithoutEXIF: [String: Orientation] = [
        "avif/clop_irot_imor.avif": .turnedLeft
    ]

    /// Whether exiftool, gifsicle or webpmux count more than one frame.
    private static func moves(_ name: String) -> Bool {
        let still = ["animated/interlaced.gif", "animated/oob.gif"]
        let moving = [
            "avif/alpha_video.avif", "avif/colors-animated-8bpc-audio.avif", "webp/anim.webp",
            "webp/advertises_rgba_but_frames_are_rgb.webp", "png/apng_ball.png",
            "png/wpt_fcTL-dispose-in-region-none.png", "png/wpt_dispose-previous-blend-source.png",
        ]
        return name.hasPrefix("animated/") ? !still.contains(name) : moving.contains(name)
    }

    /// exiftool's names that differ from the registered ones.
    private static func expectedType(_ fields: [String: String]) -> String? {
        switch fields["MIMEType"] {
        case "image/apng": "image/png"
        case "image/x-icon": "image/vnd.microsoft.icon"
        // By its specification, a sequence of AVIF pictures (brand `avis`) is image/avif.
        case "video/mp4" where fields["SourceFile"]?.hasSuffix(".avif") == true: "image/avif"
        default: fields["MIMEType"]
        }
    }

    private func facts(_ name: String) throws -> ImageFacts {
        try ImageFacts(reading: FileBytes(Fixtures.open(name)))
    }
}
