// SPDX-License-Identifier: MIT

import Photos

/// ISO base media files: HEIF, AVIF, JPEG XL, Canon's CR3, MP4 and QuickTime.
///
/// A box that is not known to be harmless becomes free space.
///
/// - Source: ISO/IEC 14496-12; ISO/IEC 18181-2; Apple, QuickTime File Format.
extension LocationEditor {
    /// More boxes than the fragments of a video of several hours.
    static let maximumBoxes = 50_000
    /// Boxes at the top of a file that hold no metadata.
    private static let media: Set<String> = [
        "ftyp", "styp", "mdat", "imda", "idat", "sidx", "ssix", "mfra", "pdin", "JXL ", "jP  ",
        "jp2i", "jxlc", "jxlp", "jbrd", "pnot", "PICT",
    ]

    mutating func editISO(_ file: Block, _ depth: Int) throws(PixelError) {
        let boxes = ISOBox.boxes(in: file, atMost: Self.maximumBoxes)
        guard boxes.count < Self.maximumBoxes else { throw .locationStays }
        let isFragmented = boxes.contains { $0.name == "moof" }
        // Pictures have no samples that a wrong size could move.
        let isMovie = boxes.contains { $0.name == "moov" || $0.name == "moof" }
        for box in boxes {
            if isMovie { try Self.expectSound(atTop: box) }
            switch box.name {
            case _ where Self.media.contains(box.name): continue
            case "free", "skip", "wide": editFreeSpace(box)
            // A level, and an index of frames.
            case "jxll", "jxli":
                if PlaceText.tellsPosition(inData: bytes(box.content)) { remove(box) }
            case "jp2c": editCodestream(box.content)
            case "jp2h": editImageHeader(box.content)
            case "moov": try editMovie(box.content, in: file, isFragmented: isFragmented, depth)
            case "moof": try editFragment(box.content, depth)
            case "meta": try editMetadata(box.content, in: file, depth)
            case "udta": try editUserData(box.content, depth)
            case "uuid": try editExtension(box, depth)
            case "Exif": try editOffsetEXIF(box.content, depth)
            case "xml ": try editXMP(box.content)
            case "brob": try editCompressed(box, depth)
            case "jumb": if mayTellPlace(manifest: bytes(box.content)) { remove(box) }
            // A video inside a picture.
            case "mpvd": try edit(box.content, depth: depth + 1)
            default: remove(box)
            }
        }
        // Phones append data in their own formats.
        let end = boxes.last.map { $0.content.range.upperBound - file.range.lowerBound } ?? 0
        blank(file.dropFirst(end))
        editRemains(boxes, in: file, isFragmented: isFragmented)
        try expectSamples(in: boxes, of: file)
        try editRestoration(boxes, of: file, depth)
    }

    private static let imageHeader: Set<String> = [
        "ihdr", "bpcc", "colr", "pclr", "cmap", "cdef", "res ",
    ]

    /// Edits the header of a JPEG 2000 picture.
    ///
    /// - Source: ITU-T T.800, I.5.3.
    private mutating func editImageHeader(_ content: Block) {
        for box in ISOBox.boxes(in: content, atMost: 1000) {
            if !Self.imageHeader.contains(box.name) {
                remove(box)
            } else if box.name == "colr", box.content.bytes(count: 1).first.map({ $0 > 1 }) == true
            {
                // A profile follows the method, a precedence and an approximation.
                editProfile(box.content.dropFirst(3))
            }
        }
    }

    /// Edits EXIF data that follows its offset.
    mutating func editOffsetEXIF(_ content: Block, _ depth: Int) throws(PixelError) {
        let offset = content.uint32(at: 0, .bigEndian).map(Int.init) ?? 0
        let data = content.dropFirst(4 + offset)
        // Some programs write the name of a JPEG's segment, but do not count it.
        let name = JPEGSegments.Segment.exifName
        try editEXIF(data.starts(with: name) ? data.dropFirst(name.count) : data, depth)
    }

    /// Removes a compressed box, unless there would be nothing to remove from its content.
    private mutating func editCompressed(_ box: ISOBox, _ depth: Int) throws(PixelError) {
        guard !isStrict, let content = CompressedBox.decompressed(bytes(box.content)) else {
            return remove(box)
        }
        var editor = LocationEditor(isStrict: false)
        let inner = Block(content[...])
        switch String(decoding: box.content.bytes(count: 4), as: UTF8.self) {
        case "Exif": try editor.editOffsetEXIF(inner, depth + 1)
        case "xml ": try editor.editXMP(inner)
        default: return remove(box)
        }
        if !editor.patch.isEmpty { remove(box) }
    }

    /// Boxes that only a wrong size moves into a fragment.
    private static let fragments: Set<String> = ["moof", "mdat", "moov", "tfhd", "tfdt", "trun"]

    private mutating func editFragment(_ fragment: Block, _ depth: Int) throws(PixelError) {
        for box in ISOBox.boxes(in: fragment, atMost: Self.maximumBoxes) {
            try Self.expectSound(box, elsewhere: Self.fragments)
            switch box.name {
            case "mfhd", "traf", "pssh", "free", "skip": continue
            default: remove(box)
            }
        }
    }

    /// Turns a box into free space.
    mutating func remove(_ box: ISOBox) {
        patch.write(Array("free".utf8), over: box.typeField)
        patch.fill(box.content)
        // The identifier of a `uuid` box remains; it says nothing about this file.
    }

    func bytes(_ block: Block) -> [UInt8] {
        Array(block.bytes(count: min(block.count, Self.maximumMetadata)))
    }

    // MARK: - Extensions

    /// Spherical video, Sony's profile, and Canon's previews.
    private static let harmlessIDs: [[UInt8]] = [
        [
            0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52,
            0x1F, 0xDD,
        ],
        [
            0x50, 0x52, 0x4F, 0x46, 0x21, 0xD2, 0x4F, 0xCE, 0xBB, 0x88, 0x69, 0x5C, 0xFA, 0xC9,
            0xC7, 0x40,
        ],
    ]

    /// Edits a box whose type is an identifier.
    mutating func editExtension(_ box: ISOBox, _ depth: Int) throws(PixelError) {
        if box.uuid == ISOBox.xmpID {
            try editXMP(box.content)
        } else if box.uuid == JPEG2000Format.exifUUID {
            try editEXIF(box.content, depth)
        } else if box.uuid == CanonBoxes.metadataID {
            try editCanon(box.content, depth)
        } else if box.uuid == CanonBoxes.previewID {
            if let picture = CanonBoxes.preview(in: box.content) {
                try edit(picture, depth: depth + 1)
            }
        } else if !Self.harmlessIDs.contains(box.uuid) {
            remove(box)
        }
    }

    /// Edits Canon's boxes, which each contain one EXIF directory in a structure of its own.
    ///
    /// - Source: ExifTool, `Canon::uuid`.
    private mutating func editCanon(_ content: Block, _ depth: Int) throws(PixelError) {
        for box in ISOBox.boxes(in: content) {
            switch box.name {
            case "CMT1", "CMT2": try editEXIF(box.content, depth)
            case "CMT4": patch.removeGPSDirectory(from: box.content)
            case "THMB":
                if let picture = CanonBoxes.thumbnail(in: box.content) {
                    try edit(picture, depth: depth + 1)
                }
            case "CNCV", "CCTP", "CTBO", "CMT3", "CNOP", "free": continue
            default: remove(box)
            }
        }
    }
}
