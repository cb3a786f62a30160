// SPDX-License-Identifier: MIT

import Files
import HEIFFormats
import Photos
import Processes
import RareFormats
import SystemPackage
import TestSupport
import Testing
import Videos

@testable import Pixels

/// Videos with wrong sizes, or with places where few programs write them.
@Suite struct OddVideoTests {
    private let home: TestHome

    init() throws {
        HEIFFormats.install()
        RareFormats.install()
        VideoFile.prepare()
        home = try TestHome()
    }

    // MARK: - Wrong sizes

    @Test(arguments: ["tags.mkv", "tags.webm"], [0, 1000, 3500])
    func `a segment with a wrong size keeps its pictures`(name: String, size: Int) throws {
        var file = try Fixtures.bytes("location/\(name)")
        let start = try #require(file.firstRange(of: [0x18, 0x53, 0x80, 0x67])).upperBound
        file.replaceSubrange(start..<start + 8, with: [1, 0, 0, 0] + LocationTests.big(size))
        try expectPictures(of: file, orRefused: false)
    }

    @Test(arguments: ["tags.mkv", "tags.webm"], [0, 700, 2000, 1 << 20])
    func `a cluster with a wrong size keeps its pictures`(name: String, size: Int) throws {
        var file = try Fixtures.bytes("location/\(name)")
        let start = try #require(file.firstRange(of: [0x1F, 0x43, 0xB6, 0x75])).upperBound
        // A size of two bytes becomes one of eight.
        file.replaceSubrange(start..<start + 2, with: [1, 0, 0, 0] + LocationTests.big(size))
        try expectPictures(of: file, orRefused: false)
    }

    @Test(arguments: [
        [4: 0], [4: 5000], [4: Int(UInt32.max)], [moviSize: 0], [moviSize: 1000],
        [4: 0, moviSize: 0], [4: 4000, moviSize: 1000], [moviSize: Int(UInt32.max)],
    ])
    func `an AVI file with wrong sizes keeps its pictures`(sizes: [Int: Int]) throws {
        var file = try Fixtures.bytes("location/info.avi")
        for (offset, size) in sizes {
            file.replaceSubrange(offset..<offset + 4, with: LocationTests.little(size))
        }
        try expectPictures(of: file)
    }

    /// Where the size of `movi` is in `info.avi`.
    private static let moviSize = 5770

    @Test func `an AVI file with padding of an odd size keeps its pictures`() throws {
        var file = try Fixtures.bytes("location/info.avi")
        let padding = Array("JUNK".utf8) + LocationTests.little(3) + [1, 2, 3]
        file.insert(contentsOf: padding, at: Self.moviSize - 4)
        try expectPictures(of: file)
    }

    @Test func `an AVI file whose recording was interrupted keeps its pictures`() throws {
        var file = try Fixtures.bytes("location/info.avi")
        for offset in [4, Self.moviSize] {
            file.replaceSubrange(offset..<offset + 4, with: LocationTests.little(0))
        }
        file.removeSubrange((Self.moviSize + 2000)...)
        try expectPictures(of: file)
    }

    @Test(
        arguments: ["location/keys.mp4", "location/user-data.mp4", "video/moving.mp4"],
        [
            ("moov", -8), ("moov", 8), ("moov", 1000), ("trak", -8), ("trak", 8), ("trak", -200),
            ("mdia", -8), ("mdia", 8), ("mdat", -8), ("mdat", 8),
        ])
    func `a movie with wrong sizes keeps its pictures`(
        name: String, change: (box: String, size: Int)
    ) throws {
        var file = try Fixtures.bytes(name)
        let start = try #require(file.firstRange(of: Array(change.box.utf8))).lowerBound - 4
        let old = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        file.replaceSubrange(start..<start + 4, with: LocationTests.big(old + change.size))
        try expectPictures(of: file)
    }

    @Test(arguments: ["moov", "moof", "traf"], [-8, 8])
    func `a movie of fragments with wrong sizes keeps its pictures`(
        box: String, change: Int
    ) throws {
        let path = home.scratch.appending("fragments.mp4")
        _ = try ProgramOutput.capture(
            "ffmpeg",
            [
                "-v", "error", "-i", Fixtures.path("video/moving.mp4").string, "-c", "copy",
                "-movflags", "frag_keyframe+empty_moov", path.string,
            ], timeout: .seconds(60))
        var file = try Descriptor.openForReading(path).read(upTo: 1 << 20)
        let start = try #require(file.firstRange(of: Array(box.utf8))).lowerBound - 4
        let old = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        file.replaceSubrange(start..<start + 4, with: LocationTests.big(old + change))
        try expectPictures(of: file)
    }

