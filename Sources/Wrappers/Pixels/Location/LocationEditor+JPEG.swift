// SPDX-License-Identifier: MIT

import Photos

/// JPEG: its segments, and what follows the picture.
///
/// - Source: ITU-T T.81, B.1; for the names of segments, ExifTool's table `JPEG::Main`.
extension LocationEditor {
    /// Larger JPEGs are not edited, so they are written anew.
    private static let maximumStream = 256 << 20
    private static let extendedXMP = Array("http://ns.adobe.com/xmp/extension/\0".utf8)

    /// Metadata that is stored in several segments.
    private struct Pieces {
        /// Extended XMP: the offset of each piece, by the digest of the whole.
        var extended: [[UInt8]: [(offset: UInt32, block: Block)]] = [:]
        var flir: [Block] = []
        var jumbf: [Block] = []
        /// A colour profile: the number of each piece.
        var profile: [(number: UInt8, block: Block)] = []
        var comments: [Block] = []
        /// Photoshop's resources; a segment may go on with one that began in the segment before.
        var resources: [[Block]] = []
    }

    mutating func editJPEG(_ stream: Block, _ depth: Int) throws(PixelError) {
        guard stream.count <= Self.maximumStream else { throw .locationStays }
        let bytes = stream.bytes(count: stream.count)
        var pieces = Pieces()
        var offset = 2
        var isInScan = false
        while let marker = Self.marker(in: bytes, from: offset) {
            if !isInScan {
                editStray(stream.dropFirst(offset).prefix(marker - offset))
            }
            offset = marker + 2
            isInScan = bytes[bytes.startIndex + marker + 1] == 0xDA
            switch bytes[bytes.startIndex + marker + 1] {
            case 0xD9:
                try editTrailer(
                    stream.dropFirst(offset).prefix(bytes.count - offset),
                    bytes.dropFirst(offset), depth)
                return try edit(pieces, depth)
            case 0x01, 0xD8: continue
            case let code:
                guard let length = stream.uint16(at: offset, .bigEndian).map(Int.init), length >= 2
                else { continue }
                let content = stream.dropFirst(offset + 2).prefix(length - 2)
                try edit(content, code, &pieces, depth)
                offset += length
            }
        }
        try edit(pieces, depth)
    }

    /// The offset of the next marker: 0xFF and a code.
    ///
    /// In the picture itself, 0xFF is followed by 0 or the number of a restart.
    static func marker(in bytes: ArraySlice<UInt8>, from offset: Int) -> Int? {
        var position = bytes.startIndex + offset
        while let found = bytes.firstIndex(of: 0xFF, from: position), found + 1 < bytes.endIndex {
            switch bytes[found + 1] {
            case 0xFF: position = found + 1
            case 0x00, 0xD0...0xD7: position = found + 2
            default: return found - bytes.startIndex
            }
        }
        return nil
    }

    // MARK: - Segments

