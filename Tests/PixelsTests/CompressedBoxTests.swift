// SPDX-License-Identifier: MIT

import Testing

@testable import Pixels

/// Compressed boxes, with streams that only store their content.
@Suite struct CompressedBoxTests {
    /// A box with one stored block, and its end.
    ///
    /// - Source: RFC 7932, 9.1 and 9.2.
    private func box(_ content: [UInt8]) -> [UInt8] {
        let length = content.count - 1
        // The fewest digits of four bits for the length, but at least four.
        let digits = length < 1 << 16 ? 4 : length < 1 << 20 ? 5 : 6
        let isStored = 1 << (4 + digits * 4)
        let head = (digits - 4) << 2 | length << 4 | isStored
        let bytes = (5 + digits * 4 + 7) / 8
        return Array("Exif".utf8)
            + (0..<bytes).map { UInt8(truncatingIfNeeded: head >> ($0 * 8)) } + content + [3]
    }

    @Test(arguments: [1, 5, 70_000, 1 << 20])
    func `the content of a box is decompressed`(count: Int) {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(CompressedBox.decompressed(box(content)) == content)
    }

    @Test func `of a box that is cut off, what is there is read`() {
        let content = Array("abcdefgh".utf8)
        #expect(CompressedBox.decompressed(Array(box(content).dropLast(4))) == Array("abcde".utf8))
        #expect(CompressedBox.decompressed(Array("Exif".utf8)) == [])
        #expect(CompressedBox.decompressed([]) == [])
    }

    @Test func `what is no stream, or is larger than a megabyte, is not read`() {
        #expect(CompressedBox.decompressed(Array(repeating: 0xFF, count: 100)) == nil)
        #expect(CompressedBox.decompressed(box([UInt8](repeating: 0, count: (1 << 20) + 1))) == nil)
    }
}
