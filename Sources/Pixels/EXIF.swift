// SPDX-License-Identifier: MIT

package import Photos

/// What we want to know from a block of EXIF data.
package struct EXIF: Hashable, Sendable {
    package var orientation: Orientation?
    package var taken: CaptureDate?

    /// Reads a TIFF structure, as it stands in a JPEG's APP1 segment or a PNG's eXIf chunk.
    ///
    /// Damage is not an error: what can be read is read, the rest is nil.
    ///
    /// - Source: EXIF 2.32, 4.5 and 4.6; TIFF 6.0, section 2.
    package init(tiff bytes: ArraySlice<UInt8>) {
        guard let reader = Self.reader(bytes), let first = reader.uint32(at: 4) else { return }
        let main = Directory(reader, at: Int(first))
        orientation = main.number(.orientation).flatMap { UInt8(exactly: $0) }
            .flatMap(Orientation.init(rawValue:))
        let exif = main.number(.exifDirectory).map { Directory(reader, at: Int($0)) }
        taken =
            Self.date(exif, .dateTimeOriginal, .offsetTimeOriginal)
            ?? Self.date(exif, .dateTimeDigitized, .offsetTimeDigitized)
            ?? Self.date(main, .dateTime, .offsetTime)
    }

    private static func reader(_ bytes: ArraySlice<UInt8>) -> ByteReader? {
        let order: ByteReader.Order
        switch (bytes.first, bytes.dropFirst().first) {
        case (UInt8(ascii: "I"), UInt8(ascii: "I")): order = .littleEndian
        case (UInt8(ascii: "M"), UInt8(ascii: "M")): order = .bigEndian
        default: return nil
        }
        return ByteReader(bytes, order: order)
    }

    private static func date(
        _ directory: Directory?, _ date: Tag, _ offset: Tag
    ) -> CaptureDate? {
        directory?.text(date).flatMap { CaptureDate(exif: $0, offset: directory?.text(offset)) }
    }
}

private enum Tag: UInt16 {
    case orientation = 0x0112
    case dateTime = 0x0132
    case exifDirectory = 0x8769
    case dateTimeOriginal = 0x9003
    case dateTimeDigitized = 0x9004
    case offsetTime = 0x9010
    case offsetTimeOriginal = 0x9011
    case offsetTimeDigitized = 0x9012
}

/// One image file directory: entries of a tag, a type, a count, and a value or its offset.
private struct Directory {
    private static let entrySize = 12

    private let reader: ByteReader
    private let start: Int
    private let count: Int

    /// A directory that lies outside the data has no entries.
    init(_ reader: ByteReader, at offset: Int) {
        self.reader = reader
        start = offset + 2
        count = reader.uint16(at: offset).map(Int.init) ?? 0
    }

    /// A value of type SHORT or LONG.
    func number(_ tag: Tag) -> UInt32? {
        guard let entry = entry(tag) else { return nil }
        return switch entry.type {
        case 3: reader.uint16(at: entry.offset + 8).map(UInt32.init)
        case 4, 13: reader.uint32(at: entry.offset + 8)
        default: nil
        }
    }

    /// A value of type ASCII, without the zero bytes and blanks at its end.
    func text(_ tag: Tag) -> String? {
        guard let entry = entry(tag), entry.type == 2, entry.count <= 256 else { return nil }
        let offset =
            entry.count <= 4
            ? entry.offset + 8 : reader.uint32(at: entry.offset + 8).map(Int.init) ?? -1
        guard let bytes = reader.slice(at: offset, count: entry.count) else { return nil }
        let text = bytes.prefix { $0 != 0 }
        guard text.contains(where: { $0 != 0x20 }) else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private func entry(_ tag: Tag) -> (offset: Int, type: UInt16, count: Int)? {
        for index in 0..<count {
            let offset = start + index * Self.entrySize
            guard let found = reader.uint16(at: offset), let type = reader.uint16(at: offset + 2),
                let length = reader.uint32(at: offset + 4)
            else { return nil }
            if found == tag.rawValue { return (offset, type, Int(length)) }
        }
        return nil
    }
}
