// SPDX-License-Identifier: MIT

import Photos

/// What follows the end of a JPEG: other pictures, videos of motion photos, and makers' data.
extension LocationEditor {
    /// Shorter pieces cannot hold a place.
    static let shortest = 8

    /// Edits the files in a trailer; what is not a file that can be edited is overwritten.
    ///
    /// - Parameter bytes: The bytes of the trailer.
    mutating func editTrailer(
        _ trailer: Block, _ bytes: ArraySlice<UInt8>, _ depth: Int
    ) throws(PixelError) {
        guard bytes.contains(where: { $0 != 0 }) else { return }
        let samsung = samsungPieces(trailer)
        for piece in samsung.harmful { blank(piece) }
        let starts = Self.files(in: bytes)
        var position = 0
        for (index, start) in starts.enumerated() {
            editRest(trailer.dropFirst(position).prefix(start - position), samsung.known)
            let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
            let file = trailer.dropFirst(start).prefix(end - start)
            // The end of a video is where its boxes end; a JPEG has a trailer of its own.
            let isVideo = file.starts(with: "ftyp".utf8, at: 4)
            let size = isVideo ? ISOBox.end(of: file) : file.count
            if isVideo || file.starts(with: [0xFF, 0xD8]) {
                try edit(
                    file.prefix(isVideo ? size : Self.jpegEnd(bytes, start, end) - start),
                    depth: depth + 1)
            }
            position = isVideo ? start + size : Self.jpegEnd(bytes, start, end)
        }
        editRest(trailer.dropFirst(position), samsung.known)
    }

    /// Overwrites bytes that are not known.
    private mutating func editRest(_ rest: Block, _ known: [Range<Int>]) {
        guard rest.count >= Self.shortest else { return }
        var start = rest.range.lowerBound
        for range in known.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let range = range.clamped(to: rest.range)
            guard !range.isEmpty else { continue }
            if range.lowerBound > start {
                blank(
                    rest.dropFirst(start - rest.range.lowerBound).prefix(range.lowerBound - start))
            }
            start = max(start, range.upperBound)
        }
        blank(rest.dropFirst(start - rest.range.lowerBound))
    }

    /// Where JPEGs and videos begin; those inside a JPEG or video do not count.
    private static func files(in bytes: ArraySlice<UInt8>) -> [Int] {
        var starts: [Int] = []
        var position = bytes.startIndex
        while position < bytes.endIndex, starts.count < 64 {
            let picture = bytes.firstIndex(of: [0xFF, 0xD8, 0xFF], from: position)
            let video = bytes.firstIndex(of: Array("ftyp".utf8), from: position).flatMap {
                $0 - 4 >= position && bytes[$0 - 4] == 0 ? $0 - 4 : nil
            }
            guard let start = [picture, video].compactMap(\.self).min() else { break }
            starts.append(start - bytes.startIndex)
            if start == picture {
                position =
                    bytes.startIndex
                    + jpegEnd(bytes, start - bytes.startIndex, bytes.count)
            } else {
                position = start + ISOBox.end(of: Block(bytes[start...]))
            }
            position = max(position, start + 4)
        }
        return starts
    }

    /// The offset behind a JPEG's last marker.
    private static func jpegEnd(_ bytes: ArraySlice<UInt8>, _ start: Int, _ limit: Int) -> Int {
        var offset = start + 2
        let stream = Block(bytes[..<(bytes.startIndex + limit)])
        while let marker = marker(in: bytes, from: offset), marker < limit {
            offset = marker + 2
            switch bytes[bytes.startIndex + marker + 1] {
            case 0xD9: return min(offset, limit)
            case 0x01, 0xD8: continue
            default: offset += stream.uint16(at: offset, .bigEndian).map(Int.init) ?? 0
            }
        }
        return limit
    }

    // MARK: - Samsung

    /// The blocks in the trailer of a Samsung phone.
    ///
    /// - Returns: The blocks that name a country, or that nobody knows, and the ranges of the
    ///   directory and the names.
    private func samsungPieces(_ trailer: Block) -> (harmful: [Block], known: [Range<Int>]) {
        guard let samsung = SamsungTrailer(trailer) else { return ([], []) }
        var harmful: [Block] = []
        var known = [samsung.directory.range]
        for block in samsung.blocks {
            known.append(block.head.range)
            if Self.harmlessBlocks.contains(block.type), !isStrict {
                // Pictures and videos are edited; everything else stays.
                let isFile = LocationContainer(Array(block.content.bytes(count: 16))) != nil
                if !isFile { known.append(block.content.range) }
            } else {
                harmful.append(block.content)
            }
        }
        return (harmful, known)
    }

    /// Pictures, sound, depth, time and settings; 0x0AA1 is the code of a country.
    private static let harmlessBlocks: Set<UInt16> = [
        0x0001, 0x0100, 0x0101, 0x0140, 0x0201, 0x0800, 0x0830, 0x0850, 0x08C0, 0x08C1, 0x08D0,
        0x08D1, 0x08E0, 0x08E1, 0x0910, 0x09E0, 0x09E1, 0x0A01, 0x0A20, 0x0A30, 0x0A33, 0x0A40,
        0x0A41, 0x0AB0, 0x0AB1, 0x0AB3, 0x0AF1, 0x0B40, 0x0B41, 0x0B60, 0x0BA1, 0x0BD0, 0x0BF0,
        0x0C81,
    ]
}

extension ISOBox {
    /// The size of the boxes at the start of a block.
    static func end(of file: Block) -> Int {
        boxes(in: file, atMost: 10_000).prefix { $0.hasName }.last.map {
            min($0.content.range.upperBound, file.range.upperBound) - file.range.lowerBound
        } ?? 0
    }

    /// Whether its type consists of letters and digits.
    private var hasName: Bool {
        [24, 16, 8, 0].allSatisfy { shift in
            let byte = UInt8(truncatingIfNeeded: type >> shift)
            return (0x20...0x7E).contains(byte) || byte == 0xA9
        }
    }
}
