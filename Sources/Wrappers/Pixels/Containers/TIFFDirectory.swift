// SPDX-License-Identifier: MIT

import Photos

/// One image file directory of a TIFF structure.
///
/// Data outside the structure counts as missing and is never an error.
///
/// - Source: TIFF 6.0, section 2; for BigTIFF, Adobe Photoshop TIFF Technical Note 4 and libtiff,
///   “The BigTIFF File Format”.
struct TIFFDirectory: Sendable {
    /// The widths of the numbers of a directory, in bytes.
    enum Form: Sendable {
        case classic
        /// For files of more than 4 GiB.
        case big

        /// The number of entries.
        var countSize: Int { self == .classic ? 2 : 8 }
        /// An offset, and the part of an entry that holds it or a value.
        var offsetSize: Int { self == .classic ? 4 : 8 }
        /// A tag, a type, a count, and a value or its offset.
        var entrySize: Int { 4 + 2 * offsetSize }
        var headerSize: Int { self == .classic ? 8 : 16 }
    }

    /// The most entries of a directory; a classic one cannot have more.
    private static let maximumEntries = 65_535
    /// The most numbers or characters that are read from one entry.
    private static let maximumCount = 256
    /// The most bytes that are read from one entry.
    private static let maximumBytes = 1 << 20

    /// The type of a text.
    ///
    /// - Source: EXIF 3.0, 4.6.2.
    static let utf8: UInt16 = 129
    /// The type of a number with a denominator.
    static let fraction: UInt16 = 5

    /// The tags of the offsets and sizes of strips, and of tiles.
    static let pictures: [(offsets: UInt16, sizes: UInt16)] = [
        (Tag.stripOffsets, Tag.stripByteCounts), (0x0144, 0x0145),
    ]

    /// One entry: a tag, a type, a count, and a value or its offset.
    struct Entry: Sendable {
        let tag: UInt16
        let type: UInt16
        let count: Int
        /// The offset of the entry from the first one.
        fileprivate let offset: Int
    }

    /// The structure that the directory's offsets are relative to.
    let structure: Block
    let order: ByteReader.Order
    let form: Form
    /// The number of entries that the directory claims.
    let count: Int
    /// Where the next directory of the chain begins; 0 after the last one.
    let next: Int
    private let offset: Int
    /// The entries that exist, in memory.
    private let table: Block

    /// Reads a directory.
    ///
    /// If it is cut off, it has the entries before that point.
    init(
        in structure: Block, _ order: ByteReader.Order, at offset: Int, _ form: Form = .classic
    ) {
        self.structure = structure
        self.order = order
        self.form = form
        self.offset = offset
        let count = structure.number(at: offset, width: form.countSize, order) ?? 0
        self.count = min(count, Self.maximumEntries)
        let size = self.count * form.entrySize
        let rest = structure.dropFirst(offset).dropFirst(form.countSize)
            .prefix(size + form.offsetSize).loaded()
        next = rest.number(at: size, width: form.offsetSize, order) ?? 0
        table = rest.prefix(size)
    }

    private static let bigVersion: UInt16 = 43

    /// The first directory of a structure; nil if it does not start with a byte order.
    static func first(in structure: Block) -> TIFFDirectory? {
        let head = structure.prefix(Form.big.headerSize).loaded()
        let order: ByteReader.Order
        switch head.uint16(at: 0, .bigEndian) {
        // “II” and “MM”.
        case 0x4949: order = .littleEndian
        case 0x4D4D: order = .bigEndian
        default: return nil
        }
        // The offset of the first directory is at the end of the header.
        let form: Form = head.uint16(at: 2, order) == bigVersion ? .big : .classic
        let place = form.headerSize - form.offsetSize
        guard let offset = head.number(at: place, width: form.offsetSize, order) else { return nil }
        return TIFFDirectory(in: structure, order, at: offset, form)
    }

    /// Another directory of the same structure.
    func directory(at offset: Int) -> TIFFDirectory {
        TIFFDirectory(in: structure, order, at: offset, form)
    }

