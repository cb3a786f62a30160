// SPDX-License-Identifier: MIT

import Photos
import Pixels
import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct FactsTests {
    @Test(arguments: 1...8)
    func `size and orientation of each way to store a picture`(tag: Int) throws {
        let facts = try facts("orientation/\(tag).jpg")
        #expect(facts.mediaType == .jpeg)
        #expect(facts.orientation.rawValue == UInt8(tag))
        #expect(facts.size == PixelSize(width: 48, height: 32))
    }

    @Test func `the date of exposure and its offset`() throws {
        #expect(
            try facts("jpeg/dated.jpg").taken
                == CaptureDate(
                    year: 2026, month: 5, day: 3, hour: 14, minute: 10, second: 59, offset: 120))
    }

    @Test func `without a date of exposure that of the last change counts`() throws {
        #expect(
            try facts("jpeg/undated-offset.jpg").taken
                == CaptureDate(year: 2020, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    }

    @Test(arguments: ["rgb", "rgba", "interlaced", "16-bit", "palette", "grey"])
    func `the size of a PNG`(name: String) throws {
        let facts = try facts("png/\(name).png")
        #expect(facts.mediaType == .png)
        #expect(facts.size == PixelSize(width: 48, height: 32))
    }

    @Test(arguments: ["empty.jpg", "text.jpg"])
    func `what is no picture is unsupported`(name: String) {
        #expect(throws: PixelError.unsupported) { try facts("broken/\(name)") }
    }

    @Test(arguments: ["header-only.jpg", "marker-loop.jpg", "exif-offsets.jpg", "truncated.jpg"])
    func `a damaged header is not an error`(name: String) throws {
        #expect(try facts("broken/\(name)").mediaType == .jpeg)
    }

    @Test func `EXIF whose offsets point anywhere says nothing`() {
        for byte in UInt8.min...UInt8.max {
            let bytes = Array("II*\0".utf8) + [UInt8](repeating: byte, count: 100)
            let exif = EXIF(tiff: bytes[...])
            #expect(exif.taken == nil)
        }
    }

    /// exiftool is the judge over the intact images of the corpora.
    @Test(
        .enabled(if: Corpora.areAvailable, Comment(rawValue: Corpora.skipReason)),
        arguments: Corpora.manifest)
    func `facts agree with exiftool`(entry: Corpora.Entry) throws {
        let facts = try ImageFacts(
            reading: FileBytes(Descriptor.openForReading(entry.path)))
        let fields = entry.fields
        #expect(facts.mediaType.rawValue == Self.expectedType(fields))
        guard facts.mediaType == .jpeg || facts.mediaType == .png else { return }
        let stored = facts.storedSize.map { "\($0.width) \($0.height)" }
        #expect(stored == "\(fields["ImageWidth"] ?? "") \(fields["ImageHeight"] ?? "")")
        // 0 and values beyond 8 are not defined: such a picture is shown as it is stored.
        let tag = fields["Orientation"].flatMap { UInt8($0) }
        #expect(facts.orientation == tag.flatMap(Orientation.init(rawValue:)) ?? .upright)
    }

    /// exiftool's own names where they are not the registered ones.
    private static func expectedType(_ fields: [String: String]) -> String? {
        switch fields["MIMEType"] {
        case "image/apng": "image/png"
        case "image/x-icon": "image/vnd.microsoft.icon"
        // A sequence of AVIF pictures, brand `avis`, is image/avif by its specification.
        case "video/mp4" where fields["SourceFile"]?.hasSuffix(".avif") == true: "image/avif"
        default: fields["MIMEType"]
        }
    }

    private func facts(_ name: String) throws -> ImageFacts {
        try ImageFacts(reading: FileBytes(Fixtures.open(name)))
    }
}
