// SPDX-License-Identifier: MIT

import Photos

/// Where the items of a HEIF file are.
struct ItemPlaces {
    struct Extent {
        let offset: Int
        let count: Int
        /// Whether the offset is relative to the data in the metadata box.
        let isInside: Bool

        func part(of block: Block) -> Block? {
            count == 0 ? block.dropFirst(offset) : block.part(at: offset, count: count)
        }
    }

    private(set) var extents: [UInt32: [Extent]] = [:]
    /// The items that are parts of others.
    private(set) var derived: Set<UInt32> = []
    /// Whether all places could be read.
    private(set) var isComplete = false

    /// - Source: ISO/IEC 14496-12, 8.11.3.
    init?(_ content: Block) {
        let reader = content.reader(count: min(content.count, 16 << 20), .bigEndian)
        guard let version = reader.uint8(at: 0), let sizes = reader.uint16(at: 4) else {
            return nil
        }
        var position = 6
        func number(_ size: Int) -> Int? {
            defer { position += size }
            switch size {
            case 0: return 0
            case 2: return reader.uint16(at: position).map(Int.init)
            case 4: return reader.uint32(at: position).map(Int.init)
            case 8: return reader.uint64(at: position).map { Int(clamping: $0) }
            default: return nil
            }
        }
        let sizesOf = [12, 8, 4, 0].map { Int(sizes >> $0 & 15) }
        guard let count = number(version < 2 ? 2 : 4), count <= 100_000 else { return nil }
        for _ in 0..<count {
            guard let item = number(version < 2 ? 2 : 4) else { return }
            var method = 0
            if version > 0 {
                guard let found = number(2) else { return }
                method = found & 15
            }
            // An index of references to data, then the base.
            guard number(2) != nil, let base = number(sizesOf[2]), let pieces = number(2) else {
                return
            }
            for _ in 0..<pieces {
                if version > 0, sizesOf[3] > 0 { guard number(sizesOf[3]) != nil else { return } }
                guard let offset = number(sizesOf[0]), let size = number(sizesOf[1]) else { return }
                let (start, overflows) = base.addingReportingOverflow(offset)
                guard !overflows, method < 2 else {
                    derived.insert(UInt32(clamping: item))
                    continue
                }
                extents[UInt32(clamping: item), default: []].append(
                    Extent(offset: start, count: size, isInside: method == 1))
            }
        }
        isComplete = true
    }
}
