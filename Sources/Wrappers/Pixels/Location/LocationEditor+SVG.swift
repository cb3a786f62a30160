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

    /// Where comments may be: in style sheets and scripts.
    private static let commented = [("<style", "</style"), ("<script", "</script")].map {
        (Array($0.utf8), Array($1.utf8))
    }
    private static let maximumRemarks = 10_000

    /// Overwrites what a drawing does not show by itself, and what tells a position: comments in style
    /// sheets and scripts, and the texts in its declarations.
    private mutating func editRemarks(in file: Block, _ bytes: ArraySlice<UInt8>) {
        let comments = Self.commented.flatMap { start, end in
            Self.ranges(from: start, to: end, in: bytes).flatMap { place in
                Self.ranges(from: Array("/*".utf8), to: Array("*/".utf8), in: bytes[place])
            }
        }
        for text in comments + Self.declaredTexts(in: bytes)
        where !text.isEmpty && (isStrict || PlaceText.tellsPosition(bytes[text])) {
            if let block = file.part(at: text.lowerBound - bytes.startIndex, count: text.count) {
                patch.fill(block, with: UInt8(ascii: " "))
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

    /// The texts in quotation marks in declarations, such as the values of entities.
    private static func declaredTexts(in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
        // They are in the declaration of a document type, before the drawing.
        guard let start = bytes.firstIndex(of: Array("<!DOCTYPE".utf8), from: bytes.startIndex),
            let end = bytes.firstIndex(of: Array("<svg".utf8), from: start)
        else { return [] }
        let bytes = bytes[..<end]
        var texts: [Range<Int>] = []
        var position = start
        for _ in 0..<maximumRemarks {
            guard let start = bytes.firstIndex(of: Array("<!".utf8), from: position) else { break }
            position = start + 2
            // Not a comment, nor a marked section.
            guard bytes[position...].first.map({ (0x41...0x5A).contains($0) }) == true else {
                continue
            }
            while let mark = bytes[position...].first, mark != UInt8(ascii: ">"),
                mark != UInt8(ascii: "[")
            {
                position += 1
                guard mark == 0x22 || mark == 0x27,
                    let end = bytes.firstIndex(of: [mark], from: position)
                else { continue }
                texts.append(position..<end)
                position = end + 1
            }
        }
        return texts
    }
}