    private mutating func edit(
        _ content: Block, _ marker: UInt8, _ pieces: inout Pieces, _ depth: Int
    ) throws(PixelError) {
        switch marker {
        case 0xE0...0xEF: break
        // A comment.
        case 0xFE:
            if isStrict || PlaceText.describesPlace(content.bytes(count: content.count)) {
                blank(content)
            } else {
                pieces.comments.append(content)
            }
            return
        // Extensions that nobody uses, and reserved markers.
        case 0x02...0xBF, 0xF0...0xFD: return editStray(content)
        default: return
        }
        if marker == 0xE1, try editFirst(content, &pieces, depth) { return }
        for name in Self.structures where content.starts(with: name) {
            let structure = content.dropFirst(name.count)
            // Kodak's has tags of its own.
            return marker == 0xE3 && !isStrict
                ? try editTIFF(structure, depth) : try editEXIF(structure, depth)
        }
        switch marker {
        // A small picture.
        case 0xE0 where content.starts(with: Array("JFXX\0".utf8) + [0x10]):
            try edit(content.dropFirst(6), depth: depth + 1)
        case 0xE6 where content.starts(with: "GoPro\0".utf8):
            if isStrict || PlaceText.tellsPosition(inData: bytes(content)) { return blank(content) }
            try editGoPro(content.dropFirst(6))
        case 0xE0 where content.starts(with: "HEAPJPGM".utf8, at: 6) && !isStrict:
            editStray(content)
        // The settings of old cameras, as text.
        case 0xEC where !isStrict:
            if PlaceText.tellsPlace(content.bytes(count: content.count)) { blank(content) }
        case 0xEB where content.starts(with: "JP".utf8): pieces.jumbf.append(content)
        case 0xE2 where content.starts(with: "ICC_PROFILE\0".utf8):
            // The number of the piece, and of all.
            if let number = content.bytes(at: 12, count: 1).first {
                pieces.profile.append((number, content.dropFirst(14)))
            }
        case 0xED where content.starts(with: PhotoshopResources.segmentName):
            let resources = content.dropFirst(PhotoshopResources.segmentName.count)
            var first = PhotoshopResources(resources)
            if first.next() != nil || pieces.resources.isEmpty { pieces.resources.append([]) }
            pieces.resources[pieces.resources.count - 1].append(resources)
        // A list of names, people and places; a comment.
        case 0xE9 where content.starts(with: "Media Jukebox\0".utf8) && !isStrict:
            let text = bytes(content)
            let namesPlace = text[...].firstIndex(of: Array("<Places>".utf8), from: 0) != nil
            if namesPlace || PlaceText.describesPlace(text) { blank(content) }
        case 0xEA where content.starts(with: "UNICODE\0".utf8) && !isStrict:
            if PlaceText.describesPlace(bytes(content)) { blank(content) }
        default:
            func isAmong(_ names: [(UInt8, String)]) -> Bool {
                names.contains { $0.0 == marker && content.starts(with: $0.1.utf8) }
            }
            if isAmong(Self.needed) {
                // What is behind the fields of JFIF, which is a small picture, and of Adobe.
                if marker == 0xE0 {
                    editStray(content.dropFirst(14))
                } else if marker == 0xEE {
                    editStray(content.dropFirst(12))
                } else if PlaceText.tellsPosition(inData: bytes(content)) {
                    blank(content)
                }
            } else if isStrict || !isAmong(Self.known)
                || PlaceText.tellsPosition(inData: bytes(content))
            {
                blank(content)
            }
        }
    }

    /// Overwrites bytes that no decoder needs, if they tell a position.
    private mutating func editStray(_ rest: Block) {
        guard rest.count >= Self.shortest else { return }
        if isStrict || PlaceText.tellsPosition(inData: bytes(rest)) { blank(rest) }
    }

    /// The names before a TIFF structure.
    private static let structures = ["Exif\0\0", "Meta\0\0", "META\0\0"].map { Array($0.utf8) }

    /// Without these a picture would look different.
    private static let needed: [(UInt8, String)] = [
        (0xE0, "JFIF\0"), (0xE2, "ICC_PROFILE\0"), (0xE2, "MPF\0"),
        (0xE2, "urn:iso:std:iso:ts:21496"), (0xEA, "AROT"), (0xEE, "Adobe"),
    ]

    /// Segments that contain no place.
    private static let known: [(UInt8, String)] =
        needed + [
            (0xE0, "JFXX\0"), (0xE0, "CIFF"), (0xE0, "AVI1"), (0xE0, "Ocad"), (0xE2, "FPXR\0"),
            (0xE3, "_JPSJPS_"), (0xE3, "Stim"), (0xE4, "SCALADO\0"), (0xE4, "FPXR\0"),
            (0xE5, "ssuniqueid\0"), (0xE6, "EPPIM\0"), (0xE6, "TDHD"), (0xE7, "PENTAX \0"),
            (0xE7, "\u{1A}Qualcomm Camera Attributes"), (0xE8, "SPIFF\0"),
            (0xEB, "HDR_RI"), (0xED, "Adobe_CM"), (0xEF, "Q "),
        ]

