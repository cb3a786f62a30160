// SPDX-License-Identifier: MIT

import Photos

/// The segments of a JPEG stream before its first scan, up to and including the frame header.
///
/// Ends at the first byte that does not begin a segment, unless such bytes are skipped; damage is not
/// an error.
///
/// - Source: ITU-T T.81, B.1; libjpeg-turbo, `next_marker`.
struct JPEGSegments: Sequence, IteratorProtocol {
    struct Segment {
        let marker: UInt8
        /// Marker, length and content.
        let whole: Block

        var content: Block { whole.dropFirst(4) }

        /// Whether this is the header of a frame: SOF0 to SOF15.
        var isFrame: Bool {
            switch marker {
            case 0xC4, 0xC8, 0xCC: false
            default: (0xC0...0xCF).contains(marker)
            }
        }
    }

    /// More segments than real files have before the image data.
    private static let maximumSteps = 2000

    /// The most bytes that are skipped in one step.
    private static let maximumStray = 4096

    private let stream: Block
    private let skipsStrayBytes: Bool
    private var offset = 2
    private var steps = 0
    private var isAtEnd: Bool

    /// Starts at the first segment.
    ///
    /// - Parameter skipsStrayBytes: Whether to go on behind bytes that belong to no segment, as
    ///   decoders do.
    init(_ stream: Block, skipsStrayBytes: Bool = false) {
        self.stream = stream
        self.skipsStrayBytes = skipsStrayBytes
        isAtEnd = stream.uint16(at: 0, .bigEndian) != 0xFFD8
    }

    mutating func next() -> Segment? {
        while !isAtEnd, steps < Self.maximumSteps {
            steps += 1
            // A marker and a length.
            guard let head = stream.uint32(at: offset, .bigEndian) else { return nil }
            if skipsStrayBytes, let stray = strayCount(head) {
                offset += stray
                continue
            }
            guard head >> 24 == 0xFF else { return nil }
            let marker = UInt8(truncatingIfNeeded: head >> 16)
            // Any number of 0xFF may precede a marker.
            if marker == 0xFF {
                offset += 1
                continue
            }
            guard let length = statedLength(head, marker), !(0xD8...0xDA).contains(marker),
                let whole = stream.part(at: offset, count: 2 + length)
            else { return nil }
            offset += 2 + length
            let segment = Segment(marker: marker, whole: whole)
            isAtEnd = segment.isFrame
            return segment
        }
        return nil
    }

    /// The length of a segment with its own two bytes; nil if it is too small.
    private func statedLength(_ head: UInt32, _ marker: UInt8) -> Int? {
        let length = Int(head & 0xFFFF)
        if length >= 2 { return length }
        // libjpeg takes such metadata for empty.
        let isMetadata = (0xE0...0xEF).contains(marker) || marker == 0xFE
        return skipsStrayBytes && isMetadata ? 2 : nil
    }

    /// The number of bytes before the next marker that begins a segment, as far as they are skipped
    /// in one step; nil if there are none.
    private func strayCount(_ head: UInt32) -> Int? {
        if head >> 24 == 0xFF, Self.beginsSegment(UInt8(truncatingIfNeeded: head >> 16)) {
            return nil
        }
        let bytes = stream.bytes(at: offset, count: Self.maximumStray)
        var position = bytes.startIndex
        while let found = bytes.firstIndex(of: 0xFF, from: position) {
            // What follows is in the next step.
            guard found + 1 < bytes.endIndex else { return found - bytes.startIndex }
            let code = bytes[found + 1]
            if Self.beginsSegment(code) { return found - bytes.startIndex }
            position = found + (code == 0xFF ? 1 : 2)
        }
        return bytes.count
    }

    /// Whether 0xFF and this byte are a marker with a length: no fill byte, stuffed zero, restart
    /// or TEM.
    private static func beginsSegment(_ code: UInt8) -> Bool {
        switch code {
        case 0x00, 0x01, 0xD0...0xD7, 0xFF: false
        default: true
        }
    }
}

extension JPEGSegments.Segment {
    /// The name of a segment with EXIF data.
    static let exifName: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
    /// The name of a segment with an XMP packet.
    ///
    /// - Source: XMP Specification Part 3, 1.1.3.
    static let xmpName = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    /// The EXIF data in this segment, from the byte order on.
    var exif: Block? {
        guard marker == 0xE1 else { return nil }
        let content = content
        guard content.starts(with: Self.exifName) else { return nil }
        return content.dropFirst(Self.exifName.count)
    }

    /// The size in a frame header.
    ///
    /// - Source: ITU-T T.81, B.2.2.
    var frameSize: PixelSize? {
        guard isFrame, let size = content.uint32(at: 1, .bigEndian) else { return nil }
        return PixelSize(width: Int(size & 0xFFFF), height: Int(size >> 16))
    }
}
