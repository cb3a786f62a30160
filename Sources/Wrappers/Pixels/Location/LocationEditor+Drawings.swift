// SPDX-License-Identifier: MIT

import Photos

/// GIF and SVG.
extension LocationEditor {
    /// More blocks than the frames of a long animation.
    private static let maximumBlocks = 1_000_000

    // MARK: - GIF

    /// - Source: GIF89a, 17 to 26; XMP Specification Part 3, 1.1.2.
    mutating func editGIF(_ file: Block) {
        let bytes = file.bytes(count: Self.maximumMetadata * 4)
        func byte(_ offset: Int) -> UInt8? {
            let index = bytes.startIndex + offset
            return bytes.indices.contains(index) ? bytes[index] : nil
        }
        func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        /// The contents of sub-blocks, and the offset behind them.
        func subBlocks(_ start: Int) -> (contents: [Block], end: Int) {
            var contents: [Block] = []
            var offset = start
            while let size = byte(offset).map(Int.init), size > 0, contents.count < 1_000_000 {
                contents.append(file.dropFirst(offset + 1).prefix(size))
                offset += 1 + size
            }
            return (contents, offset + 1)
        }
        guard let flags = byte(10) else { return }
        var offset = 13 + table(flags)
        for _ in 0..<Self.maximumBlocks {
            switch byte(offset) {
            case 0x21:
                let label = byte(offset + 1)
                let (contents, end) = subBlocks(offset + 2)
                if label == 0xFF, let name = contents.first {
                    if name.starts(with: "XMP DataXMP".utf8) {
                        offset = editXMP(inGIF: file, bytes, offset + 14)
                        continue
                    }
                    editExtension(name, contents.dropFirst())
                } else if label == 0xFE || label == 0x01 {
                    // A comment, or a text to show, which no program shows.
                    let text = contents.flatMap { Array($0.bytes(count: $0.count)) }
                    if isStrict || PlaceText.describesPlace(text) { contents.forEach { blank($0) } }
                }
                offset = end
            case 0x2C:
                guard let flags = byte(offset + 9) else { return }
                offset = subBlocks(offset + 11 + table(flags)).end
            case 0x3B: return blank(file.dropFirst(offset + 1))
            default: return blank(file.dropFirst(offset))
            }
        }
    }

    private mutating func editExtension(_ name: Block, _ contents: ArraySlice<Block>) {
        let known = ["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012", "ImageMagick", "MGK8BIM0000"]
        guard let kind = known.first(where: { name.starts(with: $0.utf8) }),
            kind != "MGK8BIM0000"
        else { return contents.forEach { blank($0) } }
    }

    /// Edits XMP, which is not divided into blocks.
    ///
    /// - Returns: The offset behind it.
    private mutating func editXMP(
        inGIF file: Block, _ bytes: ArraySlice<UInt8>, _ start: Int
    ) -> Int {
        // A trailer leads every reader that takes characters for sizes to its end.
        let trailer: [UInt8] = [0x01, 0xFF, 0xFE, 0xFD, 0xFC]
        guard let end = bytes.firstIndex(of: trailer, from: bytes.startIndex + start) else {
            blank(file.dropFirst(start))
            return file.count
        }
        let packet = file.dropFirst(start).prefix(end - bytes.startIndex - start)
        // A packet in a GIF is small enough to be read.
        try? editXMP(packet)
        return end - bytes.startIndex + 258
    }

    // MARK: - SVG

    /// Edits metadata, and pictures that are part of the text.
    mutating func editDrawing(_ file: Block, _ depth: Int) throws(PixelError) {
        let bytes = file.bytes(count: Self.maximumMetadata)
        guard let places = XMPLocation.places(in: bytes, .drawing, isStrict: isStrict) else {
            // Nobody knows what it shows either; the text is searched.
            return
        }
        for place in places {
            if let block = file.part(at: place.lowerBound - bytes.startIndex, count: place.count) {
                patch.fill(block, with: UInt8(ascii: " "))
            }
        }
        var position = bytes.startIndex
        while let mark = bytes.firstIndex(of: Array(";base64,".utf8), from: position) {
            let start = mark + 8
            let end =
                bytes[start...].firstIndex { [0x22, 0x27, 0x29, 0x3C].contains($0) }
                ?? bytes.endIndex
            position = end
            guard start < end, let old = Base64.decode(bytes[start..<end]) else { continue }
            var editor = LocationEditor(isStrict: isStrict)
            try editor.edit(Block(old.content[...]), depth: depth + 1)
            guard !editor.patch.isEmpty else { continue }
            var content = old.content
            editor.patch.apply(to: &content)
            let new = Base64.encode(content, like: bytes[start..<end])
            if let block = file.part(at: start - bytes.startIndex, count: end - start) {
                patch.write(new, over: block)
            }
        }
    }
}

/// Bytes as characters.
///
/// - Source: RFC 4648, 4.
private enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values = Dictionary(
        uniqueKeysWithValues: alphabet.enumerated().map { ($1, UInt32($0)) })

    static func decode(_ text: ArraySlice<UInt8>) -> (content: [UInt8], count: Int)? {
        var content: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for (_, value) in digits(in: text) {
            bits = bits << 6 | value
            count += 1
            if count % 4 == 0 {
                content += [16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }
            }
        }
        if count % 4 == 2 { content.append(UInt8(truncatingIfNeeded: bits >> 4)) }
        if count % 4 == 3 {
            content += [
                UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2),
            ]
        }
        return content.isEmpty ? nil : (content, count)
    }

    /// The digits of a text, and where they are; programs write line feeds as references, `&#10;`.
    private static func digits(in text: ArraySlice<UInt8>) -> [(index: Int, value: UInt32)] {
        var found: [(index: Int, value: UInt32)] = []
        found.reserveCapacity(text.count)
        var isReference = false
        for (index, byte) in zip(text.indices, text) {
            if isReference {
                isReference = byte != UInt8(ascii: ";")
            } else if byte == UInt8(ascii: "&") {
                isReference = true
            } else if let value = values[byte] {
                found.append((index, value))
            }
        }
        return found
    }

    /// Writes bytes in place of others; blanks, references and padding stay where they are.
    static func encode(_ content: [UInt8], like text: ArraySlice<UInt8>) -> [UInt8] {
        func digit(_ index: Int) -> UInt8 {
            let start = index * 6
            let high = start / 8 < content.count ? Int(content[start / 8]) : 0
            let low = start / 8 + 1 < content.count ? Int(content[start / 8 + 1]) : 0
            return alphabet[(high << 8 | low) >> (10 - start % 8) & 63]
        }
        var result = Array(text)
        for (number, place) in digits(in: text).enumerated() {
            result[place.index - text.startIndex] = digit(number)
        }
        return result
    }
}
