// SPDX-License-Identifier: MIT

/// Reads numbers from untrusted bytes: every access is checked, and nothing traps.
package struct ByteReader: Sendable {
    /// The order of the bytes of a number.
    package enum Order: Sendable {
        case bigEndian
        case littleEndian
    }

    package let bytes: ArraySlice<UInt8>
    package let order: Order

    package init(_ bytes: ArraySlice<UInt8>, order: Order) {
        self.bytes = bytes
        self.order = order
    }

    package init(_ bytes: [UInt8], order: Order) {
        self.init(bytes[...], order: order)
    }

    package var count: Int { bytes.count }

    /// Some bytes, or nil if not all of them exist.
    package func slice(at offset: Int, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
            return nil
        }
        let start = bytes.startIndex + offset
        return bytes[start..<start + count]
    }

    package func uint8(at offset: Int) -> UInt8? {
        slice(at: offset, count: 1)?.first
    }

    package func uint16(at offset: Int) -> UInt16? {
        integer(at: offset)
    }

    package func uint32(at offset: Int) -> UInt32? {
        integer(at: offset)
    }

    package func uint64(at offset: Int) -> UInt64? {
        integer(at: offset)
    }

    private func integer<Value: FixedWidthInteger & UnsignedInteger>(at offset: Int) -> Value? {
        guard let slice = slice(at: offset, count: Value.bitWidth / 8) else { return nil }
        return switch order {
        case .bigEndian: slice.reduce(0) { $0 << 8 | Value($1) }
        case .littleEndian: slice.reversed().reduce(0) { $0 << 8 | Value($1) }
        }
    }
}
