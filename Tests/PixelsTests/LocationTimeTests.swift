// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing
import Videos

@testable import Pixels

/// Small files that repeat the start of something do not take long.
@Suite struct LocationTimeTests {
    init() {
        VideoFile.prepare()
    }

    @Test(
        arguments: ["gps", "gps ", "/9j/", "/9j/AAA", "<!--", "<!-- ", "1.234 x", " deg"])
    func `a comment that repeats itself is searched in time`(word: String) throws {
        let picture = try Fixtures.bytes("jpeg/baseline.jpg")
        let count = 64_000 / word.utf8.count
        let text = Array(repeatElement(Array(word.utf8), count: count).joined())
        let size = text.count + 2
        let comment = [0xFF, 0xFE, UInt8(size >> 8), UInt8(truncatingIfNeeded: size)] + text
        let file =
            picture.prefix(2) + repeatElement(comment, count: 10).joined() + picture.dropFirst(2)
        expectInTime { _ = try? LocationTests.cleaned(Array(file)) }
    }

    @Test func `a packet with many namespaces is read in time`() throws {
        let many = (0..<20_000).map { "xmlns:a\($0)=\"u\($0)\"" }.joined(separator: " ")
        let each = (0..<20_000).map { "<b xmlns:c\($0)=\"d\"/>" }.joined()
        let packet = Array("<x \(many)>\(each)</x>".utf8)
        expectInTime { _ = XMPLocation.places(in: packet[...]) }
    }

    @Test func `a packet with many pairs of numbers is searched in time`() {
        let pairs = Array(repeatElement(Array("48.8584, 2.2945 # ".utf8), count: 200_000).joined())
        let packet = Array("<rdf:RDF>".utf8) + pairs + Array("</rdf:RDF>".utf8)
        expectInTime { #expect(!LocationScan.findsPlace(in: packet)) }
    }

    @Test func `free space with a long text is searched in time`() throws {
        let text = Array(repeatElement(Array("gps".utf8), count: 7_000_000).joined())
        let free = LocationTests.big(text.count + 8) + Array("free".utf8) + text
        let file = try Fixtures.bytes("video/moving.mp4") + free + free
        expectInTime { _ = try? LocationTests.cleaned(file) }
    }

    @Test func `a track that promises billions of samples is read in time`() {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            LocationTests.big(content.count + 8) + Array(name.utf8) + content
        }
        func numbers(_ numbers: Int...) -> [UInt8] { numbers.flatMap(LocationTests.big) }
        let offsets = (0..<1000).flatMap { _ in LocationTests.big(0) }
        let table =
            box("stsz", numbers(0, 1, 1)) + box("stsc", numbers(0, 1, 1, 0xFFFF_FFFF, 1))
            + box("stco", numbers(0, 1000) + offsets)
        let media =
            box("hdlr", numbers(0, 0) + Array("vide".utf8))
            + box("minf", box("stbl", table))
        let track = Block(box("mdia", media)[...])
        expectInTime { #expect(TrackSamples(track, in: track).chunks?.count == 1) }
    }

    @Test func `many tags are searched in time`() throws {
        // Each has an empty name.
        let entry: [UInt8] = [0x67, 0xC8, 0x83, 0x45, 0xA3, 0x80]
        let entries = Array(repeatElement(entry, count: 180_000).joined())
        let head: [UInt8] = [0x73, 0x73, 0x08]
        let tag = head + LocationTests.big(entries.count) + entries
        let start: [UInt8] = [0x12, 0x54, 0xC3, 0x67, 0x08]
        let tags =
            start + LocationTests.big(8 * tag.count)
            + Array(repeatElement(tag, count: 8).joined())
        let video = try Fixtures.bytes("location/tags.webm")
        // The size of the segment is not needed.
        expectInTime { _ = try? LocationTests.cleaned(video + tags) }
    }

    /// An attacker's file, of which each page has the same two texts of 4 MB, or shifted ones.
    @Test(arguments: [1, 3])
    func `pages that share a long text are searched in time`(variants: Int) {
        let text = Array(repeatElement(Array("location ".utf8), count: 440_000).joined())
        let pages = 2500
        let size = 2 + 2 * 12 + 4
        let end = 8 + pages * size
        var file = Array("II*\0".utf8) + LocationTests.little(8)
        for page in 1...pages {
            file += [2, 0]
            for tag in [0x0E, 0x3B] as [UInt8] {
                file += [tag, 1, 2, 0] + LocationTests.little(text.count - variants)
                file += LocationTests.little(end + page % variants)
            }
            file += LocationTests.little(page < pages ? 8 + page * size : 0)
        }
        file += text
        // They may be too many to be read.
        expectInTime { _ = try? LocationRemoval.parts(of: Block(file[...])) }
    }

    @Test(arguments: ["lat 48.86 ", "point(", "48.86&deg; ", "data:,", "google.", "%25"])
    func `a text that repeats the start of a place is searched in time`(word: String) {
        let text = Array(repeatElement(Array(word.utf8), count: 400_000 / word.utf8.count).joined())
        expectInTime { _ = PlaceText.describesPlace(text) }
        let drawing =
            Array("<svg xmlns=\"http://www.w3.org/2000/svg\"><desc>".utf8)
            + text + Array("</desc></svg>".utf8)
        expectInTime { _ = try? LocationRemoval.parts(of: Block(drawing[...])) }
    }

    /// Expects a bound on the time that this thread computes; how busy the machine is does not matter.
    private func expectInTime(
        location: SourceLocation = #_sourceLocation, _ work: () -> Void
    ) {
        let start = Self.computed
        work()
        #expect(Self.computed - start < .seconds(4), sourceLocation: location)
    }

    private static var computed: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
