// SPDX-License-Identifier: MIT

internal import CCodecs
import Glibc
import Photos

/// BMP, by gdk-pixbuf; without a library where it has 16 bits and alpha.
enum BitmapFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.bmp]

    static func decodes(_ type: MediaType) -> Bool { pp_pixbuf_decodes("bmp") != 0 }
    // Loads gdk-pixbuf's module.
    static func prepare() { pp_pixbuf_decodes("bmp") }

    /// - Source: Microsoft, BITMAPCOREHEADER and BITMAPINFOHEADER.
    static func header(of file: FileBytes) -> PictureHeader {
        let header = Block(file).reader(at: 14, count: 12, .littleEndian)
        if header.uint32(at: 0) == 12 {
            guard let width = header.uint16(at: 4), let height = header.uint16(at: 6) else {
                return PictureHeader(size: nil)
            }
            return PictureHeader(size: PixelSize(width: Int(width), height: Int(height)))
        }
        guard let width = header.uint32(at: 4), let height = header.uint32(at: 8) else {
            return PictureHeader(size: nil)
        }
        // A negative height means that the rows are stored from top to bottom.
        return PictureHeader(
            size: PixelSize(
                width: Int(Int32(bitPattern: width)),
                height: Int(Int32(bitPattern: height).magnitude)))
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        do throws(PixelError) {
            return try request.whole { pp_bmp_decode_alpha(request.number, &$0) }
        } catch {
            guard error == .unsupported else { throw error }
        }
        let (head, offset) = BitmapHead.fitting(Block(request.bytes)) ?? ([], 0)
        return try request.whole {
            pp_pixbuf_decode(request.number, "bmp", head, head.count, off_t(offset), &$0)
        }
    }

}

/// ICO, by gdk-pixbuf.
enum IconFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.icon]

    static func decodes(_ type: MediaType) -> Bool { pp_pixbuf_decodes("ico") != 0 }
    // Loads gdk-pixbuf's module.
    static func prepare() { pp_pixbuf_decodes("ico") }

    /// - Source: Microsoft, “Icons”: a directory of 16 bytes for each picture; 0 means 256.
    static func header(of file: FileBytes) -> PictureHeader {
        let entries = entries(in: Block(file))
        return PictureHeader(size: entries.max { $0.pixelCount < $1.pixelCount }?.size)
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        let entries = entries(in: Block(request.bytes))
        // The best picture is the largest one with the most colours.
        let best = entries.max { ($0.pixelCount, $0.depth) < ($1.pixelCount, $1.depth) }
        if let best, best.isPNG {
            return try request.scaled(try PNGRows(request.file, at: best.offset))
        }
        return try request.whole { pp_pixbuf_decode(request.number, "ico", nil, 0, 0, &$0) }
    }

    /// A picture in an icon.
    private struct Entry {
        let size: PixelSize
        let depth: Int
        /// Where it begins in the file.
        let offset: Int
        /// gdk-pixbuf refuses PNGs in icons.
        let isPNG: Bool

        var pixelCount: Int { size.pixelCount ?? 0 }
    }

    private static let maximumEntries = 1000

    private static func entries(in file: Block) -> [Entry] {
        let count = Int(file.uint16(at: 4, .littleEndian) ?? 0)
        return (0..<min(count, maximumEntries)).compactMap { index in
            let entry = file.reader(at: 6 + index * 16, count: 16, .littleEndian)
            guard let width = entry.uint8(at: 0), let height = entry.uint8(at: 1),
                let depth = entry.uint16(at: 6), let offset = entry.uint32(at: 12)
            else { return nil }
            var size = PixelSize(
                width: width == 0 ? 256 : Int(width), height: height == 0 ? 256 : Int(height))
            let picture = file.dropFirst(Int(offset))
            let isPNG = picture.starts(with: [0x89, 0x50, 0x4E, 0x47])
            // Its own header, which may say more than the byte in the directory can.
            if isPNG, let width = picture.uint32(at: 16, .bigEndian),
                let height = picture.uint32(at: 20, .bigEndian)
            {
                size = PixelSize(width: Int(width), height: Int(height))
            }
            return Entry(size: size, depth: Int(depth), offset: Int(offset), isPNG: isPNG)
        }
    }
}
