// SPDX-License-Identifier: MIT

import Glibc
import Photos

/// Checks that a change of metadata left the picture alone.
enum UnchangedPicture {
    /// Compares a file with the one that was made of it.
    ///
    /// - Throws: ``PixelError/miswritten`` if the picture is another one, or is shown otherwise.
    @discardableResult
    static func check(
        _ new: [UInt8], madeFrom old: Block, _ facts: ImageFacts
    ) throws(PixelError) -> OutputCheck {
        try check(new, madeFrom: old, facts.mediaType, facts.size, facts.orientation)
    }

    /// Compares a file with the one that was made of it, and that is shown in this size and orientation.
    @discardableResult
    static func check(
        _ new: [UInt8], madeFrom old: Block, _ type: MediaType, _ size: PixelSize?,
        _ orientation: Orientation
    ) throws(PixelError) -> OutputCheck {
        let check = try OutputCheck(new, is: type, size, orientation)
        let isSame =
            switch type {
            case .jpeg: sameJPEG(old, Block(new[...]))
            case .png: samePNG(old, Block(new[...]))
            case .webp: webPParts(of: old) == webPParts(of: Block(new[...]))
            case .gif: gifParts(of: old) == gifParts(of: Block(new[...]))
            case .svg:
                new.count == old.count && (!isDrawing(old) || isDrawing(Block(new[...])))
            case .jpegXL, .heic, .heif, .avif:
                new.count == old.count && isoParts(of: old) == isoParts(of: Block(new[...]))
            // Their metadata is overwritten in place.
            default: new.count == old.count && samePictureData(old, Block(new[...]), type)
            }
        guard isSame else { throw .miswritten }
        return check
    }

    /// Formats without a structure that could be compared, which are decoded quickly.
    static let decoded: Set<MediaType> = [
        .bmp, .tiff, .photoshop, .icon, .pcx, .targa, .netpbm,
    ]

    /// Whether everything but metadata is the same up to the end of the picture.
    private static func sameJPEG(_ old: Block, _ new: Block) -> Bool {
        let (before, after) = (tables(of: old), tables(of: new))
        guard before.tables == after.tables else { return false }
        let first = old.dropFirst(before.end)
        let second = new.dropFirst(after.end)
        let count = min(first.count, second.count)
        if areEqual(first, second, count: count) { return true }
        // Other pictures may follow. No byte in the data of a picture looks like the end marker.
        if let end = scanEnd(of: first), second.count >= end,
            areEqual(first, second, count: end)
        {
            return true
        }
        return withoutMetadata(first) == withoutMetadata(second)
    }

    /// The bytes of a picture from its frame to its end, without the metadata that some cameras store
    /// between the frame and a scan, and without the bytes that fill the space before a marker.
    private static func withoutMetadata(_ rest: Block) -> [UInt8] {
        let bytes = rest.bytes(count: rest.count)
        var kept: [UInt8] = []
        var (start, offset) = (0, 0)
        while let marker = LocationEditor.marker(in: bytes, from: offset) {
            let code = bytes[bytes.startIndex + marker + 1]
            kept += bytes.dropFirst(start).prefix(marker - start)
            while kept.last == 0xFF { kept.removeLast() }
            start = marker
            offset = marker + 2
            if code == 0xD9 { return kept + [0xFF, code] }
            guard code != 0x01, code != 0xD8,
                let length = rest.uint16(at: offset, .bigEndian).map(Int.init), length >= 2
            else { continue }
            offset = min(offset + length, bytes.count)
            if isMetadata(code) { start = offset }
        }
        return kept + bytes.dropFirst(start)
    }

    /// Whether decoding does without a segment: of applications' segments, only Adobe's decides about the
    /// colours, and nobody uses extensions and reserved markers.
    private static func isMetadata(_ marker: UInt8) -> Bool {
        switch marker {
        case 0xEE: false
        case 0x02...0xBF, 0xE0...0xFE: true
        default: false
        }
    }

