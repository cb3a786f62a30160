// SPDX-License-Identifier: MIT

import Photos

/// A JPEG file in memory that was just made, and so is sound.
enum JPEGFile {
    private static let secondPictures = Array("MPF\0".utf8)
    private static let exif: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

    fileprivate struct Segment {
        let marker: UInt8
        /// Its marker, length and content.
        let range: Range<Int>

        var content: Int { range.lowerBound + 4 }
    }

    /// The size in the frame header.
    static func size(of file: [UInt8]) -> PixelSize? {
        let reader = ByteReader(file, order: .bigEndian)
        guard let frame = segments(of: file).last, frame.isFrame,
            let height = reader.uint16(at: frame.content + 1),
            let width = reader.uint16(at: frame.content + 3)
        else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// Where the EXIF data begins with its byte order.
    static func exifPosition(in file: [UInt8]) -> Int? {
        segments(of: file).first {
            $0.marker == 0xE1 && file[$0.content..<$0.range.upperBound].starts(with: exif)
        }.map { $0.content + exif.count }
    }

    /// The file without the table of pictures that once followed it.
    ///
    /// - Source: CIPA DC-007, Multi-Picture Format, 5.
    static func withoutSecondPictures(_ file: [UInt8]) -> [UInt8] {
        var result = file
        for segment in segments(of: file).reversed() where segment.marker == 0xE2 {
            let content = file[segment.content..<segment.range.upperBound]
            if content.starts(with: secondPictures) { result.removeSubrange(segment.range) }
        }
        return result
    }

    /// The segments up to the frame header.
    ///
    /// - Source: ITU-T T.81, B.1.
    private static func segments(of file: [UInt8]) -> [Segment] {
        let reader = ByteReader(file, order: .bigEndian)
        var segments: [Segment] = []
        var offset = 2
        while reader.uint8(at: offset) == 0xFF, let marker = reader.uint8(at: offset + 1),
            let length = reader.uint16(at: offset + 2).map(Int.init),
            length >= 2, reader.slice(at: offset + 2, count: length) != nil
        {
            let segment = Segment(marker: marker, range: offset..<offset + 2 + length)
            segments.append(segment)
            if segment.isFrame { break }
            offset += 2 + length
        }
        return segments
    }
}

extension JPEGFile.Segment {
    fileprivate var isFrame: Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
}
