// SPDX-License-Identifier: MIT

import Photos

/// One image file directory of a TIFF structure.
///
/// What lies outside of the structure is missing, never an error.
///
/// - Source: TIFF 6.0, section 2.
struct TIFFDirectory: Sendable {
    static let entrySize = 12
    /// The most numbers and characters that are read of one entry.
    private static let maximumCount = 256

    /// One entry: a tag, a type, a count, and a value or its offset.
    struct Entry: Sendable {
        let tag: UInt16
        let type: UInt16
        let count: Int
        /// Where the entry starts, from the first entry on.
        fileprivate let offset: Int
    }

    /// The structure that the directory's offsets are relative to.
    let structure: Block
    let order: ByteReader.Order
    /// The number of entries, the entries, and the offset of the next directory, which cameras
    /// sometimes leave out.
    let block: Block
    /// The number of entries that the directory claims.
    let count: Int
    /// Where the next directory of the chain begins; 0 after the last one.
    let next: Int
    private let reader: ByteReader

    /// Reads a directory; one that is cut off has the entries that are there.
    init(in structure: Block, _ order: ByteReader.Order, at offset: Int) {
        self.structure = structure
        self.order = order
        count = structure.reader(at: offset, count: 2, order).uint16(at: 0).map(Int.init) ?? 0
        let size = count * Self.entrySize
        block = structure.dropFirst(offset).prefix(2 + size + 4)
        let bytes = block.reader(at: 2, count: size + 4, order)
        next = bytes.uint32(at: size).map(Int.init) ?? 0
        reader = ByteReader(bytes.bytes.prefix(size), order: order)
    }

    /// The first directory of a structure; nil if it does not start with a byte order.
    static func first(in structure: Block) -> TIFFDirectory? {
        let head = structure.bytes(count: 8)
        let order: ByteReader.Order
        switch (head.first, head.dropFirst().first) {
        case (UInt8(ascii: "I"), UInt8(ascii: "I")): order = .littleEndian
        case (UInt8(ascii: "M"), UInt8(ascii: "M")): order = .bigEndian
        default: return nil
        }
        guard let offset = ByteReader(head, order: order).uint32(at: 4) else { return nil }
        return TIFFDirectory(in: structure, order, at: Int(offset))
    }

    /// Another directory of the same structure.
    func directory(at offset: Int) -> TIFFDirectory {
        TIFFDirectory(in: structure, order, at: offset)
    }

    /// Whether all entries that it claims are there.
    var isComplete: Bool { block.count >= 2 && reader.count == count * Self.entrySize }

    // MARK: - Entries

    func entry(_ tag: UInt16) -> Entry? {
        for offset in stride(from: 0, to: reader.count, by: Self.entrySize) {
            guard let found = reader.uint16(at: offset) else { return nil }
            if found == tag { return entry(at: offset) }
        }
        return nil
    }

    /// All entries that are there.
    var entries: [Entry] {
        stride(from: 0, to: reader.count, by: Self.entrySize).compactMap { entry(at: $0) }
    }

    func has(_ tag: UInt16) -> Bool { entry(tag) != nil }

    private func entry(at offset: Int) -> Entry? {
        guard let tag = reader.uint16(at: offset), let type = reader.uint16(at: offset + 2),
            let count = reader.uint32(at: offset + 4)
        else { return nil }
        return Entry(tag: tag, type: type, count: Int(count), offset: offset)
    }

    func bytes(of entry: Entry) -> ArraySlice<UInt8> {
        block.bytes(at: 2 + entry.offset, count: Self.entrySize)
    }

    /// The twelve bytes of an entry.
    func block(of entry: Entry) -> Block? {
        block.part(at: 2 + entry.offset, count: Self.entrySize)
    }

    /// The four bytes with an entry's value, or with its offset.
    func valueField(of entry: Entry) -> Block? {
        block.part(at: 2 + entry.offset + 8, count: 4)
    }

    /// The offset in an entry, whatever it is an offset of.
    func offset(in entry: Entry) -> Int? {
        reader.uint32(at: entry.offset + 8).map(Int.init)
    }

    /// The value of an entry that does not fit into it, as far as it is inside the structure.
    func longValue(of entry: Entry) -> Block? {
        // The sizes of the types 0 to 13.
        let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
        guard sizes.indices.contains(Int(entry.type)), let offset = offset(in: entry) else {
            return nil
        }
        // Below 2³² × 8: no overflow.
        let size = entry.count * sizes[Int(entry.type)]
        return size > 4 ? structure.dropFirst(offset).prefix(size) : nil
    }

    // MARK: - Values

    /// The first value of type SHORT, LONG or IFD.
    func number(_ tag: UInt16) -> Int? {
        numbers(tag).first
    }

    /// The values of type SHORT, LONG or IFD.
    func numbers(_ tag: UInt16) -> [Int] {
        guard let entry = entry(tag) else { return [] }
        let width: Int
        switch entry.type {
        case 3: width = 2
        case 4, 13: width = 4
        default: return []
        }
        let count = min(entry.count, Self.maximumCount)
        guard let bytes = value(of: entry, byteCount: count * width) else { return [] }
        return (0..<count).compactMap { index in
            width == 2
                ? bytes.uint16(at: index * 2).map(Int.init)
                : bytes.uint32(at: index * 4).map(Int.init)
        }
    }

    /// A value of type ASCII, without the zero bytes at its end; nil if it is blank.
    func text(_ tag: UInt16) -> String? {
        guard let entry = entry(tag), entry.type == 2, entry.count <= Self.maximumCount,
            let bytes = value(of: entry, byteCount: entry.count)
        else { return nil }
        let text = bytes.bytes.prefix { $0 != 0 }
        guard text.contains(where: { $0 != 0x20 }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// The block whose offset and size two entries give; nil unless it is inside the structure.
    func block(at offset: UInt16, size: UInt16) -> Block? {
        guard let offset = number(offset), let size = number(size), size > 0 else { return nil }
        return structure.part(at: offset, count: size)
    }

    private func value(of entry: Entry, byteCount: Int) -> ByteReader? {
        if byteCount <= 4 {
            return reader.slice(at: entry.offset + 8, count: byteCount).map {
                ByteReader($0, order: order)
            }
        }
        guard let offset = offset(in: entry) else { return nil }
        let bytes = structure.bytes(at: offset, count: byteCount)
        return bytes.count == byteCount ? ByteReader(bytes, order: order) : nil
    }
}
