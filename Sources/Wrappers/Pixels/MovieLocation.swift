// SPDX-License-Identifier: MIT

import Photos

/// Takes the place where a video was taken out of its metadata: MP4, QuickTime, 3GPP.
///
/// Nothing is moved. What tells a place becomes free space full of zeros, so that every offset
/// into the file stays right. Damage is not an error: what cannot be followed is left alone.
///
/// - Source: ISO/IEC 14496-12, 8.10; Apple, QuickTime File Format, “User Data Atoms” and
///   “Metadata”; 3GPP TS 26.244, 8.2 (`loci`).
struct MovieLocation {
    /// What other bytes some parts of the file get, one part after the other.
    struct Edit {
        var parts: [Range<Int>] = []
        var bytes: [UInt8] = []
    }

    private let file: FileBytes
    private var edit = Edit()

    /// More boxes than fragments of hours of video.
    private static let maximumBoxes = 50_000
    /// More than a place or a packet of XMP takes, in bytes.
    private static let maximumContent = 8 << 20
    private static let maximumParts = 64
    /// A movie, its tracks, their user data, its metadata.
    private static let maximumDepth = 6

    /// What of the file must change; nil when it tells no place.
    ///
    /// - Throws: ``PixelError/tooLarge`` when there is too much to look through.
    static func removed(from file: FileBytes) throws(PixelError) -> Edit? {
        var removal = MovieLocation(file: file)
        try removal.visit(file.whole, depth: 0)
        return removal.edit.parts.isEmpty ? nil : removal.edit
    }

    private init(file: FileBytes) {
        self.file = file
    }

    // MARK: - Boxes

    /// A copyright sign and “xyz”: international text of QuickTime, which MP4 has too.
    private static let places: Set<UInt32> = [
        0xA978_797A, ISOBox.type("loci"), ISOBox.type("gps "), ISOBox.type("gps0"),
        ISOBox.type("GPS "),
    ]

    private static let xmp: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
        0xAC,
    ]

    private mutating func visit(_ range: Range<Int>, depth: Int) throws(PixelError) {
        guard depth < Self.maximumDepth else { return }
        let boxes = ISOBox.boxes(in: file, range, atMost: Self.maximumBoxes)
        guard boxes.count < Self.maximumBoxes else { throw .tooLarge }
        for box in boxes {
            switch box.name {
            case _ where Self.places.contains(box.type): try blank(box)
            case "moov", "trak", "udta": try visit(box.content, depth: depth + 1)
            case "meta": try visitMetadata(box.content, depth: depth + 1)
            case "XMP_": try blankXMP(box.content)
            case "uuid" where box.uuid == Self.xmp: try blankXMP(box.content)
            default: continue
            }
        }
    }

    /// Metadata by names: `keys` has them, `ilst` the values by the names' numbers.
    private mutating func visitMetadata(
        _ content: Range<Int>, depth: Int
    ) throws(PixelError) {
        // QuickTime's has no version and flags, and begins with its handler at once.
        let isPlain = file.bytes(at: content.lowerBound + 4, count: 4).elementsEqual("hdlr".utf8)
        let content = content.dropFirst(isPlain ? 0 : 4)
        let children = ISOBox.boxes(in: file, content)
        var places = Self.places
        for keys in children where keys.name == "keys" {
            // A version, flags and the number of names stand first.
            let names = ISOBox.boxes(in: file, keys.content.dropFirst(8), atMost: 1000)
            for (index, name) in names.enumerated() where tellsPlace(name) {
                places.insert(UInt32(index + 1))
            }
        }
        for list in children where list.name == "ilst" {
            for item in ISOBox.boxes(in: file, list.content, atMost: 1000)
            where places.contains(item.type) {
                try blank(item)
            }
        }
        try visit(content, depth: depth)
    }

    private func tellsPlace(_ name: ISOBox) -> Bool {
        let bytes = file.bytes(at: name.content.lowerBound, count: min(name.content.count, 1024))
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        return text.contains("location") || text.contains("gps")
    }

    // MARK: - Edits

    private mutating func blank(_ box: ISOBox) throws(PixelError) {
        let bytes = try content(of: box.content)
        // From the type on; a long size stands between the two and stays.
        replace(at: box.start + 4, with: Array("free".utf8))
        replace(at: box.content.lowerBound, with: Array(repeating: 0, count: bytes.count))
    }

    private mutating func blankXMP(_ range: Range<Int>) throws(PixelError) {
        var editor = MetadataEditor(try content(of: range))
        if editor.removeXMPLocation(in: editor.bytes.indices) {
            replace(at: range.lowerBound, with: editor.bytes)
        }
    }

    /// As much as there is.
    private func content(of range: Range<Int>) throws(PixelError) -> [UInt8] {
        let bytes = file.bytes(
            at: range.lowerBound, count: min(range.count, Self.maximumContent + 1))
        guard bytes.count <= Self.maximumContent, edit.parts.count < Self.maximumParts - 1 else {
            throw .tooLarge
        }
        return Array(bytes)
    }

    private mutating func replace(at offset: Int, with bytes: [UInt8]) {
        edit.parts.append(offset..<offset + bytes.count)
        edit.bytes += bytes
    }
}