    /// Whether two blocks begin with the same bytes, of which both have enough.
    private static func areEqual(_ first: Block, _ second: Block, count: Int) -> Bool {
        let (old, new) = (first.bytes(count: count), second.bytes(count: count))
        guard old.count == new.count else { return false }
        return old.withUnsafeBytes { old in
            new.withUnsafeBytes { new in
                guard let old = old.baseAddress, let new = new.baseAddress else { return true }
                return memcmp(old, new, count) == 0
            }
        }
    }

    /// The segments before the frame that decoding needs, and the offset of the frame.
    private static func tables(of file: Block) -> (tables: [ArraySlice<UInt8>], end: Int) {
        var tables: [ArraySlice<UInt8>] = []
        var end = 0
        for segment in JPEGSegments(file, skipsStrayBytes: true) {
            end = segment.whole.range.lowerBound - file.range.lowerBound
            if segment.isFrame { break }
            guard !isMetadata(segment.marker) else { continue }
            // Behind Adobe's fields there may be anything.
            let count = segment.marker == 0xEE ? min(16, segment.whole.count) : segment.whole.count
            tables.append(segment.whole.bytes(count: count))
        }
        return (tables, end)
    }

    /// The end of the picture whose frame starts here, after its last scan.
    private static func scanEnd(of rest: Block) -> Int? {
        let bytes = rest.bytes(count: rest.count)
        guard let start = bytes.firstIndex(of: [0xFF, 0xDA], from: bytes.startIndex),
            let end = bytes.firstIndex(of: [0xFF, 0xD9], from: start)
        else { return nil }
        return end + 2 - bytes.startIndex
    }

    // MARK: - Other formats

    /// Whether the data of the picture is the same, but for metadata of the JPEGs that it may consist of.
    private static func samePictureData(_ old: Block, _ new: Block, _ type: MediaType) -> Bool {
        let before = PictureData.parts(of: old, type)
        let after = PictureData.parts(of: new, type)
        return before.elementsEqual(after) { first, second in
            first.count == second.count
                && (areEqual(first, second, count: first.count)
                    || first.starts(with: [0xFF, 0xD8]) && sameJPEG(first, second))
        }
    }

    /// Whether a text is well-formed, as far as it is read.
    private static func isDrawing(_ file: Block) -> Bool {
        XMPLocation.places(in: file.bytes(count: file.count), .drawing) != nil
    }

    private static let chunksOfPNG: Set<String> = [
        "IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "cICP", "mDCV", "cLLI", "sBIT",
        "acTL", "fcTL", "fdAT", "IEND",
    ]

    private static func samePNG(_ old: Block, _ new: Block) -> Bool {
        let before = PNGChunk.chunks(of: old).filter { chunksOfPNG.contains($0.name) }
        let after = PNGChunk.chunks(of: new).filter { chunksOfPNG.contains($0.name) }
        return profile(of: old) == profile(of: new)
            && before.elementsEqual(after) { first, second in
                let count = first.content.count
                return first.name == second.name && count == second.content.count
                    && areEqual(first.content, second.content, count: count)
            }
    }

    /// What the profile of a PNG file says about colours.
    private static func profile(of file: Block) -> [[UInt8]]? {
        let chunk = PNGChunk.chunks(of: file).first { $0.name == "iCCP" }
        return chunk.map { chunk in
            let content = Array(chunk.content.bytes(count: chunk.content.count))
            return PNGText("zTXt", content).map {
                ICCProfile.colours(in: Block($0.value[...]))
            } ?? [content]
        }
    }

    /// What a WebP file shows: the names and contents of its chunks.
    private static func webPParts(of file: Block) -> [[UInt8]] {
        RIFFChunk.chunks(of: file).flatMap { chunk in
            switch chunk.name {
            case "ICCP": ICCProfile.colours(in: chunk.content)
            case "ANMF":
                [Array(chunk.content.bytes(count: RIFFChunk.frameHeaderSize))]
                    + chunk.ofFrame.compactMap(picture)
            default: picture(chunk).map { [$0] } ?? []
            }
        }
    }

    private static func picture(_ chunk: RIFFChunk) -> [UInt8]? {
        guard ["VP8 ", "VP8L", "ALPH", "ANIM"].contains(chunk.name) else { return nil }
        return Array(chunk.name.utf8) + chunk.content.bytes(count: chunk.content.count)
    }

