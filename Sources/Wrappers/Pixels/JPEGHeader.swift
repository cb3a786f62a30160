// SPDX-License-Identifier: MIT

package import Photos

/// The segments of a JPEG file before its first scan.
package struct JPEGHeader: Sendable {
    /// The size as stored, nil when there is no frame.
    package private(set) var size: PixelSize?
    package private(set) var exif: EXIF?
    /// Where in the file the EXIF data's own small JPEG is.
    private(set) var preview: Range<Int>?
    /// Whether the frame is of a kind that libjpeg decodes: raw data may be lossless JPEG.
    private(set) var isDecodable = false
    /// Whether there is an ICC profile.
    private(set) var hasProfile = false

    /// More segments than real files have before the picture.
    private static let maximumSegments = 2000

    /// Walks the segments up to the frame.
    ///
    /// - Source: ITU-T T.81, B.1 and B.2.
    package init(_ file: FileBytes) {
        self.init(file, in: 0..<Int.max)
    }

    /// Walks the segments of a JPEG that is a part of a file.
    init(_ file: FileBytes, in range: Range<Int>) {
        guard file.bytes(at: range.lowerBound, count: 2).elementsEqual([0xFF, 0xD8]) else { return }
        var offset = range.lowerBound + 2
        for _ in 0..<Self.maximumSegments {
            let head = Array(file.bytes(at: offset, count: 4))
            guard head.count == 4, head[0] == 0xFF, range.contains(offset) else { return }
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
                isDecodable = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(head[1])
                return
            case 0xE1 where exif == nil:
                readEXIF(file.bytes(at: offset + 4, count: length - 2), at: offset + 4)
            case 0xE2 where !hasProfile:
                hasProfile = file.bytes(at: offset + 4, count: 12)
                    .elementsEqual("ICC_PROFILE\0".utf8)
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

    private mutating func readEXIF(_ segment: ArraySlice<UInt8>, at offset: Int) {
        let name: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
        guard segment.starts(with: name) else { return }
        let data = segment.dropFirst(name.count)
        let exif = EXIF(tiff: data)
        self.exif = exif
        guard let thumbnail = exif.thumbnail, thumbnail.upperBound <= data.count else { return }
        let start = offset + name.count
        preview = start + thumbnail.lowerBound..<start + thumbnail.upperBound
    }
}
