// SPDX-License-Identifier: MIT

import Photos

/// Removes from a file what tells where it was made, container by container.
///
/// What is known to be harmless stays; what tells a place, or what nobody can read, is overwritten.
/// Nothing moves: see ``Patch``. Each container is in an extension of its own.
struct LocationEditor {
    /// Whether all metadata is removed that is not needed to show the picture or video.
    let isStrict: Bool
    var patch = Patch()
    /// Whether nobody could develop the file without the note of its camera's maker.
    var needsMakerNote = false
    /// How many files may still be edited that are inside others; a bound for nonsense.
    private var files = 256
    /// The number of tags of Matroska that have been edited.
    var entries = 0

    /// Deeper nesting than real files have: a thumbnail in a thumbnail in a picture in a video.
    private static let maximumDepth = 6
    /// The most bytes to change, which a reply must hold.
    private static let maximumChange = 200 << 20
    /// The most bytes of metadata to read at once.
    static let maximumMetadata = 64 << 20

    init(isStrict: Bool) {
        self.isStrict = isStrict
    }

    /// Edits a file, or a file inside another one.
    ///
    /// - Returns: Whether the container is known.
    /// - Throws: ``PixelError/locationStays`` if the file is too strange to be edited.
    @discardableResult
    mutating func edit(_ file: Block, depth: Int = 0) throws(PixelError) -> Bool {
        files -= 1
        guard depth < Self.maximumDepth, files > 0 else { throw .locationStays }
        // A preview needs no note.
        let outer = needsMakerNote
        if depth > 0 { needsMakerNote = false }
        defer { needsMakerNote = outer }
        let head = Array(file.bytes(count: 512))
        switch LocationContainer(head) {
        case .jpeg: try editJPEG(file, depth)
        case .png: try editPNG(file)
        case .riff: try editRIFF(file, depth)
        case .iso: try editISO(file, depth)
        case .tiff: try editTIFF(file, depth)
        case .fujifilm: try editFujifilm(file, depth)
        case .photoshop:
            if let resources = PhotoshopResources(document: file) {
                try editPhotoshop(resources, depth)
                try editLayers(in: file, depth)
            }
        case .gif: try editGIF(file)
        case .matroska: try editMatroska(file, depth)
        case .svg: try editDrawing(file, depth)
        case .jpeg2000: editCodestream(file)
        case .openEXR: editOpenEXR(file)
        case .radiance: editRadiance(file)
        case nil:
            // Their first bytes are too short to tell a file from other data.
            guard depth == 0 else { return false }
            switch MediaType.sniffed(from: head) {
            case MediaType.netpbm?: editNetpbm(file)
            case MediaType.targa?: editTarga(file)
            case MediaType.icon?: try editIcon(file, depth)
            case MediaType.bmp?: editBitmap(file)
            case MediaType.pcx?: editPCX(file)
            default: return false
            }
        }
        guard patch.byteCount <= Self.maximumChange else { throw .locationStays }
        return true
    }

    // MARK: - Pieces

    /// Edits metadata that is stored in several pieces, as one block.
    mutating func editPieces(
        _ pieces: [Block], _ edit: (inout LocationEditor, Block) throws(PixelError) -> Void
    ) throws(PixelError) {
        if pieces.count == 1 { return try edit(&self, pieces[0]) }
        let old = pieces.flatMap { Array($0.bytes(count: $0.count)) }
        guard old.count == pieces.reduce(0, { $0 + $1.count }) else { return }
        var editor = LocationEditor(isStrict: isStrict)
        try edit(&editor, Block(old[...]))
        guard !editor.patch.isEmpty else { return }
        var new = old
        editor.patch.apply(to: &new)
        var start = 0
        for piece in pieces {
            let bytes = new[start..<start + piece.count]
            if !bytes.elementsEqual(old[start..<start + piece.count]) {
                patch.write(Array(bytes), over: piece)
            }
            start += piece.count
        }
    }

    /// Overwrites a block with zeros, unless it consists of zeros.
    mutating func blank(_ block: Block) {
        guard block.count <= Self.maximumMetadata else { return patch.fill(block) }
        if block.bytes(count: block.count).contains(where: { $0 != 0 }) { patch.fill(block) }
    }

    // MARK: - XMP

    /// Overwrites the properties of an XMP packet that tell a place with spaces.
    ///
    /// A packet that is not well-formed is overwritten completely.
    mutating func editXMP(
        _ packet: Block, _ scope: XMPLocation.Scope = .packet
    ) throws(PixelError) {
        guard packet.count <= Self.maximumMetadata else { throw .locationStays }
        let text = packet.bytes(count: packet.count)
        guard let places = XMPLocation.places(in: text, scope, isStrict: isStrict) else {
            if text.contains(where: { $0 != 0x20 && $0 != 0 && $0 != 0x0A && $0 != 0x0D }) {
                patch.fill(packet, with: UInt8(ascii: " "))
            }
            return
        }
        for place in places {
            if let block = packet.part(at: place.lowerBound - text.startIndex, count: place.count) {
                patch.fill(block, with: UInt8(ascii: " "))
            }
        }
    }
}

/// The containers that are edited, by their first bytes.
enum LocationContainer {
    case jpeg, png, riff, iso, tiff, fujifilm, gif, matroska, svg, photoshop, jpeg2000, openEXR
    case radiance

    init?(_ head: [UInt8]) {
        func starts(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
        func reads(_ text: StaticString, at offset: Int) -> Bool {
            text.withUTF8Buffer { head.dropFirst(offset).starts(with: $0) }
        }
        if starts([0xFF, 0xD8]) {
            self = .jpeg
        } else if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if reads("RIFF", at: 0) {
            self = .riff
        } else if reads("ftyp", at: 4) || reads("JXL ", at: 4) || reads("jP  ", at: 4)
            || reads("moov", at: 4)
            || reads("mdat", at: 4) || reads("wide", at: 4) || reads("skip", at: 4)
            || reads("free", at: 4)
        {
            self = .iso
        } else if ["II*\0", "MM\0*", "IIRO", "IIU\0", "IIRS", "MMOR", "II+\0", "MM\0+"].contains(
            where: {
                starts(Array($0.utf8))
            })
        {
            self = .tiff
        } else if reads("FUJIFILMCCD-RAW", at: 0) {
            self = .fujifilm
        } else if reads("8BPS", at: 0) {
            self = .photoshop
        } else if reads("GIF8", at: 0) {
            self = .gif
        } else if starts([0x1A, 0x45, 0xDF, 0xA3]) {
            self = .matroska
        } else if starts([0xFF, 0x4F, 0xFF, 0x51]) {
            self = .jpeg2000
        } else if starts([0x76, 0x2F, 0x31, 0x01]) {
            self = .openEXR
        } else if reads("#?RADIANCE", at: 0) || reads("#?RGBE", at: 0) {
            self = .radiance
        } else if String(decoding: head, as: UTF8.self).lowercased().contains("<svg")
            || MediaType.sniffed(from: head) == .svg
        {
            self = .svg
        } else {
            return nil
        }
    }
}
