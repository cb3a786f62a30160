// SPDX-License-Identifier: MIT

import Photos

/// Removes the location of a video from its metadata: MP4, QuickTime, 3GPP.
///
/// Nothing is moved. A box with a location becomes free space filled with zeros, so that every
/// offset in the file stays valid. Damage is not an error; parts that cannot be parsed are
/// unchanged.
///
/// - Source: ISO/IEC 14496-12, 8.10; Apple, QuickTime File Format, “User Data Atoms” and
///   “Metadata”; 3GPP TS 26.244, 8.2 (`loci`).
struct MovieLocation {
    private var patch = Patch()

    /// More boxes than the fragments of a video of several hours.
    private static let maximumBoxes = 50_000
    /// More bytes than a location or a packet of XMP needs.
    private static let maximumContent = 8 << 20
    private static let maximumParts = 64
    /// The boxes to enter: a movie, its tracks, their user data and metadata.
    private static let maximumDepth = 6

    /// Returns the changes to the file; nil if it contains no location.
    ///
    /// - Throws: ``PixelError/tooLarge`` if there is too much to search.
    static func removed(from file: FileBytes) throws(PixelError) -> Patch? {
        var removal = MovieLocation()
        try removal.visit(Block(file), depth: 0)
        return removal.patch.isEmpty ? nil : removal.patch
    }

    // MARK: - Boxes

    /// A copyright sign and “xyz” is international text in QuickTime, which MP4 adopted.
    private static let places: Set<UInt32> = [
        0xA978_797A, ISOBox.type("loci"), ISOBox.type("gps "), ISOBox.type("gps0"),
        ISOBox.type("GPS "),
    ]

    private static let xmp: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
        0xAC,
    ]

    private mutating func visit(_ parent: Block, depth: Int) throws(PixelError) {
        guard depth < Self.maximumDepth else { return }
        let boxes = ISOBox.boxes(in: parent, atMost: Self.maximumBoxes)
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

    /// Metadata by key: `keys` contains the keys, `ilst` the values, with the index of their key.
    private mutating func visitMetadata(_ content: Block, depth: Int) throws(PixelError) {
        // In QuickTime this box has no version and flags, and starts with its handler.
        let isPlain = content.starts(with: "hdlr".utf8, at: 4)
        let content = content.dropFirst(isPlain ? 0 : 4)
        let children = ISOBox.boxes(in: content)
        var places = Self.places
        for keys in children where keys.name == "keys" {
            // After a version, flags and the number of keys.
            let names = ISOBox.boxes(in: keys.content.dropFirst(8), atMost: 1000)
            for (index, name) in names.enumerated() where tellsPlace(name) {
                places.insert(UInt32(index + 1))
            }
        }
        for list in children where list.name == "ilst" {
            for item in ISOBox.boxes(in: list.content, atMost: 1000)
            where places.contains(item.type) {
                try blank(item)
            }
        }
        try visit(content, depth: depth)
    }

    private func tellsPlace(_ name: ISOBox) -> Bool {
        let text = String(decoding: name.content.bytes(count: 1024), as: UTF8.self).lowercased()
        return text.contains("location") || text.contains("gps")
    }

    // MARK: - Changes

    private mutating func blank(_ box: ISOBox) throws(PixelError) {
        let content = try existing(box.content)
        patch.write(Array("free".utf8), over: box.typeField)
        patch.fill(box.content.prefix(content.count))
    }

    private mutating func blankXMP(_ content: Block) throws(PixelError) {
        var bytes = Array(try existing(content))
        var changes = Patch()
        guard changes.removeXMPLocation(from: Block(bytes[...])) else { return }
        changes.apply(to: &bytes)
        patch.write(bytes, over: content)
    }

    /// The bytes of a block, as far as the file contains them.
    private func existing(_ block: Block) throws(PixelError) -> ArraySlice<UInt8> {
        let bytes = block.bytes(count: Self.maximumContent + 1)
        guard bytes.count <= Self.maximumContent, patch.ranges.count < Self.maximumParts - 1 else {
            throw .tooLarge
        }
        return bytes
    }
}
