// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// BMP, by gdk-pixbuf.
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
        try request.whole { pp_pixbuf_decode(request.number, "bmp", &$0) }
    }
}

/// ICO, by gdk-pixbuf.
enum IconFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.icon]

    static func decodes(_ type: MediaType) -> Bool { pp_pixbuf_decodes("ico") != 0 }
    // Loads gdk-pixbuf's module.
    static func prepare() { pp_pixbuf_decodes("ico") }

    /// The size of the largest picture in an icon.
    ///
    /// - Source: Microsoft, “Icons”: a directory of 16 bytes for each picture; 0 means 256.
    static func header(of file: FileBytes) -> PictureHeader {
        let file = Block(file)
        let count = file.reader(at: 4, count: 2, .littleEndian).uint16(at: 0) ?? 0
        let entries = file.reader(at: 6, count: Int(min(count, 1000)) * 16, .littleEndian)
        var largest: PixelSize?
        for start in stride(from: 0, to: entries.count, by: 16) {
            guard let width = entries.uint8(at: start), let height = entries.uint8(at: start + 1)
            else { break }
            let size = PixelSize(
                width: width == 0 ? 256 : Int(width), height: height == 0 ? 256 : Int(height))
            if (size.pixelCount ?? 0) > (largest?.pixelCount ?? 0) { largest = size }
        }
        return PictureHeader(size: largest)
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_pixbuf_decode(request.number, "ico", &$0) }
    }
}
