// SPDX-License-Identifier: MIT

internal import CDeflate
import Photos

/// PNG: its chunks; one that is removed becomes a chunk of zeros that readers ignore.
///
/// - Source: Portable Network Graphics (Third Edition), 11; for keywords, ImageMagick and ExifTool.
extension LocationEditor {
    /// Chunks that are the picture.
    private static let pictureChunks: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "acTL", "fcTL", "fdAT", "CgBI",
    ]
    /// Chunks of a few numbers, behind which there may be something else: those that decide about the
    /// colours, and others.
    private static let colourChunks: Set<String> = [
        "cHRM", "gAMA", "sBIT", "sRGB", "cICP", "mDCV", "cLLI",
    ]
    private static let numericChunks: Set<String> = [
        "mDCv", "cLLi", "bKGD", "hIST", "pHYs", "tIME", filler,
    ]
    /// Chunks with names, units, or data of programs.
    private static let searchedChunks: Set<String> = [
        "sPLT", "oFFs", "sCAL", "pCAL", "sTER", "gIFg", "gIFx", "vpAg", "orNT", "caNv", "iDOT",
        "npTc", "npOl", "npLb", "hdRm",
    ]
    /// Ancillary, private, safe to copy.
    private static let filler = "ppZz"
    /// In lower case, because some readers do not care.
    private static let xmpKeyword = "xml:com.adobe.xmp"
    private static let profilePrefix = "raw profile type "
    /// The size of a chunk without content.
    private static let emptyChunk = 12

    mutating func editPNG(_ file: Block) throws(PixelError) {
        var end = PNGChunk.signatureSize
        var isComplete = false
        var texts: [(chunk: PNGChunk, value: [UInt8])] = []
        for chunk in PNGChunk.chunks(of: file) {
            end = chunk.whole.range.upperBound - file.range.lowerBound
            switch chunk.name {
            case "IEND": isComplete = true
            case "eXIf":
                try editChunk(chunk) { editor, content throws(PixelError) in
                    try editor.editEXIF(content, 0)
                }
            case "tEXt", "zTXt", "iTXt":
                if let value = try editText(chunk) { texts.append((chunk, value)) }
            case "iCCP": try editProfile(chunk)
            case "caBX":
                if mayTellPlace(manifest: bytes(chunk.content)) { replace(chunk, with: nil) }
            case _ where Self.pictureChunks.contains(chunk.name): continue
            case _ where Self.colourChunks.contains(chunk.name):
                if PlaceText.tellsPosition(inData: bytes(chunk.content)) { throw .locationStays }
            case _
            where Self.numericChunks.contains(chunk.name)
                || Self.searchedChunks.contains(chunk.name) && !isStrict:
                if PlaceText.tellsPosition(inData: bytes(chunk.content)) {
                    replace(chunk, with: nil)
                }
            default: replace(chunk, with: nil)
            }
            if isComplete { break }
        }
        for index in PlaceParts.tellingPosition(texts.map(\.value)) {
            replace(texts[index].chunk, with: nil)
        }
        if isComplete { blank(file.dropFirst(end)) }
    }

    /// The most characters in the name of a profile.
    private static let longestName = 79

    /// Edits a colour profile, which follows a name and is compressed.
    ///
    /// - Throws: ``PixelError/locationStays`` if it cannot be read, or becomes larger.
    private mutating func editProfile(_ chunk: PNGChunk) throws(PixelError) {
        let content = bytes(chunk.content)
        // The form is that of a compressed text.
        guard let stored = PNGText("zTXt", content) else {
            if PlaceText.describesPlace(content) { throw .locationStays }
            return
        }
        var profile = stored.value
        var editor = LocationEditor(isStrict: isStrict)
        editor.editProfile(Block(profile[...]))
        let tellsPlace = isStrict || PlaceText.describesPlace(stored.keyword.utf8)
        var name = tellsPlace ? Array("ICC".utf8) : Array(content.prefix { $0 != 0 })
        guard tellsPlace || !editor.patch.isEmpty else { return }
        editor.patch.apply(to: &profile)
        guard let compressed = PNGText.smallest(profile) else { throw .locationStays }
        var rest = content.count - name.count - 2 - compressed.count
        if (1..<Self.emptyChunk).contains(rest), name.count + rest <= Self.longestName {
            // Too little for a chunk that fills the room.
            name += [UInt8](repeating: UInt8(ascii: "."), count: rest)
            rest = 0
        }
        guard rest == 0 || rest >= Self.emptyChunk else { throw .locationStays }
        replace(chunk, with: (chunk.name, name + [0, 0] + compressed))
    }

    /// Edits the content of a chunk, and updates the checksum.
    private mutating func editChunk(
        _ chunk: PNGChunk, _ edit: (inout LocationEditor, Block) throws(PixelError) -> Void
    ) throws(PixelError) {
        var content = bytes(chunk.content)
        var editor = LocationEditor(isStrict: isStrict)
        try edit(&editor, Block(content[...]))
        guard !editor.patch.isEmpty else { return }
        editor.patch.apply(to: &content)
        replace(chunk, with: (chunk.name, content))
    }

    /// Writes a chunk, and fills the room that it leaves; without a new content the chunk goes.
    private mutating func replace(_ chunk: PNGChunk, with new: (name: String, content: [UInt8])?) {
        guard let new else {
            let zeros = [UInt8](repeating: 0, count: min(chunk.content.count, Self.maximumMetadata))
            return patch.write(Self.chunk(Self.filler, zeros), over: chunk.whole)
        }
        let rest = chunk.content.count - new.content.count
        guard rest == 0 || rest >= Self.emptyChunk else { return replace(chunk, with: nil) }
        var written = Self.chunk(new.name, new.content)
        if rest > 0 {
            written += Self.chunk(Self.filler, [UInt8](repeating: 0, count: rest - Self.emptyChunk))
        }
        patch.write(written, over: chunk.whole)
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        let sum = UInt32(libdeflate_crc32(0, body, body.count))
        return bigEndian(UInt32(content.count)) + body + bigEndian(sum)
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    // MARK: - Text

    /// The texts that people write, which may tell a place together.
    private static let writtenTexts: Set<String> = [
        "title", "author", "description", "copyright", "comment", "subject", "caption", "note",
    ]
    /// A longer one is judged alone.
    private static let longestText = 4096

    /// Edits a text.
    ///
    /// - Returns: The text, if it stays and somebody wrote it.
    private mutating func editText(_ chunk: PNGChunk) throws(PixelError) -> [UInt8]? {
        let content = bytes(chunk.content)
        guard content.count == chunk.content.count, let text = PNGText(chunk.name, content),
            !isStrict || text.keyword.lowercased() == Self.xmpKeyword
        else {
            replace(chunk, with: nil)
            return nil
        }
        var value = text.value
        switch try edit(&value, text.keyword.lowercased()) {
        case false:
            replace(chunk, with: nil)
            return nil
        case true:
            guard value != text.value else {
                let isWritten = Self.writtenTexts.contains(text.keyword.lowercased())
                return isWritten && value.count <= Self.longestText ? value : nil
            }
            let written = text.written(value) { count in
                let rest = content.count - count
                return rest == 0 || rest >= Self.emptyChunk
            }
            replace(chunk, with: written.map { (chunk.name, $0) })
            return nil
        }
    }

    /// Edits a text.
    ///
    /// - Returns: Whether it stays.
    private mutating func edit(
        _ value: inout [UInt8], _ keyword: String
    ) throws(PixelError) -> Bool {
        var editor = LocationEditor(isStrict: isStrict)
        if keyword == Self.xmpKeyword {
            try editor.editXMP(Block(value[...]))
            editor.patch.apply(to: &value)
            return true
        }
        if keyword.hasPrefix(Self.profilePrefix) {
            return try RawProfile.edit(&value) { profile throws(PixelError) in
                switch keyword.dropFirst(Self.profilePrefix.count) {
                case "exif", "app1":
                    let names: [[UInt8]] = [
                        JPEGSegments.Segment.exifName,
                        Array("http://ns.adobe.com/xap/1.0/\0".utf8),
                    ]
                    let name = names.first { profile.starts(with: $0) } ?? []
                    let content = Block(profile[...]).dropFirst(name.count)
                    if name.first == UInt8(ascii: "h") {
                        try editor.editXMP(content)
                    } else {
                        try editor.editEXIF(content, 0)
                    }
                case "xmp": try editor.editXMP(Block(profile[...]))
                case "iptc", "8bim":
                    if profile.starts(with: "8BIM".utf8) {
                        try editor.editPhotoshop(PhotoshopResources(Block(profile[...])), 0)
                    } else {
                        editor.editIPTC(Block(profile[...]))
                    }
                case "icc", "icm": editor.editProfile(Block(profile[...]))
                default: return false
                }
                editor.patch.apply(to: &profile)
                return true
            }
        }
        return !XMPNames.isPlace(String(keyword.split(separator: ":").last ?? ""))
            && !PlaceText.tellsPlace(Array(keyword.utf8)) && !PlaceText.describesPlace(value)
    }
}
