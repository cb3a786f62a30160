// SPDX-License-Identifier: MIT

import Photos

/// GIF: its extensions, and what follows the picture.
///
/// - Source: GIF89a, 17 to 26; XMP Specification Part 3, 1.1.2.
extension LocationEditor {
    /// More blocks than the frames of a long animation.
    private static let maximumBlocks = 1_000_000

    /// - Throws: ``PixelError/locationStays`` for a file that is too large to be edited.
    mutating func editGIF(_ file: Block) throws(PixelError) {
        guard file.count <= Self.maximumMetadata * 4 else { throw .locationStays }
        let bytes = file.bytes(count: file.count)
        func byte(_ offset: Int) -> UInt8? {
            let index = bytes.startIndex + offset
            return bytes.indices.contains(index) ? bytes[index] : nil
        }
        func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        /// The offset behind sub-blocks.
        func end(ofBlocksAt start: Int) -> Int {
            var offset = start
            while let size = byte(offset).map(Int.init), size > 0 { offset += 1 + size }
            return offset + 1
        }
        /// The contents of the sub-blocks of an extension.
        func subBlocks(_ start: Int) throws(PixelError) -> [Block] {
            var contents: [Block] = []
            var offset = start
            while let size = byte(offset).map(Int.init), size > 0 {
                guard contents.count < Self.maximumBlocks else { throw .locationStays }
                contents.append(file.dropFirst(offset + 1).prefix(size))
                offset += 1 + size
            }
            return contents
        }
        guard let flags = byte(10) else { return }
        var offset = 13 + table(flags)
        for _ in 0..<Self.maximumBlocks {
            switch byte(offset) {
            case 0x21:
                let label = byte(offset + 1)
                let end = end(ofBlocksAt: offset + 2)
                // How long a frame is shown.
                let contents = label == 0xF9 ? [] : try subBlocks(offset + 2)
                if label == 0xFF, let name = contents.first {
                    if name.starts(with: "XMP DataXMP".utf8) {
                        let packet = file.dropFirst(offset + 14).prefix(end - offset - 14)
                        try editXMP(packet, inBlocks: Array(contents.dropFirst()))
                    } else {
                        try editExtension(name, Array(contents.dropFirst()))
                    }
                } else {
                    // A comment, a text to show, which no program shows, or something unknown.
                    let text = contents.flatMap { Array($0.bytes(count: $0.count)) }
                    if isStrict || PlaceText.describesPlace(text) {
                        contents.forEach { blank($0) }
                    }
                }
                offset = end
            case 0x2C:
                guard let flags = byte(offset + 9) else { return }
                offset = end(ofBlocksAt: offset + 11 + table(flags))
            case 0x3B: return blank(file.dropFirst(offset + 1))
            // Decoders skip it.
            case 0x00: offset += 1
            default:
                // Some decoders go on with the next frame.
                let next = GIFFrame.next(in: bytes, from: offset) ?? file.count
                let gap = file.dropFirst(offset).prefix(next - offset)
                if isStrict || PlaceText.tellsPosition(inData: self.bytes(gap)) { blank(gap) }
                guard next < file.count else { return }
                offset = next
            }
        }
    }

    private mutating func editExtension(
        _ name: Block, _ contents: [Block]
    ) throws(PixelError) {
        if name.starts(with: "ICCRGBG1012".utf8) {
            return try editPieces(contents) { editor, block throws(PixelError) in
                editor.editProfile(block)
            }
        }
        let known = ["NETSCAPE2.0", "ANIMEXTS1.0", "ImageMagick"]
        let isKnown = known.contains { name.starts(with: $0.utf8) }
        let text = contents.flatMap { bytes($0) }
        if !isKnown || PlaceText.describesPlace(text) { contents.forEach { blank($0) } }
    }

    /// Edits XMP.
    ///
    /// - Parameters:
    ///   - packet: The whole, up to the next block.
    ///   - contents: What it is for readers that know blocks alone.
    private mutating func editXMP(
        _ packet: Block, inBlocks contents: [Block]
    ) throws(PixelError) {
        let count = packet.count - GIFBlocks.xmpTrailerSize
        if count >= 0, packet.starts(with: GIFBlocks.xmpTrailer, at: count) {
            return try editXMP(packet.prefix(count))
        }
        guard !contents.isEmpty else { return }
        try editPieces(contents) { editor, whole throws(PixelError) in try editor.editXMP(whole) }
    }
}
