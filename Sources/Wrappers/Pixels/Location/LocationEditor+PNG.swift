// SPDX-License-Identifier: MIT

internal import CDeflate
import Photos

/// PNG: its chunks; one that is removed becomes a chunk of zeros that readers ignore.
///
/// - Source: Portable Network Graphics (Third Edition), 11; for keywords, ImageMagick and ExifTool.
extension LocationEditor {
    private static let harmlessChunks: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP",
        "mDCV", "mDCv", "cLLI", "cLLi", "bKGD", "hIST", "pHYs", "sPLT", "tIME", "acTL", "fcTL",
        "fdAT", "oFFs", "sCAL", "pCAL", "sTER", "gIFg", "gIFx", "vpAg", "orNT", "caNv", "iDOT",
        "CgBI", "npTc", "npOl", "npLb", "hdRm", filler,
    ]
    /// Ancillary, private, safe to copy.
    private static let filler = "ppZz"
    private static let xmpKeyword = "XML:com.adobe.xmp"

    mutating func editPNG(_ file: Block) throws(PixelError) {
        var end = PNGChunk.signatureSize
        var isComplete = false
        for chunk in PNGChunk.chunks(of: file) {
            end = chunk.whole.range.upperBound - file.range.lowerBound
            switch chunk.name {
            case "IEND": isComplete = true
            case "eXIf":
                try editChunk(chunk) { editor, content throws(PixelError) in
                    try editor.editEXIF(content, 0)
                }
            case "tEXt", "zTXt", "iTXt": try editText(chunk)
            case "caBX":
                if mayTellPlace(manifest: bytes(chunk.content)) { replace(chunk, with: nil) }
            case _ where Self.harmlessChunks.contains(chunk.name): continue
            default: replace(chunk, with: nil)
            }
            if isComplete { break }
        }
        if isComplete { blank(file.dropFirst(end)) }
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
        guard rest == 0 || rest >= 12 else { return replace(chunk, with: nil) }
        var written = Self.chunk(new.name, new.content)
        if rest > 0 {
            written += Self.chunk(Self.filler, [UInt8](repeating: 0, count: rest - 12))
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

    private mutating func editText(_ chunk: PNGChunk) throws(PixelError) {
        let content = bytes(chunk.content)
        guard content.count == chunk.content.count, let text = PNGText(chunk.name, content),
            !isStrict || text.keyword == Self.xmpKeyword
        else { return replace(chunk, with: nil) }
        var value = text.value
        switch try edit(&value, text.keyword) {
        case false: replace(chunk, with: nil)
        case true:
            guard value != text.value else { return }
            replace(chunk, with: text.written(value).map { (chunk.name, $0) })
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
        let prefix = "Raw profile type "
        if keyword.hasPrefix(prefix) {
            return try RawProfile.edit(&value) { profile throws(PixelError) in
                switch keyword.dropFirst(prefix.count).lowercased() {
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
                case "icc", "icm": return true
                default: return false
                }
                editor.patch.apply(to: &profile)
                return true
            }
        }
        return !XMPNames.isPlace(String(keyword.lowercased().split(separator: ":").last ?? ""))
            && !PlaceText.tellsPlace(Array(keyword.utf8)) && !PlaceText.tellsPlace(value)
    }
}

/// The text in a chunk of a PNG file.
private struct PNGText {
    let keyword: String
    /// The text, inflated.
    let value: [UInt8]
    /// What precedes the text.
    private let head: [UInt8]
    private let isCompressed: Bool

    /// Larger texts are not read.
    private static let maximumText = 64 << 20

    init?(_ name: String, _ content: [UInt8]) {
        guard let end = content.firstIndex(of: 0) else { return nil }
        keyword = String(decoding: content[..<end], as: UTF8.self)
        var start = end + 1
        switch name {
        case "zTXt":
            isCompressed = true
            start += 1
        case "iTXt":
            guard start + 2 <= content.count else { return nil }
            isCompressed = content[start] != 0
            start += 2
            // A language and a translated keyword.
            for _ in 0..<2 {
                guard let end = content[start...].firstIndex(of: 0) else { return nil }
                start = end + 1
            }
        default: isCompressed = false
        }
        guard start <= content.count else { return nil }
        head = Array(content[..<start])
        let stored = Array(content[start...])
        guard let value = isCompressed ? Self.inflated(stored) : stored else { return nil }
        self.value = value
    }

    /// The content of the chunk with another text; nil if it cannot be compressed.
    func written(_ value: [UInt8]) -> [UInt8]? {
        guard isCompressed else { return head + value }
        guard let compressor = libdeflate_alloc_compressor(12) else { return nil }
        defer { libdeflate_free_compressor(compressor) }
        var stored = [UInt8](
            repeating: 0, count: libdeflate_zlib_compress_bound(compressor, value.count))
        let count = libdeflate_zlib_compress(
            compressor, value, value.count, &stored, stored.count)
        return count > 0 ? head + stored.prefix(count) : nil
    }

    private static func inflated(_ bytes: [UInt8]) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        var size = max(bytes.count * 4, 4096)
        while size <= maximumText {
            var text = [UInt8](repeating: 0, count: size)
            var count = 0
            switch libdeflate_zlib_decompress(
                decompressor, bytes, bytes.count, &text, text.count, &count)
            {
            case LIBDEFLATE_SUCCESS: return Array(text.prefix(count))
            case LIBDEFLATE_INSUFFICIENT_SPACE: size *= 4
            default: return nil
            }
        }
        return nil
    }
}

/// Metadata of another format, as hexadecimal digits in a text: a name, a length, and the digits.
private enum RawProfile {
    /// Edits the metadata, and writes the digits in place.
    ///
    /// - Returns: Whether it stays; a profile that cannot be read does not.
    static func edit(
        _ text: inout [UInt8], _ edit: (inout [UInt8]) throws(PixelError) -> Bool
    ) throws(PixelError) -> Bool {
        // A line feed, the name, and the number of bytes.
        let lines = text.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: true)
        guard lines.count == 3 else { return false }
        let places = lines[2].indices.filter { digit(lines[2][$0]) != nil }
        guard places.count % 2 == 0 else { return false }
        var profile: [UInt8] = []
        for index in stride(from: 0, to: places.count, by: 2) {
            guard let high = digit(text[places[index]]), let low = digit(text[places[index + 1]])
            else { return false }
            profile.append(high << 4 | low)
        }
        let old = profile
        guard try edit(&profile), profile.count == old.count else { return false }
        let digits = Array("0123456789abcdef".utf8)
        for index in profile.indices where profile[index] != old[index] {
            text[places[2 * index]] = digits[Int(profile[index] >> 4)]
            text[places[2 * index + 1]] = digits[Int(profile[index] & 15)]
        }
        return true
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
