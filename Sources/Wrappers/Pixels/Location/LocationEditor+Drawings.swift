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
        while let uri = DataURI(in: bytes, from: position) {
            position = uri.range.upperBound
            var editor = LocationEditor(isStrict: isStrict)
            try editor.edit(Block(uri.content[...]), depth: depth + 1)
            guard !editor.patch.isEmpty else { continue }
            var content = uri.content
            editor.patch.apply(to: &content)
            guard let new = uri.written(content),
                let block = file.part(
                    at: uri.range.lowerBound - bytes.startIndex, count: uri.range.count)
            else { throw .locationStays }
            patch.write(new, over: block)
        }
    }
}
