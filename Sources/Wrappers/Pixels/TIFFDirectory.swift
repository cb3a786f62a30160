// SPDX-License-Identifier: MIT

import Photos

/// Where the bytes of a TIFF structure are: in a file, or in a part of one that was read.
protocol ByteSource: Sendable {
    /// Some bytes, or as many of them as there are.
    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8>
}

extension FileBytes: ByteSource {}

extension ArraySlice<UInt8>: ByteSource {
    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
        offset >= 0 && count > 0 ? dropFirst(offset).prefix(count) : []
    }
}

/// One image file directory: entries of a tag, a type, a count, and a value or its offset.
///
/// What lies outside of the data is missing, never an error.
///
/// - Source: TIFF 6.0, section 2.
struct TIFFDirectory: Sendable {
    private static let entrySize = 12
    /// The most numbers and characters that are read of one entry.
    private static let maximumCount = 256

    private let source: any ByteSource
    private let entries: ByteReader
    /// Where the next directory of the chain begins; 0 after the last one.
    let next: Int

    /// Reads a directory.
    init(_ source: any ByteSource, _ order: ByteReader.Order, at offset: Int) {
        self.source = source
        let count =
            ByteReader(source.bytes(at: offset, count: 2), order: order).uint16(at: 0).map(Int.init)
            ?? 0
        let size = count * Self.entrySize
        let bytes = ByteReader(source.bytes(at: offset + 2, count: size + 4), order: order)
        next = bytes.uint32(at: size).map(Int.init) ?? 0
        entries = ByteReader(bytes.bytes.prefix(size), order: order)
    }

    /// The first directory of a structure, and the order of its bytes.
    static func first(in source: any ByteSource) -> (TIFFDirectory, ByteReader.Order)? {
        let head = source.bytes(at: 0, count: 8)
        let order: ByteReader.Order
        switch (head.first, head.dropFirst().first) {
        case (UInt8(ascii: "I"), UInt8(ascii: "I")): order = .littleEndian
        case (UInt8(ascii: "M"), UInt8(ascii: "M")): order = .bigEndian
        default: return nil
        }
        guard let offset = ByteReader(head, order: order).uint32(at: 4) else { return nil }
        return (TIFFDirectory(source, order, at: Int(offset)), order)
    }

    /// The first value of type SHORT or LONG.
    func number(_ tag: UInt16) -> Int? {
        numbers(tag).first
    }

    /// The values of type SHORT or LONG.
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

    /// A value of type ASCII, without the zero bytes at its end; nil when it is blank.
    func text(_ tag: UInt16) -> String? {
        guard let entry = entry(tag), entry.type == 2, entry.count <= Self.maximumCount,
            let bytes = value(of: entry, byteCount: entry.count)
        else { return nil }
        let text = bytes.bytes.prefix { $0 != 0 }
        guard text.contains(where: { $0 != 0x20 }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Where the bytes of an entry of type UNDEFINED are that do not fit into it.
    func range(_ tag: UInt16) -> Range<Int>? {
        guard let entry = entry(tag), entry.type == 7, entry.count > 4,
            let offset = entries.uint32(at: entry.offset + 8)
        else { return nil }
        return Int(offset)..<Int(offset) + entry.count
    }

    func has(_ tag: UInt16) -> Bool { entry(tag) != nil }

    private func value(
        of entry: (offset: Int, type: UInt16, count: Int), byteCount: Int
    ) -> ByteReader? {
        if byteCount <= 4 {
            return entries.slice(at: entry.offset + 8, count: byteCount).map {
                ByteReader($0, order: entries.order)
            }
        }
        guard let offset = entries.uint32(at: entry.offset + 8) else { return nil }
        let bytes = source.bytes(at: Int(offset), count: byteCount)
        return bytes.count == byteCount ? ByteReader(bytes, order: entries.order) : nil
    }

    private func entry(_ tag: UInt16) -> (offset: Int, type: UInt16, count: Int)? {
        for offset in stride(from: 0, to: entries.count, by: Self.entrySize) {
            guard let found = entries.uint16(at: offset), let type = entries.uint16(at: offset + 2),
                let length = entries.uint32(at: offset + 4)
            else { return nil }
            if found == tag { return (offset, type, Int(length)) }
        }
        return nil
    }
}
