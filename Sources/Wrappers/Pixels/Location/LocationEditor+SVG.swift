// SPDX-License-Identifier: MIT

import Photos

/// SVG.
extension LocationEditor {
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
        editRemarks(in: file, bytes)
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

    /// Comments in style sheets and scripts, and the values of entities: what a drawing does not show by
    /// itself.
    private static let remarks = [("/*", "*/"), ("<!ENTITY", ">")].map {
        (Array($0.utf8), Array($1.utf8))
    }
    private static let maximumRemarks = 10_000

    /// Overwrites remarks that tell a position.
    private mutating func editRemarks(in file: Block, _ bytes: ArraySlice<UInt8>) {
        for (start, end) in Self.remarks {
            var position = bytes.startIndex
            for _ in 0..<Self.maximumRemarks {
                guard let found = bytes.firstIndex(of: start, from: position),
                    let last = bytes.firstIndex(of: end, from: found + start.count)
                else { break }
                let text = found + start.count..<last
                position = last + end.count
                guard isStrict || PlaceText.tellsPosition(bytes[text]) else { continue }
                // An entity keeps its name.
                let quote = bytes[text].firstIndex { $0 == 0x22 || $0 == 0x27 }
                let value = quote.map { $0 + 1..<(bytes[text].lastIndex(of: bytes[$0]) ?? last) }
                let isEntity = start.count > 2
                guard let range = isEntity ? value : text, !range.isEmpty,
                    let block = file.part(
                        at: range.lowerBound - bytes.startIndex, count: range.count)
                else { continue }
                patch.fill(block, with: UInt8(ascii: " "))
            }
        }
    }
}
