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

    /// Where remarks may be, and how they begin and end: comments in style sheets and scripts, and the
    /// values of entities, which a drawing does not show by itself.
    private static let remarks = [
        ("<style", "</style", "/*", "*/"), ("<script", "</script", "/*", "*/"),
        ("<!DOCTYPE", "]>", "<!ENTITY", ">"),
    ].map { (Array($0.utf8), Array($1.utf8), Array($2.utf8), Array($3.utf8)) }
    private static let maximumRemarks = 10_000

    /// Overwrites remarks that tell a position.
    private mutating func editRemarks(in file: Block, _ bytes: ArraySlice<UInt8>) {
        for (start, end, first, last) in Self.remarks {
            for place in Self.ranges(from: start, to: end, in: bytes) {
                for text in Self.ranges(from: first, to: last, in: bytes[place]) {
                    guard isStrict || PlaceText.tellsPosition(bytes[text]) else { continue }
                    editRemark(text, isEntity: first.count > 2, in: file, bytes)
                }
            }
        }
    }

    /// What is between two marks, wherever they occur.
    private static func ranges(
        from start: [UInt8], to end: [UInt8], in bytes: ArraySlice<UInt8>
    ) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var position = bytes.startIndex
        while ranges.count < maximumRemarks,
            let found = bytes.firstIndex(of: start, from: position),
            let last = bytes.firstIndex(of: end, from: found + start.count)
        {
            ranges.append(found + start.count..<last)
            position = last + end.count
        }
        return ranges
    }

    private mutating func editRemark(
        _ text: Range<Int>, isEntity: Bool, in file: Block, _ bytes: ArraySlice<UInt8>
    ) {
        // An entity keeps its name.
        let quote = bytes[text].firstIndex { $0 == 0x22 || $0 == 0x27 }
        let value = quote.map {
            $0 + 1..<max($0 + 1, bytes[text].lastIndex(of: bytes[$0]) ?? text.upperBound)
        }
        guard let range = isEntity ? value : text, !range.isEmpty,
            let block = file.part(at: range.lowerBound - bytes.startIndex, count: range.count)
        else { return }
        patch.fill(block, with: UInt8(ascii: " "))
    }
}
