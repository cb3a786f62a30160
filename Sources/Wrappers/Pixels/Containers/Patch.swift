// SPDX-License-Identifier: MIT

/// Changes to a file that keep every byte in its place.
///
/// Metadata is full of offsets, some in maker notes of unknown structure, so nothing may become longer
/// or shorter: removed data is overwritten. Each change applies to a ``Block`` and cannot reach beyond
/// it.
struct Patch {
    private enum Content {
        case bytes([UInt8])
        case fill(UInt8)
    }

    private var changes: [(range: Range<Int>, content: Content)] = []

    /// The number of bytes that change; those that change twice count twice.
    private(set) var byteCount = 0

    var isEmpty: Bool { changes.isEmpty }

    /// One range of a file and its new bytes.
    struct Part: Sendable {
        let range: Range<Int>
        let bytes: [UInt8]
    }

    /// The changes in the order of the file; they neither overlap nor touch.
    ///
    /// Where changes overlap, the last one counts.
    var parts: [Part] {
        var clusters: [(range: Range<Int>, changes: [Int])] = []
        let order = changes.indices.filter { !changes[$0].range.isEmpty }
            .sorted { changes[$0].range.lowerBound < changes[$1].range.lowerBound }
        for index in order {
            let range = changes[index].range
            if let last = clusters.last, last.range.upperBound >= range.lowerBound {
                let end = max(last.range.upperBound, range.upperBound)
                clusters[clusters.count - 1].range = last.range.lowerBound..<end
                clusters[clusters.count - 1].changes.append(index)
            } else {
                clusters.append((range, [index]))
            }
        }
        return clusters.map { range, indices in
            var bytes = [UInt8](repeating: 0, count: range.count)
            for index in indices.sorted() {
                let start = changes[index].range.lowerBound - range.lowerBound
                write(changes[index], at: start, to: &bytes)
            }
            return Part(range: range, bytes: bytes)
        }
    }

    /// The ranges that change, in order; they neither overlap nor touch.
    var ranges: [Range<Int>] {
        var ranges: [Range<Int>] = []
        let sorted = changes.map(\.range).filter { !$0.isEmpty }
            .sorted { $0.lowerBound < $1.lowerBound }
        for range in sorted {
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                let end = max(last.upperBound, range.upperBound)
                ranges[ranges.count - 1] = last.lowerBound..<end
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }

    /// Whether one of some ranges, as ``ranges`` returns them, overlaps another one.
    static func overlaps(_ ranges: [Range<Int>], _ range: Range<Int>) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > range.lowerBound {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low < ranges.count && ranges[low].overlaps(range)
    }

    /// Replaces the first bytes of a block.
    mutating func write(_ bytes: [UInt8], over block: Block) {
        let range = block.range.prefix(bytes.count)
        changes.append((range, .bytes(Array(bytes.prefix(range.count)))))
        byteCount += range.count
    }

    /// Replaces all bytes of a block.
    mutating func fill(_ block: Block, with byte: UInt8 = 0) {
        changes.append((block.range, .fill(byte)))
        byteCount += block.range.count
    }

    /// Applies the changes to the array that the blocks refer to.
    func apply(to bytes: inout [UInt8]) {
        for change in changes { write(change, at: change.range.lowerBound, to: &bytes) }
    }

    private func write(
        _ change: (range: Range<Int>, content: Content), at start: Int, to bytes: inout [UInt8]
    ) {
        bytes.withUnsafeMutableBufferPointer { buffer in
            let range = (start..<start + change.range.count).clamped(to: buffer.indices)
            switch change.content {
            case .bytes(let new): for (index, byte) in zip(range, new) { buffer[index] = byte }
            case .fill(let byte): buffer[range].update(repeating: byte)
            }
        }
    }
}
