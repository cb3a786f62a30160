// SPDX-License-Identifier: MIT

import Files
import Photos
import Processes
import RareFormats
import SystemPackage
import TestSupport
import Testing

@testable import Pixels

/// Videos with wrong sizes, or with places where few programs write them.
@Suite struct OddVideoTests {
    private let home: TestHome

    init() throws {
        RareFormats.install()
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
