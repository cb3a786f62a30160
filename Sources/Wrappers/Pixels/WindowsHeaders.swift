// SPDX-License-Identifier: MIT

import Photos

/// The size of a BMP or ICO file, from its header.
enum WindowsHeaders {
    /// - Source: Microsoft, BITMAPCOREHEADER and BITMAPINFOHEADER.
    static func bitmapSize(_ file: FileBytes) -> PixelSize? {
        let header = ByteReader(file.bytes(at: 14, count: 12), order: .littleEndian)
        guard let headerSize = header.uint32(at: 0) else { return nil }
        if headerSize == 12 {
            guard let width = header.uint16(at: 4), let height = header.uint16(at: 6) else {
                return nil
            }
            return PixelSize(width: Int(width), height: Int(height))
        }
        guard let width = header.uint32(at: 4), let height = header.uint32(at: 8) else {
            return nil
        }
        // A negative height means that the rows go from top to bottom.
        return PixelSize(
            width: Int(Int32(bitPattern: width)),
            height: Int(Int32(bitPattern: height).magnitude))
    }

    /// The size of the largest picture in an icon.
    ///
    /// - Source: Microsoft, “Icons”: a directory of 16 bytes for each picture; 0 means 256.
    static func iconSize(_ file: FileBytes) -> PixelSize? {
        let count = ByteReader(file.bytes(at: 4, count: 2), order: .littleEndian).uint16(at: 0)
        let entries = ByteReader(
            file.bytes(at: 6, count: Int(min(count ?? 0, 1000)) * 16), order: .littleEndian)
        var largest: PixelSize?
        for start in stride(from: 0, to: entries.count, by: 16) {
            guard let width = entries.uint8(at: start), let height = entries.uint8(at: start + 1)
            else { break }
            let size = PixelSize(
                width: width == 0 ? 256 : Int(width), height: height == 0 ? 256 : Int(height))
            if (size.pixelCount ?? 0) > (largest?.pixelCount ?? 0) { largest = size }
        }
        return largest
    }
}