    /// Edits a segment of the marker that EXIF and XMP share.
    ///
    /// - Returns: Whether it was XMP, or a part of something larger.
    private mutating func editFirst(
        _ content: Block, _ pieces: inout Pieces, _ depth: Int
    ) throws(PixelError) -> Bool {
        if content.starts(with: Self.extendedXMP) {
            // A digest, the size of the whole, and an offset.
            let head = content.dropFirst(Self.extendedXMP.count)
            if let offset = head.uint32(at: 36, .bigEndian) {
                pieces.extended[Array(head.bytes(count: 32)), default: []].append(
                    (offset, head.dropFirst(40)))
            }
            return true
        }
        if content.starts(with: "FLIR\0".utf8) {
            // A version, the number of this segment, and the number of the last one.
            pieces.flir.append(content.dropFirst(8))
            return true
        }
        if content.starts(with: JPEGSegments.Segment.xmpName) {
            try editXMP(content.dropFirst(JPEGSegments.Segment.xmpName.count))
            return true
        }
        // Some programs leave out the name, or write another one.
        let bytes = content.bytes(count: content.count)
        guard
            let start = ["<?xpacket", "<x:xmpmeta", "<rdf:RDF"].compactMap({
                bytes.firstIndex(of: Array($0.utf8), from: bytes.startIndex)
            }).min()
        else { return false }
        try editXMP(content.dropFirst(start - bytes.startIndex))
        return true
    }

    private mutating func edit(_ pieces: Pieces, _ depth: Int) throws(PixelError) {
        for whole in pieces.extended.values {
            let blocks = whole.sorted { $0.offset < $1.offset }.map(\.block)
            try editPieces(blocks) { editor, packet throws(PixelError) in
                try editor.editXMP(packet)
            }
        }
        if !pieces.flir.isEmpty {
            try editPieces(pieces.flir) { editor, block throws(PixelError) in editor.editFLIR(block)
            }
        }
        for blocks in pieces.resources {
            try editPieces(blocks) { editor, block throws(PixelError) in
                try editor.editPhotoshop(PhotoshopResources(block), depth)
            }
        }
        if !pieces.profile.isEmpty {
            let blocks = pieces.profile.sorted { $0.number < $1.number }.map(\.block)
            try editPieces(blocks) { editor, block throws(PixelError) in editor.editProfile(block)
            }
        }
        editManifests(pieces.jumbf)
        for index in PlaceParts.tellingPosition(pieces.comments.map(bytes)) {
            blank(pieces.comments[index])
        }
    }

    // MARK: - JUMBF

    /// Overwrites signed statements about a picture, if they may tell a place.
    ///
    /// Each segment has the number of its box and of the segment, and repeats the box's header.
    ///
    /// - Source: ISO/IEC 19566-5, Annex D; C2PA Technical Specification 2.1, Appendix A.
    private mutating func editManifests(_ segments: [Block]) {
        let manifests = segments.filter { $0.starts(with: "jumb".utf8, at: 12) }
        // Parts of pictures in JPEG XT.
        for segment in segments where !segment.starts(with: "jumb".utf8, at: 12) {
            if PlaceText.tellsPosition(inData: bytes(segment)) { blank(segment) }
        }
        let all = manifests.flatMap { Array($0.dropFirst(16).bytes(count: $0.count)) }
        guard mayTellPlace(manifest: all) else { return }
        for segment in manifests { blank(segment) }
    }

    /// Whether a manifest may tell a place: because it says so, or contains metadata or pictures.
    func mayTellPlace(manifest: [UInt8]) -> Bool {
        let lower = manifest.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let names = ["location", "\"city\"", "\"country\"", "\"address\"", "geo:"]
        if names.contains(where: { lower[...].firstIndex(of: Array($0.utf8), from: 0) != nil }) {
            return true
        }
        return mayTellPosition(manifest: manifest) || PlaceText.tellsPosition(inData: manifest)
    }

    private func mayTellPosition(manifest: [UInt8]) -> Bool {
        func contains(_ key: String) -> Bool {
            // In CBOR, the first byte of a text of three characters is that of `c`.
            manifest[...].firstIndex(of: Array("c\(key)".utf8), from: 0) != nil
        }
        return isStrict && !manifest.isEmpty || PlaceText.namesPosition(manifest)
            || contains("lat") && (contains("lon") || contains("lng"))
            || ["stds.exif", "stds.schema-org", "stds.iptc", "Exif", "brob", "c2pa.metadata"]
                .contains { manifest[...].firstIndex(of: Array($0.utf8), from: 0) != nil }
    }
}
