// SPDX-License-Identifier: MIT

package import Photos

/// The segments of a JPEG file before its first scan.
package struct JPEGHeader: Sendable {
    /// The size as stored, nil when there is no frame.
    package private(set) var size: PixelSize?
    package private(set) var exif: EXIF?

    /// More segments than real files have before the picture.
    private static let maximumSegments = 2000

    /// Walks the segments up to the frame.
    ///
    /// - Source: ITU-T T.81, B.1 and B.2.
    package init(_ file: FileBytes) {
        var offset = 2
        for _ in 0..<Self.maximumSegments {
            let head = Array(file.bytes(at: offset, count: 4))
            guard head.count == 4, head[0] == 0xFF else { return }
            // Any number of 0xFF may stand before a marker.
            if head[1] == 0xFF {
                offset += 1
                continue
            }
            let length = Int(head[2]) << 8 | Int(head[3])
            guard length >= 2 else { return }
            switch head[1] {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                size = Self.frameSize(file.bytes(at: offset + 4, count: 5))
                return
            case 0xE1 where exif == nil:
                exif = Self.exif(file.bytes(at: offset + 4, count: length - 2))
            case 0xD8, 0xD9, 0xDA: return
            default: break
            }
            offset += 2 + length
        }
    }

    private static func frameSize(_ frame: ArraySlice<UInt8>) -> PixelSize? {
        let reader = ByteReader(frame, order: .bigEndian)
        guard let height = reader.uint16(at: 1), let width = reader.uint16(at: 3) else {
            return nil
        }
        return PixelSize(width: Int(width), height: Int(height))
    }

    private static func exif(_ segment: ArraySlice<UInt8>) -> EXIF? {
        guard segment.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) else { return nil }
        return EXIF(tiff: segment.dropFirst(6))
    }
}