    /// The number of entries, the entries, and the offset of the next directory, which cameras
    /// sometimes leave out.
    var block: Block {
        structure.dropFirst(offset).prefix(entriesSize + form.offsetSize)
    }

    /// The number of entries, and the entries.
    var entriesBlock: Block { block.prefix(entriesSize) }

    private var entriesSize: Int { form.countSize + count * form.entrySize }

    /// Whether all entries that it claims to have exist.
    var isComplete: Bool { block.count >= form.countSize && table.count == count * form.entrySize }

    // MARK: - Entries

    func entry(_ tag: UInt16) -> Entry? {
        for offset in stride(from: 0, to: table.count, by: form.entrySize) {
            guard let found = table.uint16(at: offset, order) else { return nil }
            if found == tag { return entry(at: offset) }
        }
        return nil
    }

    /// All entries that exist.
    var entries: [Entry] {
        stride(from: 0, to: table.count, by: form.entrySize).compactMap { entry(at: $0) }
    }

    func has(_ tag: UInt16) -> Bool { entry(tag) != nil }

    private func entry(at offset: Int) -> Entry? {
        guard let tag = table.uint16(at: offset, order),
            let type = table.uint16(at: offset + 2, order),
            let count = table.number(at: offset + 4, width: form.offsetSize, order)
        else { return nil }
        return Entry(tag: tag, type: type, count: count, offset: offset)
    }

    func bytes(of entry: Entry) -> ArraySlice<UInt8> {
        block.bytes(at: form.countSize + entry.offset, count: form.entrySize)
    }

    /// The bytes of an entry.
    func block(of entry: Entry) -> Block? {
        block.part(at: form.countSize + entry.offset, count: form.entrySize)
    }

    /// The bytes with an entry's value, or with its offset.
    func valueField(of entry: Entry) -> Block? {
        block.part(at: form.countSize + valuePlace(of: entry), count: form.offsetSize)
    }

    /// The position of an entry's value or offset, from the first entry.
    private func valuePlace(of entry: Entry) -> Int { entry.offset + 4 + form.offsetSize }

    /// The offset in an entry, of whatever type it is.
    func pointer(in entry: Entry) -> Int? {
        let shortType: UInt16 = 3
        guard entry.type == shortType else { return offset(in: entry) }
        return table.uint16(at: valuePlace(of: entry), order).map(Int.init)
    }

    /// The offset in an entry, whatever it refers to.
    func offset(in entry: Entry) -> Int? {
        table.number(at: valuePlace(of: entry), width: form.offsetSize, order)
    }