    /// Tags seem to contain the first bytes of the first cluster.
    @Test(arguments: ["tags.mkv", "tags.webm", "texts.mkv", "subtitles.mkv"], [1, 2, 3, 5, 8])
    func `tags whose size is too large leave all pictures`(name: String, more: Int) throws {
        var file = try Fixtures.bytes("location/\(name)")
        // The first hit is in the index.
        let start = try #require(file.ranges(of: [0x12, 0x54, 0xC3, 0x67]).last).upperBound
        // A size of two bytes.
        let size = (Int(file[start]) & 0x3F) << 8 | Int(file[start + 1]) + more
        file.replaceSubrange(
            start..<start + 2,
            with: [0x40 | UInt8(size >> 8), UInt8(truncatingIfNeeded: size)])
        try expectPictures(of: file)
    }

    @Test(arguments: ["tags.mkv", "tags.webm", "texts.mkv", "subtitles.mkv"])
    func `a file whose head has no size keeps its pictures`(name: String) throws {
        var file = try Fixtures.bytes("location/\(name)")
        // A size of one byte.
        file[4] = 0xFF
        try expectPictures(of: file)
    }

    @Test(arguments: [17, 18, 20, 21, 25])
    func `an AVI file whose comment has a wrong size keeps its pictures`(size: Int) throws {
        var file = try commentedVideo()
        let start = try #require(file.firstRange(of: Array("ICMT".utf8))).upperBound
        file.replaceSubrange(start..<start + 4, with: LocationTests.little(size))
        try expectPictures(of: file)
    }

