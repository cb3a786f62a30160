// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import Pixels

/// Small files that repeat the start of something do not take long.
@Suite struct LocationTimeTests {
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

    private func expectInTime(
        location: SourceLocation = #_sourceLocation, _ work: () -> Void
    ) {
        let clock = ContinuousClock()
        let time = clock.measure(work)
        #expect(time < .seconds(4), sourceLocation: location)
    }
}
