// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
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

    private func facts(of bytes: [UInt8]) throws -> ImageFacts {
        try ImageFacts(reading: FileBytes(MemoryFile.make(named: "photo", holding: bytes)))
    }
}
