// SPDX-License-Identifier: MIT

/// Changes to a file that keep every byte in its place.
///
/// Offsets into metadata are everywhere, also in makers' notes that nobody can read, so nothing may
/// become longer or shorter: what is removed is overwritten. A change names a ``Block``, and so never
/// reaches beyond it.
struct Patch {
    private enum Content {
        case bytes([UInt8])
        case fill(UInt8)
    }

    private var changes: [(range: Range<Int>, content: Content)] = []

    var isEmpty: Bool { changes.isEmpty }

    /// The ranges that change, in the order in which they were given.
    var ranges: [Range<Int>] { changes.map(\.range) }

    /// The bytes that the ranges get, one after the other.
    var bytes: [UInt8] {
        changes.flatMap { range, content in
            switch content {
            case .bytes(let bytes): bytes
            case .fill(let byte): [UInt8](repeating: byte, count: range.count)
            }
        }
    }

    /// Replaces the first bytes of a block.
    mutating func write(_ bytes: [UInt8], over block: Block) {
        let range = block.range.prefix(bytes.count)
        changes.append((range, .bytes(Array(bytes.prefix(range.count)))))
    }

    /// Replaces all bytes of a block.
    mutating func fill(_ block: Block, with byte: UInt8 = 0) {
        changes.append((block.range, .fill(byte)))
    }

    /// Changes the array that the blocks were made of.
    func apply(to bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBufferPointer { buffer in
            for (range, content) in changes {
                let range = range.clamped(to: buffer.indices)
                switch content {
                case .bytes(let new): for (index, byte) in zip(range, new) { buffer[index] = byte }
                case .fill(let byte): buffer[range].update(repeating: byte)
                }
            }
        }
    }
}
