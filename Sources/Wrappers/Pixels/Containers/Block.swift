// SPDX-License-Identifier: MIT

import Photos

/// A range of bytes in a file or in memory.
///
/// A parser can read and change nothing outside it.
///
/// Every offset that a file gives is relative to some block. ``part(at:count:)`` turns such an offset
/// into a smaller block inside that one or into nil, so a parser cannot leave the segment, chunk,
/// box or directory that it reads. Missing data gives nil or fewer bytes, never a trap.
struct Block: Sendable {
    private let source: ByteSource
    /// Where the bytes are in the file, or in the array that holds them.
    let range: Range<Int>

    private init(_ source: ByteSource, _ range: Range<Int>) {
        self.source = source
        self.range = range
    }

    /// A whole file.
    ///
    /// Its end is unknown, because a decoder cannot ask for the size of a file: reading beyond it
    /// gives fewer bytes.
    init(_ file: FileBytes) {
        self.init(file.source, 0..<Int.max)
    }

    /// Bytes in memory.
    init(_ bytes: ArraySlice<UInt8>) {
        self.init(ByteSource(bytes), bytes.startIndex..<bytes.endIndex)
    }

    var count: Int { range.count }

    // MARK: - Smaller blocks

    /// The block of `count` bytes at an offset; nil unless all of it is inside this one.
    func part(at offset: Int, count: Int) -> Block? {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
            return nil
        }
        let start = range.lowerBound + offset
        return Block(source, start..<start + count)
    }

    /// Everything from an offset on; empty if the offset is outside.
    func dropFirst(_ offset: Int) -> Block {
        guard offset >= 0, offset <= count else {
            return Block(source, range.upperBound..<range.upperBound)
        }
        return Block(source, range.lowerBound + offset..<range.upperBound)
    }

    /// The first `count` bytes, or as many as there are.
    func prefix(_ count: Int) -> Block {
        Block(source, range.prefix(max(count, 0)))
    }

    /// The existing bytes in memory; at most `limit` of them.
    ///
    /// Numbers in such a block are found without reading the file.
    func loaded(upTo limit: Int = .max) -> Block {
        let wanted = prefix(limit)
        guard let known = source.known(wanted.range) else {
            return Block(bytes(count: wanted.count))
        }
        return Block(source, known)
    }

    // MARK: - Reading

    /// Some bytes, or as many of them as there are.
    func bytes(at offset: Int = 0, count: Int) -> ArraySlice<UInt8> {
        guard offset >= 0, offset < self.count, count > 0 else { return [] }
        let start = range.lowerBound + offset
        return source.bytes(start..<start + min(count, self.count - offset))
    }

    func uint16(at offset: Int, _ order: ByteReader.Order) -> UInt16? {
        number(at: offset, order)
    }

    func uint32(at offset: Int, _ order: ByteReader.Order) -> UInt32? {
        number(at: offset, order)
    }

    /// A number of 2, 4 or 8 bytes; nil unless all of it is there, and it is small enough for an
    /// offset.
    func number(at offset: Int, width: Int, _ order: ByteReader.Order) -> Int? {
        switch width {
        case 2:
            let value: UInt16? = number(at: offset, order)
            return value.map(Int.init)
        case 4:
            let value: UInt32? = number(at: offset, order)
            return value.map(Int.init)
        default:
            let value: UInt64? = number(at: offset, order)
            return value.flatMap { Int(exactly: $0) }
        }
    }

    /// A number; nil unless all of it is there.
    private func number<Value: FixedWidthInteger & UnsignedInteger>(
        at offset: Int, _ order: ByteReader.Order
    ) -> Value? {
        guard offset >= 0, offset <= count - Value.bitWidth / 8 else { return nil }
        let value: Value? = source.number(at: range.lowerBound + offset)
        return order == .bigEndian ? value : value?.byteSwapped
    }

    /// A reader of some bytes, or of as many of them as there are.
    func reader(at offset: Int = 0, count: Int, _ order: ByteReader.Order) -> ByteReader {
        ByteReader(bytes(at: offset, count: count), order: order)
    }

    func starts(with expected: some Collection<UInt8>, at offset: Int = 0) -> Bool {
        bytes(at: offset, count: expected.count).elementsEqual(expected)
    }
}
