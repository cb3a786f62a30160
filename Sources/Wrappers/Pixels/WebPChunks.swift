// SPDX-License-Identifier: MIT

import Photos

/// The chunks of a WebP file, without its pixels.
struct WebPChunks {
    /// The size of the canvas.
    private(set) var size: PixelSize?
    private(set) var isAnimated = false
    private(set) var exif: EXIF?

    /// More chunks than a still picture has; frames of one that moves are not looked through.
    private static let maximumChunks = 1000
    private static let maximumMetadata = 1 << 20

    /// Walks the chunks to the end, as far as there are any.
    ///
    /// - Source: RFC 9649, 2.3 to 2.7.
    init(_ file: FileBytes) {
        var offset = 12
        for _ in 0..<Self.maximumChunks {
            let head = ByteReader(file.bytes(at: offset, count: 18), order: .littleEndian)
            guard let name = head.slice(at: 0, count: 4), let length = head.uint32(at: 4) else {
                return
            }
            let count = Int(length)
            switch String(decoding: name, as: UTF8.self) {
            case "VP8X": readExtended(head)
            case "VP8 " where size == nil: readLossy(head)
            case "VP8L" where size == nil: readLossless(head)
            case "EXIF" where count <= Self.maximumMetadata:
                exif = exif ?? Self.exif(file.bytes(at: offset + 8, count: count))
            default: break
            }
            // Chunks begin at even offsets.
            offset += 8 + count + count % 2
        }
    }

    private mutating func readExtended(_ chunk: ByteReader) {
        guard let flags = chunk.uint8(at: 8), let width = chunk.uint24(at: 12),
            let height = chunk.uint24(at: 15)
        else { return }
        isAnimated = flags & 0x02 != 0
        size = PixelSize(width: width + 1, height: height + 1)
    }

    /// - Source: RFC 6386, 9.1: a key frame has a start code, then 14 bits for each side.
    private mutating func readLossy(_ chunk: ByteReader) {
        guard chunk.slice(at: 11, count: 3)?.elementsEqual([0x9D, 0x01, 0x2A]) == true,
            let width = chunk.uint16(at: 14), let height = chunk.uint16(at: 16)
        else { return }
        size = PixelSize(width: Int(width & 0x3FFF), height: Int(height & 0x3FFF))
    }

    private mutating func readLossless(_ chunk: ByteReader) {
        guard chunk.uint8(at: 8) == 0x2F, let bits = chunk.uint32(at: 9) else { return }
        size = PixelSize(width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1)
    }

    /// The data begins with the byte order; some programs put the name of JPEG's segment first.
    private static func exif(_ chunk: ArraySlice<UInt8>) -> EXIF {
        let name: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
        return EXIF(tiff: chunk.starts(with: name) ? chunk.dropFirst(name.count) : chunk)
    }
}

extension ByteReader {
    fileprivate func uint24(at offset: Int) -> Int? {
        guard let low = uint16(at: offset), let high = uint8(at: offset + 2) else { return nil }
        return Int(high) << 16 | Int(low)
    }
}
