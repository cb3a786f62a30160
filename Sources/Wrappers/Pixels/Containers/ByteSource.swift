// SPDX-License-Identifier: MIT

import Files

/// The bytes that ``Block``s refer to: all in memory, or the start of a file.
///
/// An object, because parsers copy blocks often, and a copy then costs one reference count.
final class ByteSource: Sendable {
    private let memory: ArraySlice<UInt8>
    /// The file that continues after the bytes in memory; nil if it does not.
    private let file: Descriptor?

    /// - Parameters:
    ///   - memory: The bytes; their indices are their positions.
    ///   - file: The file whose first bytes they are, if there may be more.
    init(_ memory: ArraySlice<UInt8>, rest file: Descriptor? = nil) {
        self.memory = memory
        self.file = file
    }

    /// The bytes in a range, or as many of them as there are.
    func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> {
        if let known = known(range) { return memory[known] }
        do {
            return try file?.read(upTo: range.count, at: Int64(range.lowerBound))[...] ?? []
        } catch {
            // Unreadable data counts as missing, as if the file were shorter.
            if !error.isImpossibleOffset { ReadFailures.note() }
            return []
        }
    }

    /// The part of a range that exists; nil if only reading the file can tell.
    func known(_ range: Range<Int>) -> Range<Int>? {
        let isInMemory =
            range.lowerBound >= memory.startIndex && range.upperBound <= memory.endIndex
        if isInMemory { return range }
        return file == nil ? range.clamped(to: memory.indices) : nil
    }

    /// The big-endian number in a range; nil unless all of it is there.
    func number<Value: FixedWidthInteger & UnsignedInteger>(at start: Int) -> Value? {
        let size = Value.bitWidth / 8
        if start >= memory.startIndex, start <= memory.endIndex - size {
            return memory.withUnsafeBytes {
                let offset = start - memory.startIndex
                return Value(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self))
            }
        }
        let bytes = bytes(start..<start + size)
        return bytes.count == size ? Value(bigEndianBytes: bytes) : nil
    }
}

extension FixedWidthInteger where Self: UnsignedInteger {
    /// The number that bytes represent in big-endian order.
    fileprivate init(bigEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }
}
