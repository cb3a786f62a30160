// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import SystemPackage
import TestSupport
import Testing
import Videos

@testable import Pixels

/// What pairs the files of a Live Photo, and where a motion photo keeps its video.
@Suite struct LivePhotoFactsTests {
    init() {
        HEIFFormats.install()
    }

    private static let identifier = ContentIdentifier("11111111-2222-3333-4444-555555555555")

    @Test(arguments: ["photo.jpg", "photo.heic"])
    func `the identifier is read from the note of Apple's cameras`(name: String) throws {
        let facts = try facts("live/\(name)")
        #expect(facts.contentIdentifier == Self.identifier)
        #expect(facts.motionVideo == nil)
        #expect(facts.taken?.exif == "2026:05:03 14:10:59")
    }

    @Test func `the identifier, date and duration of the video are read`() throws {
        let facts = try VideoFile(Fixtures.open("live/video.mov")).facts
        #expect(facts.mediaType == .quickTime)
        #expect(facts.contentIdentifier == Self.identifier)
        #expect(facts.taken?.exif == "2026:05:03 14:10:59")
        #expect(facts.milliseconds == 2000)
        #expect(try VideoFile(Fixtures.open("live/exported.mov")).facts.contentIdentifier == nil)
    }

    @Test(arguments: ["live/exported.jpg", "formats/blocks.jpg", "location/samsung.jpg"])
    func `other pictures have no identifier`(name: String) throws {
        #expect(try facts(name).contentIdentifier == nil)
    }

    @Test func `an identifier with other characters counts as none`() throws {
        #expect(ContentIdentifier("") == nil)
        #expect(ContentIdentifier("a'b") == nil)
        #expect(ContentIdentifier("ä") == nil)
        #expect(ContentIdentifier(String(repeating: "a", count: 65)) == nil)
        var bytes = try Fixtures.bytes("live/photo.jpg")
        let place = try #require(bytes.firstRange(of: Array("11111111-".utf8)))
        bytes[place.lowerBound] = UInt8(ascii: "'")
        #expect(try facts(of: bytes).contentIdentifier == nil)
    }

    @Test(arguments: ["google.jpg", "micro.jpg", "samsung.jpg", "google.heic"])
    func `the video of a motion photo is found, with all of its bytes`(name: String) throws {
        let bytes = try Fixtures.bytes("motion/\(name)")
        let range = try #require(try facts("motion/\(name)").motionVideo)
        let video = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        #expect(try video.elementsEqual(Fixtures.bytes("motion/video.mp4")))
    }

    @Test(arguments: ["google.jpg", "samsung.jpg"])
    func `the video is still there when the location has been removed`(name: String) throws {
        let range = try facts("motion/\(name)").motionVideo
        let changed = try #require(
            try LocationRemoval.apply(to: Fixtures.bytes("motion/\(name)")))
        #expect(try facts(of: changed).motionVideo == range)
    }

    @Test func `a mark without a video counts as none`() throws {
        #expect(try facts("motion/cut.jpg").motionVideo == nil)
        for name in ["google.jpg", "micro.jpg", "samsung.jpg", "google.heic"] {
            let whole = try Fixtures.bytes("motion/\(name)")
            #expect(try facts(of: whole.dropLast(100)).motionVideo == nil, "\(name)")
        }
    }

    @Test func `numbers in a mark that no file has are ignored`() throws {
        let whole = try Fixtures.bytes("motion/micro.jpg")
        let mark = Array("MicroVideoOffset=\"".utf8)
        let place = try #require(whole.firstRange(of: mark)).upperBound
        for digits in ["0000", "-001", "9999", "1e99"] {
            var bytes = whole
            bytes.replaceSubrange(place..<place + 4, with: digits.utf8)
            #expect(try facts(of: bytes).motionVideo == nil, "\(digits)")
        }
    }

    private func facts(_ name: String) throws -> ImageFacts {
        try ImageFacts(reading: FileBytes(Fixtures.open(name)))
    }

    private func facts(of bytes: [UInt8]) throws -> ImageFacts {
        try ImageFacts(reading: FileBytes(MemoryFile.make(named: "photo", holding: bytes)))
    }
}
