// SPDX-License-Identifier: MIT

import Files
import Photos
import TestSupport
import Testing

@testable import Pixels

/// The type that all parsers use to read a file; no access leaves its block.
@Suite struct BlockTests {
    private let block = Block([10, 11, 12, 13, 14, 15, 16, 17][2..<6])

    @Test(arguments: [(0, 4), (1, 3), (4, 0), (2, 1)])
    func `a part is inside its block`(offset: Int, count: Int) throws {
        let part = try #require(block.part(at: offset, count: count))
        #expect(part.range == 2 + offset..<2 + offset + count)
        #expect(part.bytes(count: 100).elementsEqual((12..<16).dropFirst(offset).prefix(count)))
    }

    @Test(arguments: [
        (0, 5), (4, 1), (5, 0), (-1, 1), (1, -1), (Int.max, 1), (1, Int.max), (Int.min, Int.min),
    ])
    func `a part outside its block is nil`(offset: Int, count: Int) {
        #expect(block.part(at: offset, count: count) == nil)
    }

    @Test(arguments: [-1, 0, 3, 4, 5, Int.max, Int.min])
    func `a part that reaches beyond its block is truncated`(count: Int) {
        #expect(block.range.clamped(to: block.prefix(count).range) == block.prefix(count).range)
        #expect(block.range.upperBound == block.dropFirst(count).range.upperBound)
        #expect(block.bytes(at: count, count: .max).count <= block.count)
        #expect(block.bytes(at: 1, count: count).count <= 3)
    }

    @Test func `a patch changes the bytes of its blocks and no others`() throws {
        var bytes: [UInt8] = [10, 11, 12, 13, 14, 15, 16, 17]
        var patch = Patch()
        patch.fill(block.prefix(2))
        patch.write([1, 2, 3, 4, 5], over: block.dropFirst(3))
        patch.apply(to: &bytes)
        #expect(bytes == [10, 11, 0, 0, 14, 1, 16, 17])
    }

    @Test func `a number is inside of its block`() {
        #expect(block.uint16(at: 2, .bigEndian) == 0x0E0F)
        #expect(block.uint16(at: 2, .littleEndian) == 0x0F0E)
        #expect(block.uint32(at: 0, .bigEndian) == 0x0C0D_0E0F)
        #expect(block.uint32(at: 0, .littleEndian) == 0x0F0E_0D0C)
    }

    @Test(arguments: [1, 3, 4, -1, Int.max, Int.min])
    func `a number that is not is nil`(offset: Int) {
        #expect(block.uint32(at: offset, .bigEndian) == nil)
        #expect(block.prefix(1).uint16(at: 0, .bigEndian) == nil)
    }

    /// Where a file is kept in memory, where that ends, beyond it, and at the end of the file.
    @Test(arguments: [0, 16_380, 16_382, 16_384, 30_000, 39_990])
    func `numbers and bytes of a file are the same once they are loaded`(offset: Int) throws {
        let content = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 >> 8 ^ $0) }
        let file = Block(try FileBytes(try MemoryFile.make(named: "file", holding: content)))
        let part = try #require(file.part(at: offset, count: 20))
        let expected = content[offset...].prefix(20)
        let loaded = part.loaded()
        #expect(loaded.count == expected.count)
        #expect(loaded.bytes(count: 100).elementsEqual(expected))
        for block in [part, loaded] {
            let number = block.uint32(at: 4, .bigEndian)
            #expect(number == expected.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        }
        #expect(part.uint32(at: 18, .bigEndian) == nil)
        #expect(file.uint32(at: 39_998, .bigEndian) == nil)
    }

    @Test func `a short file has no more bytes than it has once it is loaded`() throws {
        let file = Block(try FileBytes(try MemoryFile.make(named: "file", holding: [1, 2, 3])))
        #expect(file.loaded().range == 0..<3)
        #expect(file.dropFirst(2).loaded().range == 2..<3)
        #expect(file.dropFirst(5).loaded().count == 0)
        #expect(file.uint16(at: 2, .bigEndian) == nil)
    }

    @Test func `the blocks of a file are read where they are`() throws {
        let content = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = Block(try FileBytes(try MemoryFile.make(named: "file", holding: content)))
        let part = try #require(file.part(at: 30_000, count: 1000))
        #expect(part.bytes(at: 10, count: 20).elementsEqual(content[30_010..<30_030]))
        #expect(part.bytes(at: 990, count: 20).elementsEqual(content[30_990..<31_000]))
        // Beyond the end of the file.
        #expect(file.dropFirst(39_990).bytes(count: 100).count == 10)
    }
}
