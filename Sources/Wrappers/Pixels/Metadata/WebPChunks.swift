// SPDX-License-Identifier: MIT

import Photos

/// The facts in the chunks of a WebP file, without its pixels.
struct WebPChunks {
    /// The size of the canvas.
    private(set) var size: PixelSize?
    private(set) var isAnimated = false
    private(set) var exif: EXIF?
    private(set) var xmp: Block?

    private static let maximumMetadata = 1 << 20

    /// Reads all chunks, as far as the file contains them.
    ///
    /// - Source: RFC 9649, 2.5 to 2.7.
    init(_ file: Block) {
        for chunk in RIFFChunk.chunks(of: file) {
            let head = chunk.content.reader(count: 10, .littleEndian)
            switch chunk.name {
            case "VP8X": readExtended(head)
            case "VP8 " where size == nil: readLossy(head)
            case "VP8L" where size == nil: readLossless(head)
            case "EXIF" where chunk.content.count <= Self.maximumMetadata:
                exif = exif ?? Self.exif(chunk.content.bytes(count: chunk.content.count))
            case "XMP " where chunk.content.count <= XMPDate.maximumPacket: xmp = chunk.content
            default: break
            }
        }
    }

    private mutating func readExtended(_ chunk: ByteReader) {
        guard let flags = chunk.uint8(at: 0), let width = chunk.uint24(at: 4),
            let height = chunk.uint24(at: 7)
        else { return }
        isAnimated = flags & 0x02 != 0
        size = PixelSize(width: width + 1, height: height + 1)
    }

    /// - Source: RFC 6386, 9.1: a key frame has a start code, then 14 bits for each side.
    private mutating func readLossy(_ chunk: ByteReader) {
        guard chunk.slice(at: 3, count: 3)?.elementsEqual([0x9D, 0x01, 0x2A]) == true,
            let width = chunk.uint16(at: 6), let height = chunk.uint16(at: 8)
        else { return }
        size = PixelSize(width: Int(width & 0x3FFF), height: Int(height & 0x3FFF))
    }

    private mutating func readLossless(_ chunk: ByteReader) {
        guard chunk.uint8(at: 0) == 0x2F, let bits = chunk.uint32(at: 1) else { return }
        size = PixelSize(width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1)
    }

    /// The data starts with the byte order, but some programs put the name of the JPEG segment
    /// first.
    private static func exif(_ chunk: ArraySlice<UInt8>) -> EXIF {
        let name = JPEGSegments.Segment.exifName
        return EXIF(tiff: chunk.starts(with: name) ? chunk.dropFirst(name.count) : chunk)
    }
}

extension ByteReader {
    fileprivate func uint24(at offset: Int) -> Int? {
        guard let low = uint16(at: offset), let high = uint8(at: offset + 2) else { return nil }
        return Int(high) << 16 | Int(low)
    }
}
