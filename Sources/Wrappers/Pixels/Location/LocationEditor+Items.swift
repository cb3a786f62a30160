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
    private static let structure: Set<String> = ["grpl", "dinf", "ipro", "fiin", "ctry", "lang"]
    private static let handlerSize = 24
    /// Properties without which an item cannot be decoded, and which are not text.
    private static let codecs: Set<String> = [
        "hvcC", "lhvC", "av1C", "avcC", "vvcC", "evcC", "j2kH", "jpgC", "uncC", "cmpC", "icef",
    ]

    /// A transformation, points and a system of coordinates.
    ///
    /// - Source: OGC 24-038, “GeoHEIF”.
    private static let maps: Set<String> = ["mtxf", "tiep", "mcrs", "uuid"]

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
            case "free", "skip": editFreeSpace(box)
            case "iloc", "iref", "pitm": continue
            case "idat": editItemData(box.content, boxes)
            case "hdlr":
                // A name follows a version, flags, a type and reserved bytes.
                let name = box.content.dropFirst(Self.handlerSize)
                if PlaceText.describesPlace(bytes(name)) { blank(name) }
            case _ where Self.structure.contains(box.name):
                if PlaceText.tellsPosition(inData: bytes(box.content)) { remove(box) }
            default: remove(box)
            }
        }
        for list in boxes where list.name == "ilst" {
            for item in ISOBox.boxes(in: list.content, atMost: 1000) {
                if item.name == "covr", !isStrict {
                    // Pictures, each behind its type and its language.
                    for value in ISOBox.boxes(in: item.content, atMost: 100)
                    where value.name == "data" {
                        try edit(value.content.dropFirst(8), depth: depth + 1)
                    }
                    continue
                }
                // A copyright sign and “xyz”.
                let isPlace = places.contains(item.type) || item.type == 0xA978_797A
                // Some have a name of their own.
                let text = bytes(item.content)
                let tellsPlace =
                    item.name == "----"
                    ? PlaceText.tellsPlace(text) : PlaceText.describesPlace(text)
                if isStrict || isPlace || tellsPlace { remove(item) }
            }
        }
    }

    /// Edits descriptions: a language, a name, a description and tags, each with a zero at its end.
    ///
    /// - Source: ISO/IEC 23008-12, 6.5.20.
    private mutating func editProperties(_ content: Block) {
        for list in ISOBox.boxes(in: content, atMost: 100) where list.name == "ipco" {
            for property in ISOBox.boxes(in: list.content, atMost: 10_000) {
                switch property.name {
                // The map of a picture, and what is not known.
                case _ where Self.maps.contains(property.name): remove(property)
                case "colr" where Self.profiles.contains { property.content.starts(with: $0) }:
                    editProfile(property.content.dropFirst(4))
                case "udes", "altt": editFields(property.content.dropFirst(4))
                case _ where Self.codecs.contains(property.name): continue
                default:
                    if PlaceText.tellsPosition(inData: bytes(property.content)) { remove(property) }
                }
            }
        }
    }

    private static let profiles = ["prof", "rICC"].map { Array($0.utf8) }

    /// Edits texts that each end with a zero, behind a version and flags.
    private mutating func editFields(_ fields: Block) {
        let bytes = fields.bytes(count: Self.maximumMetadata)
        let texts = bytes.split(separator: 0).map { text in
            fields.dropFirst(text.startIndex - bytes.startIndex).prefix(text.count)
        }
        editComments(texts)
    }

    /// Overwrites what no item refers to.
    private mutating func editItemData(_ data: Block, _ boxes: [ISOBox]) {
        // Items refer to the first one.
        let first = boxes.first { $0.name == "idat" }
        guard first?.content.range == data.range else { return blank(data) }
        guard let list = boxes.first(where: { $0.name == "iloc" }),
            let places = ItemPlaces(list.content), places.isComplete, places.derived.isEmpty
        else { return }
        let used = places.extents.values.joined().compactMap { extent in
            extent.isInside ? extent.part(of: data)?.range : nil
        }
        blankGaps(
            of: data,
            between: used.map { range in
                range.lowerBound - data.range.lowerBound..<range.upperBound - data.range.lowerBound
            })
    }

    /// Overwrites keys that name a place.
    ///
    /// - Returns: Their numbers, which are the types of their values.
    private mutating func editKeys(_ content: Block) -> Set<UInt32> {
        var places: Set<UInt32> = []
        // After a version, flags and the number of keys.
        for (index, key) in ISOBox.boxes(in: content.dropFirst(8), atMost: 1000).enumerated()
        where PlaceText.tellsPlace(bytes(key.content)) || XMPNames.isPlace(key: bytes(key.content))
        {
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
            if PlaceText.describesPlace(bytes(item.name)) {
                patch.fill(item.name, with: UInt8(ascii: " "))
            }
            // A JPEG has metadata of its own.
            if Self.pictures.contains(item.type), item.type != "jpeg" { continue }
            // Its data is part of another item's.
            if places?.derived.contains(item.number) == true { throw .locationStays }
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
        case "Exif": try editOffsetEXIF(block, depth)
        case "jpeg": try edit(block, depth: depth + 1)
        case "mime" where item.text.contains("rdf+xml") && !item.text.contains("deflate"):
            try editXMP(block)
        case "mime" where item.text.contains("image/jpeg"): try edit(block, depth: depth + 1)
        default: blank(block)
        }
    }
}
