// SPDX-License-Identifier: MIT

import Photos

/// A chunk of a RIFF file.
struct RIFFPiece {
    let name: UInt32
    /// From the name to the end of the parent.
    let start: Block
    let content: Block

    var text: String {
        String(
            decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: name >> $0) }, as: UTF8.self)
    }
}

/// Reads an AVI file chunk by chunk, as players do that do not rely on sizes.
///
/// Recordings that were interrupted have sizes of zero in their `RIFF` and `movi`. The chunks in those
/// are therefore parts of their own. After damage, reading continues at the next known chunk.
///
/// - Source: Microsoft, AVI RIFF File Reference; OpenDML AVI File Format Extensions, 2 and 3.
struct AVIParts {
    enum Part {
        /// A chunk of samples, or an index of them.
        case media
        /// Any other chunk.
        case chunk(RIFFPiece, isInMovie: Bool)
        /// Bytes that do not form a chunk.
        case gap(Block, isInMovie: Bool)
        /// What follows the last file.
        case rest(Block)
    }

    /// More than the samples of ten hours.
    private static let maximumParts = 4_000_000

    private let file: Block
    private var offset = 0
    private var count = 0
    private var isInMovie = false
    /// Where the samples end, according to their size; nil if that is unknown.
    private var movieEnd: Int?

    init(_ file: Block) {
        self.file = file
    }

    /// The next part; nil at the end of the file.
    mutating func next() throws(PixelError) -> Part? {
        count += 1
        guard count < Self.maximumParts else { throw .locationStays }
        if let end = movieEnd, offset >= end {
            movieEnd = nil
            isInMovie = false
        }
        guard offset < file.count else { return nil }
        let rest = file.dropFirst(offset)
        guard let name = rest.uint32(at: 0, .bigEndian),
            let size = rest.uint32(at: 4, .littleEndian).map(Int.init)
        else { return gap() }
        let kind = rest.uint32(at: 8, .bigEndian) ?? 0
        if name == Self.riff || name == Self.list && (kind == Self.movi || kind == Self.rec) {
            if name == Self.riff || kind == Self.movi {
                isInMovie = kind == Self.movi
                let end = offset + 8 + size
                movieEnd = isInMovie && size > 4 && end < file.count ? end + size % 2 : nil
            }
            offset = min(offset + 12, file.count)
            return .media
        }
        if Self.isSample(name) {
            isInMovie = true
            let after = offset + 8 + size + size % 2
            if let end = movieEnd, after > end {
                // One of the sizes is wrong.
                movieEnd = nil
                if after > file.count, Self.isKnown(file, at: end) {
                    offset = end
                    return .media
                }
            }
            offset = min(after, file.count)
            return .media
        }
        guard !isInMovie && Self.isKnown(file, at: offset) || isSound(after: size) else {
            return gap()
        }
        let content = rest.dropFirst(8).prefix(size)
        offset = min(offset + 8 + size + size % 2, file.count)
        // Some programs do not write the byte that makes a size even.
        if size % 2 == 1, !Self.isKnown(file, at: offset), Self.isKnown(file, at: offset - 1) {
            offset -= 1
        }
        let isList = name == Self.list || name == Self.index
        if isList, movieEnd == nil { isInMovie = false }
        return .chunk(
            RIFFPiece(name: name, start: rest, content: content), isInMovie: isInMovie)
    }

    /// Whether a chunk precedes a known one or the end of the file.
    private func isSound(after size: Int) -> Bool {
        let end = offset + 8 + size
        return [end, end + size % 2].contains { $0 == file.count || Self.isKnown(file, at: $0) }
    }

    private mutating func gap() -> Part {
        let start = offset
        guard let next = Self.firstChunk(in: file, from: start + 1) else {
            offset = file.count
            let rest = file.dropFirst(start)
            return isInMovie ? .gap(rest, isInMovie: true) : .rest(rest)
        }
        offset = next
        movieEnd = nil
        return .gap(
            file.dropFirst(start).prefix(max(next - start, 0)), isInMovie: isInMovie)
    }

    // MARK: - Chunks

    private static let riff = ISOBox.type("RIFF")
    private static let list = ISOBox.type("LIST")
    private static let movi = ISOBox.type("movi")
    private static let rec = ISOBox.type("rec ")
    private static let index = ISOBox.type("idx1")
    private static let others: Set<UInt32> = [
        riff, list, index, ISOBox.type("JUNK"), ISOBox.type("avih"), ISOBox.type("strh"),
        ISOBox.type("strf"), ISOBox.type("strd"), ISOBox.type("strn"), ISOBox.type("vprp"),
        ISOBox.type("indx"), ISOBox.type("IDIT"), ISOBox.type("ISFT"), ISOBox.type("_PMX"),
    ]
    private static let forms: Set<UInt32> = [
        ISOBox.type("AVI "), ISOBox.type("AVIX"), movi, rec, ISOBox.type("hdrl"),
        ISOBox.type("strl"), ISOBox.type("odml"), ISOBox.type("INFO"), ISOBox.type("ncdt"),
        ISOBox.type("exif"),
    ]

    /// Whether a chunk contains samples, or where they are: two digits and two letters, or `ix00`.
    private static func isSample(_ name: UInt32) -> Bool {
        func isDigit(_ byte: UInt32) -> Bool {
            (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
                || (0x61...0x66).contains(byte)
        }
        let bytes = [24, 16, 8, 0].map { name >> $0 & 0xFF }
        let kinds: [UInt32] = [0x6463, 0x6462, 0x7762, 0x7478, 0x7063]
        if name >> 16 == 0x6978 { return isDigit(bytes[2]) && isDigit(bytes[3]) }
        return isDigit(bytes[0]) && isDigit(bytes[1]) && kinds.contains(name & 0xFFFF)
    }

    /// Whether a chunk with a known name starts at an offset.
    private static func isKnown(_ file: Block, at offset: Int) -> Bool {
        guard offset >= 0, let name = file.uint32(at: offset, .bigEndian),
            let size = file.uint32(at: offset + 4, .littleEndian)
        else { return false }
        let end = offset + 8 + Int(size)
        if name == riff || name == list {
            // Their sizes may be wrong.
            return file.uint32(at: offset + 8, .bigEndian).map(forms.contains) ?? false
        }
        return (others.contains(name) || isSample(name)) && end <= file.count
    }

    private static let window = 1 << 20

    private static func firstChunk(in file: Block, from start: Int) -> Int? {
        var offset = start
        while offset + 8 <= file.count {
            let bytes = file.bytes(at: offset, count: window)
            guard bytes.count >= 8 else { return nil }
            let found = bytes.withUnsafeBufferPointer { bytes in
                var name: UInt32 = 0
                for (index, byte) in bytes.enumerated() {
                    name = name << 8 | UInt32(byte)
                    // Digits and letters.
                    guard index >= 3, byte >= 0x20, byte < 0x80, name >> 24 >= 0x30 else {
                        continue
                    }
                    if others.contains(name) || isSample(name),
                        isKnown(file, at: offset + index - 3)
                    {
                        return offset + index - 3 as Int?
                    }
                }
                return nil
            }
            if let found { return found }
            offset += bytes.count - 3
        }
        return nil
    }

    /// Whether a chunk contains samples, because its size is wrong.
    static func containsMedia(_ content: Block) -> Bool {
        var offset = 0
        while let found = firstChunk(in: content, from: offset) {
            let name = content.uint32(at: found, .bigEndian) ?? 0
            let kind = content.uint32(at: found + 8, .bigEndian) ?? 0
            if name == riff || name == list && kind == movi { return true }
            offset = found + 1
        }
        return false
    }
}