    /// The number of bytes of an entry's value; nil for an unknown type.
    private func byteCount(of entry: Entry) -> Int? {
        if entry.type == Self.utf8 { return entry.count }
        // The sizes of the types 0 to 18.
        let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8]
        guard sizes.indices.contains(Int(entry.type)) else { return nil }
        let (size, isTooLarge) = entry.count.multipliedReportingOverflow(
            by: sizes[Int(entry.type)])
        return isTooLarge ? nil : size
    }

    /// The part of a value stored outside its entry that is inside the structure.
    func longValue(of entry: Entry) -> Block? {
        guard let size = byteCount(of: entry), size > form.offsetSize,
            let offset = offset(in: entry)
        else { return nil }
        return structure.dropFirst(offset).prefix(size)
    }

    /// The bytes of a value, in the entry or outside it; nil if any are missing.
    func valueBytes(of entry: Entry) -> ArraySlice<UInt8>? {
        guard let size = byteCount(of: entry), size > 0, size <= Self.maximumBytes,
            let block = size > form.offsetSize
                ? longValue(of: entry) : valueField(of: entry)?.part(at: 0, count: size)
        else { return nil }
        let bytes = block.bytes(count: size)
        return bytes.count == size ? bytes : nil
    }

    // MARK: - Values

    /// The first value of type SHORT, LONG, LONG8 or IFD.
    func number(_ tag: UInt16) -> Int? {
        guard let (values, width, _) = values(tag) else { return nil }
        return number(in: values, at: 0, width)
    }

    /// The values of type SHORT, LONG, LONG8 or IFD.
    func numbers(_ tag: UInt16) -> [Int] {
        guard let (values, width, count) = values(tag) else { return [] }
        return (0..<count).compactMap { number(in: values, at: $0 * width, width) }
    }

    /// All values of type SHORT, LONG, LONG8 or IFD, up to a million.
    func allNumbers(_ tag: UInt16) -> [Int] {
        guard let (_, width, _) = values(tag), let entry = entry(tag),
            let values = longValue(of: entry)?.prefix(8 << 20).loaded()
        else { return numbers(tag) }
        return (0..<values.count / width).compactMap { number(in: values, at: $0 * width, width) }
    }

    private func number(in values: Block, at offset: Int, _ width: Int) -> Int? {
        values.number(at: offset, width: width, order)
    }

    /// The values of type SHORT, LONG, LONG8 or IFD, the size of one in bytes, and their number.
    private func values(_ tag: UInt16) -> (Block, width: Int, count: Int)? {
        guard let entry = entry(tag) else { return nil }
        let width: Int
        switch entry.type {
        case 3: width = 2
        case 4, 13: width = 4
        case 16, 18: width = 8
        default: return nil
        }
        let count = min(entry.count, Self.maximumCount)
        return value(of: entry, byteCount: count * width).map { ($0, width, count) }
    }

    /// A value of type RATIONAL in units of a fraction of one, rounded; nil if it is infinite or too large.
    func fraction(_ tag: UInt16, of unit: Int) -> Int? {
        guard let entry = entry(tag), entry.type == Self.fraction,
            let value = value(of: entry, byteCount: 8),
            let numerator = value.number(at: 0, width: 4, order),
            let denominator = value.number(at: 4, width: 4, order), denominator > 0
        else { return nil }
        let (product, overflows) = numerator.multipliedReportingOverflow(by: unit)
        return overflows ? nil : product / denominator + (product % denominator * 2 / denominator)
    }

    /// The values of type RATIONAL; none if one of them is infinite.
    func fractions(_ tag: UInt16) -> [Double] {
        guard let entry = entry(tag), entry.type == Self.fraction,
            entry.count <= Self.maximumCount,
            let values = value(of: entry, byteCount: entry.count * 8)
        else { return [] }
        let fractions = (0..<entry.count).compactMap { index -> Double? in
            guard let numerator = values.number(at: index * 8, width: 4, order),
                let denominator = values.number(at: index * 8 + 4, width: 4, order), denominator > 0
            else { return nil }
            return Double(numerator) / Double(denominator)
        }
        return fractions.count == entry.count ? fractions : []
    }

    /// A value of type ASCII or UTF-8, without the zero bytes at its end; nil if it is blank.
    func text(_ tag: UInt16) -> String? {
        guard let entry = entry(tag), [2, Self.utf8].contains(entry.type),
            entry.count <= Self.maximumCount,
            let value = value(of: entry, byteCount: entry.count)
        else { return nil }
        let text = value.bytes(count: value.count).prefix { $0 != 0 }
        guard text.contains(where: { $0 != 0x20 }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// A long value of type BYTE or UNDEFINED; nil if it is missing or very large.
    func bytes(_ tag: UInt16) -> ArraySlice<UInt8>? {
        guard let entry = entry(tag), [1, 7].contains(entry.type),
            entry.count <= Self.maximumBytes, let value = longValue(of: entry)
        else { return nil }
        return value.bytes(count: value.count)
    }

    /// The block whose offset and size two entries give; nil unless it is inside the structure.
    func block(at offset: UInt16, size: UInt16) -> Block? {
        guard let offset = number(offset), let size = number(size), size > 0 else { return nil }
        return structure.part(at: offset, count: size)
    }

    /// The bytes of a value, in memory; nil if any are missing.
    private func value(of entry: Entry, byteCount: Int) -> Block? {
        if byteCount <= form.offsetSize {
            return table.part(at: valuePlace(of: entry), count: byteCount)
        }
        let value = offset(in: entry)
            .flatMap { structure.part(at: $0, count: byteCount) }?.loaded()
        return value?.count == byteCount ? value : nil
    }
}