    @Test func `an AVI file whose odd comment is not padded keeps its pictures`() throws {
        var file = try commentedVideo()
        let text = Array("\(Self.comment)\0".utf8)
        file.remove(at: try #require(file.firstRange(of: text)).upperBound)
        try expectPictures(of: file)
    }

    private static let comment = "at 48.8584, 2.2945"

    /// An AVI file with a comment of 19 bytes before its title.
    private func commentedVideo() throws -> [UInt8] {
        let path = home.scratch.appending("comment.avi")
        _ = try ProgramOutput.capture(
            "ffmpeg",
            [
                "-v", "error", "-i", Fixtures.path("location/info.avi").string, "-c", "copy",
                "-metadata", "title=Summer", "-metadata", "comment=\(Self.comment)", path.string,
            ], timeout: .seconds(60))
        return try Descriptor.openForReading(path).read(upTo: 1 << 20)
    }

    // MARK: - Places in Matroska

    private static let city = "Paris, France"
    private static let coordinates = "48.8584, 2.2945"

    @Test func `the name and description of an attachment tell no place`() throws {
        let picture = try Fixtures.bytes("jpeg/\(Self.picture)")
        for (id, value) in [(0x466E, "GPS \(Self.coordinates).jpg"), (0x467E, Self.coordinates)] {
            let file = Self.text(id, value) + Self.text(0x4660, "image/jpeg")
            try expectRemoved(
                Self.coordinates,
                from: [
                    Self.element(
                        0x1941_A469, Self.element(0x61A7, file + Self.element(0x465C, picture)))
                ])
        }
    }

    private static let picture = "baseline.jpg"

    @Test func `an attachment that only begins like a font tells no place`() throws {
        let text = (0..<20).flatMap { _ in Array("latlon \(Self.coordinates)".utf8) }
        let file =
            Self.text(0x466E, "a.ttf") + Self.element(0x465C, [0, 1, 0, 0] + text)
        try expectRemoved(
            Self.coordinates, from: [Self.element(0x1941_A469, Self.element(0x61A7, file))])
    }

    @Test func `an attached font stays`() throws {
        let table = Array("head".utf8) + LocationTests.big(0) + LocationTests.big(28)
        let font = [0, 1, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 6) + table
        let file =
            Self.text(0x466E, "a.ttf")
            + Self.element(0x465C, font + LocationTests.big(4) + [9, 8, 7, 6])
        let video = try Self.video([Self.element(0x1941_A469, Self.element(0x61A7, file))])
        #expect(try LocationTests.cleaned(video) == nil)
    }

    @Test func `a tag with two names tells no place`() throws {
        let entry =
            Self.text(0x45A3, "COMMENT") + Self.text(0x45A3, "LOCATION")
            + Self.text(0x4487, Self.city)
        try expectRemoved(
            Self.city, from: [Self.tags(Self.element(0x7373, Self.element(0x67C8, entry)))])
    }

    @Test func `a tag without a target tells no place`() throws {
        try expectRemoved(Self.city, from: [Self.tags(Self.entry)])
    }

    @Test func `the key of a chapter tells no place`() throws {
        let chapter = Self.text(0x5654, "Location: \(Self.city)") + Self.element(0x91, [0])
        try expectRemoved(
            Self.city,
            from: [Self.element(0x1043_A770, Self.element(0x45B9, Self.element(0xB6, chapter)))])
    }

    @Test(arguments: [[1], [UInt8](repeating: 0, count: 16), [0x0F, 0xFF, 0x80]])
    func `tags behind damage tell no place`(damage: [UInt8]) throws {
        try expectRemoved(
            Self.city, from: [damage, Self.tags(Self.element(0x7373, Self.entry))])
    }

    @Test func `tags in padding tell no place`() throws {
        try expectRemoved(
            Self.city, from: [Self.element(0xEC, Self.tags(Self.element(0x7373, Self.entry)))])
    }

    @Test func `tags in a cluster tell no place`() throws {
        var file = try Self.video([])
        let tags = Self.tags(Self.element(0x7373, Self.entry))
        let cluster = try #require(file.firstRange(of: [0x1F, 0x43, 0xB6, 0x75])).upperBound
        let size = (Int(file[cluster]) & 0x3F) << 8 | Int(file[cluster + 1])
        file.insert(contentsOf: tags, at: cluster + 2 + size)
        let new = size + tags.count
        file.replaceSubrange(
            cluster..<cluster + 2, with: [0x40 | UInt8(new >> 8), UInt8(truncatingIfNeeded: new)])
        try expectRemoved(Self.city, fromVideo: try Self.resized(file))
    }

    @Test func `a long recording in a browser loses its location`() throws {
        var parts: [UInt8] = []
        let block = Self.element(0xA3, [0x81, 0, 0, 0, 1, 2, 3])
        for index in 0..<13_000 {
            // A cluster without a size.
            parts += [0x1F, 0x43, 0xB6, 0x75, 1] + [UInt8](repeating: 0xFF, count: 7)
            parts += Self.element(0xE7, LocationTests.big(index * 2000))
            for _ in 0..<20 { parts += block }
        }
        let file = try Self.video([parts, Self.tags(Self.element(0x7373, Self.entry))])
        let cleaned = try #require(try LocationTests.cleaned(file))
        #expect(cleaned.firstRange(of: Array(Self.city.utf8)) == nil)
        #expect(cleaned.firstRange(of: parts) != nil)
    }

    private static let entry = element(
        0x67C8, text(0x45A3, "LOCATION") + text(0x4487, city))

    private static func tags(_ content: [UInt8]) -> [UInt8] { element(0x1254_C367, content) }

    private static func text(_ id: Int, _ text: String) -> [UInt8] { element(id, Array(text.utf8)) }

    private static func element(_ id: Int, _ content: [UInt8]) -> [UInt8] {
        let id = Array(LocationTests.big(id).drop { $0 == 0 })
        return id + [0x08] + LocationTests.big(content.count) + content
    }

    /// A video without a location, and with parts at the end of its segment.
    private static func video(_ parts: [[UInt8]]) throws -> [UInt8] {
        let original = try Fixtures.bytes("location/tags.webm")
        return try resized(try #require(try LocationTests.cleaned(original)) + parts.joined())
    }

    /// A video whose segment has the right size.
    private static func resized(_ video: [UInt8]) throws -> [UInt8] {
        var file = video
        let start = try #require(file.firstRange(of: [0x18, 0x53, 0x80, 0x67])).upperBound
        file.replaceSubrange(
            start + 4..<start + 8, with: LocationTests.big(file.count - start - 8))
        return file
    }

    private func expectRemoved(
        _ text: String, from parts: [[UInt8]], location: SourceLocation = #_sourceLocation
    ) throws {
        try expectRemoved(text, fromVideo: try Self.video(parts), location: location)
    }

    private func expectRemoved(
        _ text: String, fromVideo file: [UInt8], location: SourceLocation = #_sourceLocation
    ) throws {
        let cleaned = try #require(
            try LocationTests.cleaned(file), "nothing was removed", sourceLocation: location)
        #expect(cleaned.count == file.count, sourceLocation: location)
        #expect(cleaned.firstRange(of: Array(text.utf8)) == nil, sourceLocation: location)
        #expect(try pictures(cleaned) == pictures(file), sourceLocation: location)
        #expect(try LocationTests.cleaned(cleaned) == nil, sourceLocation: location)
    }

    // MARK: - Checks

    /// Expects that the pictures are the same after the location has been removed.
    private func expectPictures(
        of file: [UInt8], orRefused mayRefuse: Bool = true,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let cleaned: [UInt8]?
        do {
            cleaned = try LocationTests.cleaned(file)
        } catch PixelError.locationStays where mayRefuse {
            return
        }
        guard let cleaned else { return }
        #expect(cleaned.count == file.count, sourceLocation: location)
        #expect(cleaned.firstRange(of: Array("48.85".utf8)) == nil, sourceLocation: location)
        #expect(try pictures(cleaned) == pictures(file), sourceLocation: location)
    }

    private func pictures(_ file: [UInt8]) throws -> String {
        let path = home.scratch.appending("video")
        try home.write(file, to: path)
        // A damaged video may end with an error.
        let output = try? ProgramOutput.capture(
            "ffmpeg", ["-v", "quiet", "-i", path.string, "-map", "0:v", "-f", "framemd5", "-"],
            timeout: .seconds(60))
        return String(decoding: output ?? [], as: UTF8.self)
    }
}
