// SPDX-License-Identifier: MIT

import Photos

/// A range of bytes in a file or in memory, outside of which a parser can read and change nothing.
///
/// Every offset that a file gives is relative to some block. ``part(at:count:)`` turns such an offset
/// into a smaller block inside that one or into nil, so a parser cannot leave the segment, chunk,
/// box or directory that it reads. What is missing is nil or shorter, never a trap.
struct Block: Sendable {
    private enum Source: Sendable {
        case file(FileBytes)
        case memory(ArraySlice<UInt8>)
    }

    private let source: Source
    /// Where the bytes are in the file, or in the array that holds them.
    let range: Range<Int>

    private init(_ source: Source, _ range: Range<Int>) {
        self.source = source
        self.range = range
    }

    /// A whole file.
    ///
    /// Its end is unknown, because a decoder cannot ask for the size of a file: reading beyond it
    /// gives fewer bytes.
    init(_ file: FileBytes) {
        self.init(.file(file), 0..<Int.max)
    }

    /// Bytes in memory.
    init(_ bytes: ArraySlice<UInt8>) {
        self.init(.memory(bytes), bytes.startIndex..<bytes.endIndex)
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

    /// The same bytes, read into memory; at most `limit` of them.
    func loaded(upTo limit: Int) -> Block {
        Block(bytes(count: min(count, limit)))
    }

    // MARK: - Reading

    /// Some bytes, or as many of them as there are.
    func bytes(at offset: Int = 0, count: Int) -> ArraySlice<UInt8> {
        guard offset >= 0, offset < self.count, count > 0 else { return [] }
        let start = range.lowerBound + offset
        let count = min(count, self.count - offset)
        switch source {
        case .file(let file): return file.bytes(at: start, count: count)
        case .memory(let bytes): return bytes[start..<start + count]
        }
    }

    /// A reader of some bytes, or of as many of them as there are.
    func reader(at offset: Int = 0, count: Int, _ order: ByteReader.Order) -> ByteReader {
        ByteReader(bytes(at: offset, count: count), order: order)
    }

    func starts(with expected: some Collection<UInt8>, at offset: Int = 0) -> Bool {
        bytes(at: offset, count: expected.count).elementsEqual(expected)
    }
}
