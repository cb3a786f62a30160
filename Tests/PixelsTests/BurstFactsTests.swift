// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import Pixels

/// What says that a picture is one of a burst.
@Suite struct BurstFactsTests {
    init() {
        HEIFFormats.install()
    }

    private static let identifier = ContentIdentifier("11111111-2222-3333-4444-555555555555")

    @Test(arguments: [
        ("apple.jpg", false), ("apple.heic", false), ("google.jpg", false), ("primary.jpg", true),
    ])
    func `the identifier of the burst is read, and whether the picture is the best one`(
        name: String, isPrimary: Bool
    ) throws {
        let facts = try facts(of: Fixtures.bytes("burst/\(name)"))
        let identifier = try #require(Self.identifier)
        #expect(facts.burst == BurstMark(identifier, isPrimary: isPrimary))
        #expect(facts.contentIdentifier == nil)
    }

    @Test(arguments: ["live/photo.jpg", "motion/google.jpg", "formats/blocks.jpg"])
    func `other pictures are of no burst`(name: String) throws {
        #expect(try facts(of: Fixtures.bytes(name)).burst == nil)
    }

    @Test(arguments: ["apple.jpg", "primary.jpg"])
    func `an identifier with other characters counts as none`(name: String) throws {
        var bytes = try Fixtures.bytes("burst/\(name)")
        let place = try #require(bytes.firstRange(of: Array("11111111-".utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "/")
        #expect(try facts(of: bytes).burst == nil)
    }

    /// A camera writes both dates, a program that edits the picture the second one.
    @Test(arguments: [
        (["-ModifyDate=2026:05:03 14:10:59"], true), (["-ModifyDate=2026:05:03 14:11:30"], true),
        (["-ModifyDate=2026:05:03 13:00:00"], true), (["-ModifyDate=2026:05:03 14:13:00"], false),
        (["-ModifyDate=2027:01:01 00:00:00", "-Software=GIMP 2.10.34"], false),
        // The same moment in another zone.
        (["-ModifyDate=2026:05:03 15:10:59", "-OffsetTime=+03:00"], true),
        (["-ModifyDate=2026:05:03 14:10:59", "-OffsetTime=+01:00"], false),
    ])
    func `a picture that was edited is no frame`(changes: [String], isFrame: Bool) throws {
        let home = try TestHome()
        let path = home.scratch.appending("edited.jpg")
        try home.write(Fixtures.bytes("burst/apple.jpg"), to: path)
        try ExifTool.run(["-q", "-overwrite_original"] + changes + [path.string])
        let bytes = try Descriptor.openForReading(path).read(upTo: 1 << 20)
        #expect((try facts(of: bytes).burst != nil) == isFrame)
    }

    private func facts(of bytes: [UInt8]) throws -> ImageFacts {
        try ImageFacts(reading: FileBytes(MemoryFile.make(named: "photo", holding: bytes)))
    }
}
