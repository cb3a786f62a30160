// SPDX-License-Identifier: MIT

import Glibc
import Photos

/// Checks that a change of metadata left the picture alone.
enum UnchangedPicture {
    /// Compares a file with the one that was made of it.
    ///
    /// - Throws: ``PixelError/miswritten`` if the picture is another one, or is shown otherwise.
    static func check(
        _ new: [UInt8], madeFrom old: Block, _ facts: ImageFacts
    ) throws(PixelError) {
        try check(new, madeFrom: old, facts.mediaType, facts.size, facts.orientation)
    }

    /// Compares a file with the one that was made of it, and that is shown in this size and orientation.
    static func check(
        _ new: [UInt8], madeFrom old: Block, _ type: MediaType, _ size: PixelSize?,
        _ orientation: Orientation
    ) throws(PixelError) {
        _ = try OutputCheck(new, is: type, size, orientation)
        let isSame =
            switch type {
            case .jpeg: sameJPEG(old, Block(new[...]))
            case .png:
                same(
                    PNGChunk.chunks(of: old), PNGChunk.chunks(of: Block(new[...])),
                    \.name, \.content,
                    among: [
                        "IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP",
                        "mDCV", "cLLI", "sBIT", "acTL", "fcTL", "fdAT", "IEND",
                    ])
            case .webp:
                same(
                    RIFFChunk.chunks(of: old), RIFFChunk.chunks(of: Block(new[...])),
                    \.name, \.content, among: ["VP8 ", "VP8L", "ALPH", "ICCP", "ANIM", "ANMF"])
            // Their metadata is overwritten in place.
            default: new.count == old.count
            }
        guard isSame else { throw .miswritten }
    }

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
    /// colours.
    private static func isMetadata(_ marker: UInt8) -> Bool {
        (0xE0...0xEF).contains(marker) && marker != 0xEE || marker == 0xFE
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
            tables.append(segment.whole.bytes(count: segment.whole.count))
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

    /// Whether two files have the same chunks of some names in the same order.
    private static func same<Chunk>(
        _ old: some Sequence<Chunk>, _ new: some Sequence<Chunk>, _ name: KeyPath<Chunk, String>,
        _ content: KeyPath<Chunk, Block>, among names: Set<String>
    ) -> Bool {
        let before = old.filter { names.contains($0[keyPath: name]) }
        let after = new.filter { names.contains($0[keyPath: name]) }
        return before.elementsEqual(after) { first, second in
            let (old, new) = (first[keyPath: content], second[keyPath: content])
            return first[keyPath: name] == second[keyPath: name] && old.count == new.count
                && old.bytes(count: old.count) == new.bytes(count: new.count)
        }
    }
}