    /// What a GIF file shows: its screen, its frames, and how long they are shown.
    ///
    /// - Source: GIF89a, 17 to 26.
    private static func gifParts(of file: Block) -> [ArraySlice<UInt8>] {
        let bytes = file.bytes(count: file.count)
        func byte(_ offset: Int) -> Int? {
            let index = bytes.startIndex + offset
            return bytes.indices.contains(index) ? Int(bytes[index]) : nil
        }
        func table(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1) }
        guard let flags = byte(10) else { return [bytes] }
        var offset = 13 + table(flags)
        var parts = [bytes.prefix(offset)]
        while let kind = byte(offset), kind != 0x3B {
            guard kind != 0 else {
                offset += 1
                continue
            }
            guard kind == 0x21 || kind == 0x2C else {
                guard let next = GIFFrame.next(in: bytes, from: offset) else { break }
                offset = next
                continue
            }
            let start = offset
            let isFrame = kind == 0x2C
            // A frame has a place, a size, flags, a table, and the size of a code.
            offset += isFrame ? 11 + (byte(offset + 9).map(table) ?? 0) : 2
            while let size = byte(offset), size > 0 { offset += 1 + size }
            offset += 1
            if isFrame || byte(start + 1) == 0xF9 {
                parts.append(bytes.dropFirst(start).prefix(offset - start))
            }
        }
        // Some decoders may find more frames behind what is no block.
        if let kind = byte(offset), kind != 0x3B { parts.append(bytes.dropFirst(offset)) }
        return parts
    }

    /// What a HEIF, JPEG XL or JPEG 2000 file shows: its codestream, or its items, their properties and
    /// what they refer to.
    ///
    /// - Source: ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 9.3.
    private static func isoParts(of file: Block) -> [[UInt8]] {
        ISOBox.boxes(in: file, atMost: maximumBoxes).flatMap { box -> [[UInt8]] in
            switch box.name {
            case "jxlc", "jxlp": [all(box.content)]
            case "meta":
                itemParts(
                    in: ISOBox.boxes(in: box.content.dropFirst(4), atMost: maximumBoxes), of: file)
            default: []
            }
        }
    }

    private static let maximumBoxes = 1000
    /// Items that are pictures of their own, coded so that they contain no metadata.
    private static let codedItems: Set<String> = [
        "hvc1", "av01", "avc1", "vvc1", "unci", "grid", "iovl", "tmap", "mski",
    ]

    private static func itemParts(in boxes: [ISOBox], of file: Block) -> [[UInt8]] {
        func content(_ name: String) -> Block? { boxes.first { $0.name == name }?.content }
        guard let list = content("iinf"), let table = content("iloc") else { return [] }
        let data = content("idat")
        let extents = ItemPlaces(table)?.extents ?? [:]
        let items = ItemEntry.all(in: list).filter { codedItems.contains($0.type) }
            .flatMap { item in
                (extents[item.number] ?? []).compactMap { extent in
                    (extent.isInside ? data.flatMap(extent.part) : extent.part(of: file)).map(all)
                }
            }
        // Descriptions are properties, too.
        let properties = content("iprp").map(shownProperties) ?? []
        return ["iloc", "iref", "pitm"].compactMap { content($0).map(all) } + properties + items
    }

    /// The properties that decide about the picture, and to which items they belong.
    private static func shownProperties(in content: Block) -> [[UInt8]] {
        let shown: Set<String> = [
            "hvcC", "av1C", "avcC", "vvcC", "uncC", "cmpd", "ispe", "pixi", "pasp", "irot", "imir",
            "clap", "ipma",
        ]
        return ISOBox.boxes(in: content, atMost: maximumBoxes).flatMap { box -> [[UInt8]] in
            if box.name == "ipma" { return [all(box.content)] }
            return ISOBox.boxes(in: box.content, atMost: 10 * maximumBoxes)
                .filter { shown.contains($0.name) }
                .map { Array($0.name.utf8) + all($0.content) }
        }
    }

    private static func all(_ block: Block) -> [UInt8] { Array(block.bytes(count: block.count)) }
}
