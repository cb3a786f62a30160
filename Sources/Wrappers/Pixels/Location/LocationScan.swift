// SPDX-License-Identifier: MIT

internal import CCodecs
internal import CDeflate
import Photos

/// A search for what tells a place, whatever the file is.
///
/// It judges the result of ``LocationEditor`` and therefore shares no code with it: it knows no
/// containers, only how positions look: names, directories, texts and streams. What is compressed or
/// written as characters is searched, too.
struct LocationScan {
    /// Reads a part of the file; fewer bytes at its end.
    typealias Reader = (_ offset: Int, _ count: Int) -> [UInt8]

    private static let window = 4 << 20
    /// The most that a pattern looks at around its start.
    private static let overlap = 256 << 10
    /// The most bytes of encoded files to read, and the most for each byte of a window.
    private static let maximumEncoded = 2 << 20
    private static let maximumRatio = 8

    /// Whether there is something in a file that tells where it was made.
    ///
    /// - Isolation: any thread; blocks until the file has been read.
    static func findsPlace(in read: Reader) -> Bool {
        var work = ScanWork()
        return findsPlace(in: read, &work)
    }

    private static func findsPlace(in read: Reader, _ work: inout ScanWork) -> Bool {
        let first = read(0, window)
        if startsWithPlace(first) || hidesPlace(first, read, &work) { return true }
        let searchesNumbers = !picturesNumbers(first)
        // Those of a PNG file have been read.
        let searchesChunks = !first.starts(with: pngSignature)
        var offset = 0
        while true {
            let bytes = offset == 0 ? first : read(offset, window)
            let isLast = bytes.count < window
            let limit = isLast ? bytes.count : bytes.count - overlap
            if findsPlace(
                in: bytes, upTo: limit, searchesNumbers: searchesNumbers,
                searchesChunks: searchesChunks, &work)
            {
                return true
            }
            if isLast { return false }
            offset += window - 2 * overlap
        }
    }

    /// Whether bytes tell a place.
    static func findsPlace(in bytes: [UInt8]) -> Bool {
        var work = ScanWork()
        return findsPlace(in: bytes, &work)
    }

    /// Whether the bytes of a file inside another one tell a place.
    static func findsPlace(in bytes: [UInt8], _ work: inout ScanWork) -> Bool {
        findsPlace(
            in: { offset, count in
                offset < bytes.count ? Array(bytes[offset..<min(bytes.count, offset + count)]) : []
            }, &work)
    }

    /// Whether the picture in a file may consist of numbers in digits: shapes, directions, samples.
    private static func picturesNumbers(_ start: [UInt8]) -> Bool {
        switch MediaType.sniffed(from: start) {
        case MediaType.svg?, MediaType.compressedSVG?, MediaType.photoshop?, MediaType.openEXR?,
            MediaType.netpbm?, MediaType.radiance?:
            true
        default: false
        }
    }

