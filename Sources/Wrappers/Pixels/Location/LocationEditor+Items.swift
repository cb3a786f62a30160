// SPDX-License-Identifier: MIT

import Photos

/// Metadata boxes: items of HEIF and AVIF, and values by key of videos.
///
/// - Source: ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, Annex A; Apple, QuickTime File Format,
///   “Metadata”.
extension LocationEditor {
    /// Kinds of items that are pictures.
    private static let pictures: Set<String> = [
        "hvc1", "hev1", "hvt1", "lhv1", "av01", "avc1", "jpeg", "j2k1", "vvc1", "evc1", "unci",
        "mski", "grid", "iden", "iovl", "tmap", "tili", "auxl", "sato", "a1lx",
    ]
    private static let structure: Set<String> = [
        "hdlr", "pitm", "iloc", "iinf", "iref", "idat", "grpl", "dinf", "ipro", "fiin",
        "free", "skip", "ctry", "lang",
    ]

    mutating func editMetadata(
        _ content: Block, in file: Block, _ depth: Int
    ) throws(PixelError) {
        // In QuickTime this box has no version and flags, and starts with its handler.
        let isPlain = content.starts(with: "hdlr".utf8, at: 4)
        let content = content.dropFirst(isPlain ? 0 : 4)
        let boxes = ISOBox.boxes(in: content, atMost: 1000)
        var places: Set<UInt32> = []
        for box in boxes {
            switch box.name {
            case "iinf": try editItems(box.content, boxes, in: file, depth)
            case "keys": places = editKeys(box.content)
            case "ilst": continue
            case "xml ", "bxml": try editText(box.content, depth)
            case "uuid": try editExtension(box, depth)
            case "iprp": editProperties(box.content)
            case _ where Self.structure.contains(box.name): continue
            default: remove(box)
            }
        }
        for list in boxes where list.name == "ilst" {
            for item in ISOBox.boxes(in: list.content, atMost: 1000) {
                if item.name == "covr", !isStrict {
                    // A picture behind two headers.
                    try edit(item.content.dropFirst(16), depth: depth + 1)
                    continue
                }
                // A copyright sign and “xyz”.
                let isPlace = places.contains(item.type) || item.type == 0xA978_797A
                if isStrict || isPlace || PlaceText.tellsPlace(bytes(item.content.prefix(4096))) {
                    remove(item)
                }
            }
        }
    }

    /// Edits descriptions: a language, a name, a description and tags, each with a zero at its end.
    ///
    /// - Source: ISO/IEC 23008-12, 6.5.20.
    private mutating func editProperties(_ content: Block) {
        for list in ISOBox.boxes(in: content, atMost: 100) where list.name == "ipco" {
            for property in ISOBox.boxes(in: list.content, atMost: 10_000)
            where property.name == "udes" {
                // After a version and flags.
                let fields = property.content.dropFirst(4)
                let bytes = fields.bytes(count: Self.maximumMetadata)
                let texts = bytes.split(separator: 0).map { text in
                    fields.dropFirst(text.startIndex - bytes.startIndex).prefix(text.count)
                }
                editComments(texts)
            }
        }
    }

    /// Overwrites keys that name a place.
    ///
    /// - Returns: Their numbers, which are the types of their values.
    private mutating func editKeys(_ content: Block) -> Set<UInt32> {
        var places: Set<UInt32> = []
        // After a version, flags and the number of keys.
        for (index, key) in ISOBox.boxes(in: content.dropFirst(8), atMost: 1000).enumerated()
        where PlaceText.tellsPlace(bytes(key.content)) {
            places.insert(UInt32(index + 1))
            patch.fill(key.content, with: UInt8(ascii: "-"))
        }
        return places
    }

    /// XML of a camera: XMP, or the metadata of Sony's cameras.
    private mutating func editText(_ content: Block, _ depth: Int) throws(PixelError) {
        let text = bytes(content)
        if text[...].firstIndex(of: Array("<rdf:RDF".utf8), from: 0) != nil {
            try editXMP(content)
        } else if isStrict || PlaceText.tellsPlace(text) {
            blank(content)
        }
    }

    // MARK: - Items

    private mutating func editItems(
        _ content: Block, _ boxes: [ISOBox], in file: Block, _ depth: Int
    ) throws(PixelError) {
        let data = boxes.first { $0.name == "idat" }?.content
        let places = boxes.first { $0.name == "iloc" }.flatMap { ItemPlaces($0.content) }
        for item in ItemEntry.all(in: content) {
            if Self.pictures.contains(item.type) { continue }
            let pieces =
                places?.extents[item.number]?.compactMap { extent in
                    extent.isInside ? data.flatMap(extent.part) : extent.part(of: file)
                } ?? []
            guard !pieces.isEmpty else { continue }
            try editPieces(pieces) { editor, block throws(PixelError) in
                try editor.editItem(block, item, depth)
            }
        }
    }

    private mutating func editItem(
        _ block: Block, _ item: ItemEntry, _ depth: Int
    ) throws(PixelError) {
        switch item.type {
        case "Exif":
            let offset = block.uint32(at: 0, .bigEndian).map(Int.init) ?? 0
            try editEXIF(block.dropFirst(4 + offset), depth)
        case "mime" where item.text.contains("rdf+xml") && !item.text.contains("deflate"):
            try editXMP(block)
        case "mime" where item.text.contains("image/jpeg"): try edit(block, depth: depth + 1)
        default: blank(block)
        }
    }
}

/// Where the items of a HEIF file are.
private struct ItemPlaces {
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
                guard !overflows, method < 2 else { continue }
                extents[UInt32(clamping: item), default: []].append(
                    Extent(offset: start, count: size, isInside: method == 1))
            }
        }
    }
}
