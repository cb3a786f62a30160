// SPDX-License-Identifier: MIT

import Photos

/// Writes what a packet between us and a decoder holds: little-endian numbers, counted bytes.
struct PacketWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ text: String) {
        write(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}

/// Reads a packet from a process that may have been taken over: nothing in it is believed.
struct PacketReader {
    private let reader: ByteReader
    private var offset = 0

    init(_ bytes: [UInt8]) {
        reader = ByteReader(bytes, order: .littleEndian)
    }

    /// Whether everything was read.
    var isAtEnd: Bool { offset == reader.count }

    mutating func uint8() throws(PacketError) -> UInt8 {
        try advance(1, reader.uint8(at: offset))
    }

    mutating func uint32() throws(PacketError) -> UInt32 {
        try advance(4, reader.uint32(at: offset))
    }

    mutating func uint64() throws(PacketError) -> UInt64 {
        try advance(8, reader.uint64(at: offset))
    }

    mutating func text() throws(PacketError) -> String {
        let count = Int(try uint32())
        let bytes = try advance(count, reader.slice(at: offset, count: count))
        guard let text = String(validating: bytes, as: UTF8.self) else { throw PacketError() }
        return text
    }

    private mutating func advance<Value>(
        _ count: Int, _ value: Value?
    ) throws(PacketError) -> Value {
        guard let value else { throw PacketError() }
        offset += count
        return value
    }
}

/// A packet that is not what it should be.
struct PacketError: Error, Hashable {}