    static func findsPlace(
        in bytes: [UInt8], upTo limit: Int, searchesNumbers: Bool = false,
        searchesChunks: Bool = false, _ work: inout ScanWork
    ) -> Bool {
        let table = PlacePattern.pairs
        var position = 0
        var encoded = 0
        // Behind a packet of XMP, whose numbers have names.
        var packetEnd = 0
        return bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            while position < limit {
                position = pp_find_pair(base, buffer.count, position, table)
                guard position + 1 < buffer.count, position < limit else { return false }
                let pair = UInt16(buffer[position]) << 8 | UInt16(buffer[position + 1])
                for pattern in PlacePattern.byPair[pair] ?? []
                where !pattern.isNumber || searchesNumbers && position >= packetEnd {
                    if pattern.isChunk {
                        if searchesChunks, pattern.matches(buffer, at: position),
                            chunkHidesPlace(buffer, position, &work)
                        {
                            return true
                        }
                    } else if pattern.matches(buffer, at: position) {
                        guard pattern.isNumber,
                            let end = PlacePattern.packetEnd(around: position, in: buffer)
                        else { return true }
                        packetEnd = end
                    }
                    guard pattern.isEncoded else { continue }
                    // Nobody writes so many starts of pictures into one.
                    encoded += PlacePattern.encodedCount(buffer, position)
                    if encoded > maximumEncoded + maximumRatio * buffer.count { return true }
                }
                position += 1
            }
            return false
        }
    }

    // MARK: - Hidden text

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    /// The most bytes of a text, or of a file that is read at once.
    private static let maximumText = 64 << 20

    private static func hidesPlace(
        _ start: [UInt8], _ read: Reader, _ work: inout ScanWork
    ) -> Bool {
        if start.starts(with: [0x1F, 0x8B]) {
            let bytes = start.count < window ? start : read(0, maximumText)
            guard let text = inflated(bytes, isZip: true, &work) else { return true }
            return findsPlace(in: text, upTo: text.count, &work) || drawsPlace(text, &work)
        }
        if start.dropFirst(4).starts(with: "JXL ".utf8) { return restoresPlace(read, &work) }
        if MediaType.sniffed(from: start) == .svg {
            return drawsPlace(start.count < window ? start : read(0, maximumText), &work)
        }
        guard start.starts(with: pngSignature) else { return false }
        var offset = 8
        for _ in 0..<100_000 {
            let head = read(offset, 8)
            guard head.count == 8 else { return false }
            let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
            let name = head[4...]
            if name.elementsEqual("IEND".utf8) { return false }
            if ["tEXt", "zTXt", "iTXt"].contains(where: { name.elementsEqual($0.utf8) }),
                hidesPlace(text: read(offset + 8, min(size, maximumText)), &work)
            {
                return true
            }
            if name.elementsEqual("iCCP".utf8),
                hidesPlace(text: read(offset + 8, min(size, maximumText)), &work)
            {
                return true
            }
            offset += 12 + size
        }
        return true
    }

    /// Whether a text of a PNG file tells a place that is inside another file, as the frames of a
    /// video are.
    private static func chunkHidesPlace(
        _ bytes: PlacePattern.Bytes, _ position: Int, _ work: inout ScanWork
    ) -> Bool {
        guard let chunk = PlacePattern.textChunk(bytes, position) else { return false }
        // What ends elsewhere cannot be inflated here.
        return chunk.isCut && chunk.isCompressed
            || hidesPlace(text: Array(bytes[chunk.content]), &work)
    }

    /// Whether the JPEG that JPEG XL can restore tells a place, or cannot be searched here.
    private static func restoresPlace(_ read: Reader, _ work: inout ScanWork) -> Bool {
        let file = read(0, maximumText)
        guard RestoredJPEG.isPossible else {
            return ISOBox.boxes(in: Block(file[...])).contains { $0.name == "jbrd" }
        }
        return RestoredJPEG.bytes(of: file).map { findsPlace(in: $0, &work) } ?? false
    }

    /// Whether a text that may be compressed, and may consist of hexadecimal digits, tells a place.
    private static func hidesPlace(text: [UInt8], _ work: inout ScanWork) -> Bool {
        guard let end = text.firstIndex(of: 0) else { return false }
        var value = Array(text[(end + 1)...])
        // The first bytes of compressed data, with any of its levels.
        let levels: Set<UInt8> = [0x01, 0x5E, 0x9C, 0xDA]
        for start in value.indices.prefix(300)
        where value[start] == 0x78 && start + 1 < value.count && levels.contains(value[start + 1]) {
            if let inflated = inflated(Array(value[start...]), isZip: false, &work) {
                value = inflated
                break
            }
        }
        if work.isExhausted || findsPlace(in: value, upTo: value.count, &work) { return true }
        // Properties of XMP contain numbers of many kinds.
        let keyword = String(decoding: text[..<end], as: UTF8.self).lowercased()
        if !keyword.hasPrefix("xml:"), findsCoordinates(value) { return true }
        guard keyword.hasPrefix("raw profile type ") else { return false }
        var profile: [UInt8] = []
        var high: UInt8?
        for line in value.split(separator: 0x0A).dropFirst(2) {
            for byte in line {
                guard let digit = byte.hexadecimalValue else { continue }
                if let first = high { profile.append(first << 4 | digit) }
                high = high == nil ? digit : nil
            }
        }
        return findsPlace(in: profile, upTo: profile.count, &work)
    }

    private static func inflated(
        _ bytes: [UInt8], isZip: Bool, _ work: inout ScanWork
    ) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        for size in [64 << 10, 1 << 20, 16 << 20, maximumText] {
            guard work.mayInflate(size) else { return nil }
            var text = [UInt8](repeating: 0, count: size)
            var count = 0
            var used = 0
            let result =
                isZip
                ? libdeflate_gzip_decompress(
                    decompressor, bytes, bytes.count, &text, size, &count)
                : libdeflate_zlib_decompress_ex(
                    decompressor, bytes, bytes.count, &text, size, &used, &count)
            if result == LIBDEFLATE_SUCCESS { return Array(text.prefix(count)) }
            if result != LIBDEFLATE_INSUFFICIENT_SPACE { return nil }
        }
        return nil
    }
}

/// How much of what a file hides has been read: a small file can hide much.
struct ScanWork {
    /// The most bytes that texts may have: those of the frames of a video, each of which says which
    /// program made it, or of a few long profiles.
    private static let maximumBytes = 1 << 30
    /// Files in files in files are nonsense.
    private static let maximumDepth = 6

    private var bytes = 0
    private var depth = 0

    /// Whether more is hidden than can be read in time, which counts as a place.
    private(set) var isExhausted = false

    /// Takes note that a text may have some bytes.
    mutating func mayInflate(_ count: Int) -> Bool {
        bytes += count
        if bytes > Self.maximumBytes { isExhausted = true }
        return !isExhausted
    }

    /// Reads a file inside another one.
    ///
    /// - Returns: What the reading returns, or true if there are too many levels.
    mutating func descending(_ read: (inout ScanWork) -> Bool) -> Bool {
        guard depth < Self.maximumDepth, !isExhausted else { return true }
        depth += 1
        defer { depth -= 1 }
        return read(&self)
    }
}
