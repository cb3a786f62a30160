// SPDX-License-Identifier: MIT

package import Files
import Photos

/// Writes a packet for a worker or from one: little-endian numbers, counted text, descriptors.
package struct PacketWriter {
    package private(set) var bytes: [UInt8] = []
    package private(set) var descriptors: [Descriptor] = []

    package init() {}

    package mutating func write(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ flag: Bool) {
        bytes.append(flag ? 1 : 0)
    }

    package mutating func write(_ text: String) {
        write(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func write(_ descriptor: Descriptor) {
        descriptors.append(descriptor)
    }
}

/// Reads a packet and checks every field, because an attacker may control the sending process.
package struct PacketReader {
    private let reader: ByteReader
    private var offset = 0
    private var descriptors: ArraySlice<Descriptor>

    package init(_ bytes: [UInt8], _ descriptors: [Descriptor] = []) {
        reader = ByteReader(bytes, order: .littleEndian)
        self.descriptors = descriptors[...]
    }

    /// Whether every byte and every descriptor was read.
    package var isAtEnd: Bool { offset == reader.count && descriptors.isEmpty }

    package mutating func uint8() throws(PacketError) -> UInt8 {
        try advance(1, reader.uint8(at: offset))
    }

    package mutating func bool() throws(PacketError) -> Bool {
        try uint8() != 0
    }

    package mutating func uint32() throws(PacketError) -> UInt32 {
        try advance(4, reader.uint32(at: offset))
    }

    package mutating func uint64() throws(PacketError) -> UInt64 {
        try advance(8, reader.uint64(at: offset))
    }

    package mutating func int64() throws(PacketError) -> Int64 {
        Int64(bitPattern: try uint64())
    }

    package mutating func text() throws(PacketError) -> String {
        let count = Int(try uint32())
        let bytes = try advance(count, reader.slice(at: offset, count: count))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PacketError(.value)
        }
        return text
    }

    package mutating func descriptor() throws(PacketError) -> Descriptor {
        guard let descriptor = descriptors.popFirst() else { throw PacketError(.missing) }
        return descriptor
    }

    /// A memory file that nobody can change any more, with an allowed number of bytes.
    package mutating func sealedFile(_ byteCounts: ClosedRange<Int64>) throws(PacketError)
        -> Descriptor
    {
        let file = try descriptor()
        // The seals come first: without them, the size could change after it was checked.
        guard MemoryFile.isSealed(file), let byteCount = file.byteCount,
            byteCounts.contains(Int64(byteCount))
        else { throw PacketError(.value) }
        return file
    }

    private mutating func advance<Value>(
        _ count: Int, _ value: Value?
    ) throws(PacketError) -> Value {
        guard let value else { throw PacketError(.missing) }
        offset += count
        return value
    }
}

/// Why a packet could not be read.
package struct PacketError: Error, Hashable {
    package enum Cause: Hashable, Sendable {
        /// The packet ends early, or a descriptor is missing.
        case missing
        /// A field has a value that is not allowed.
        case value
        /// Something follows the last field.
        case tooLong
        /// The packet is not of the expected kind.
        case kind
    }

    package let cause: Cause

    package init(_ cause: Cause) {
        self.cause = cause
    }
}
