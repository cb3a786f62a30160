// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct ByteReaderTests {
    private let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    @Test func `numbers are read in both orders`() {
        let big = ByteReader(bytes, order: .bigEndian)
        let little = ByteReader(bytes, order: .littleEndian)
        #expect(big.uint16(at: 0) == 0x0102)
        #expect(little.uint16(at: 0) == 0x0201)
        #expect(big.uint32(at: 4) == 0x0506_0708)
        #expect(little.uint64(at: 0) == 0x0807_0605_0403_0201)
    }

    @Test(arguments: [-1, 5, 8, 9, Int.max, Int.min])
    func `reading outside the bytes gives nil and does not trap`(offset: Int) {
        let reader = ByteReader(bytes, order: .bigEndian)
        #expect(reader.uint32(at: offset) == nil)
        #expect(reader.slice(at: offset, count: .max) == nil)
        #expect(reader.slice(at: 0, count: -1) == nil)
    }

    @Test func `a slice keeps its own positions`() {
        let reader = ByteReader(bytes[4...], order: .bigEndian)
        #expect(reader.uint8(at: 0) == 5)
        #expect(reader.slice(at: 1, count: 2).map(Array.init) == [6, 7])
    }
}
