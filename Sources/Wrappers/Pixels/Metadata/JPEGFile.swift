// SPDX-License-Identifier: MIT

import Photos

/// Changes to a newly encoded JPEG file in memory.
enum JPEGFile {
    /// The size in the frame header.
    static func size(of file: [UInt8]) -> PixelSize? {
        JPEGSegments(Block(file[...])).first { $0.isFrame }?.frameSize
    }

    /// Updates the metadata after the picture was turned or cropped; it is upright now.
    static func describe(_ file: inout [UInt8], _ size: PixelSize, isStandard: Bool) {
        var patch = Patch()
        if let exif = JPEGSegments(Block(file[...])).lazy.compactMap(\.exif).first {
            patch.describe(size, isStandard: isStandard, in: exif)
        }
        patch.apply(to: &file)
        orientPacket(&file, .upright)
    }

    // MARK: - Orientation

    /// Changes how a picture is to be turned, without turning it.
    ///
    /// - Returns: Whether its metadata could be changed.
    static func orient(_ file: inout [UInt8], _ orientation: Orientation) -> Bool {
        let segments = Array(JPEGSegments(Block(file[...]), skipsStrayBytes: true))
        if let segment = segments.first(where: { $0.exif != nil }), let exif = segment.exif {
            var patch = Patch()
            if patch.orient(orientation, in: exif) {
                patch.apply(to: &file)
            } else {
                let old = Array(exif.bytes(count: exif.count))
                guard let new = EXIFSource.adding(orientation, to: old),
                    let content = self.segment(exif: new)
                else { return false }
                file.replaceSubrange(segment.whole.range, with: content)
            }
        } else {
            guard let content = self.segment(exif: MetadataStripping.minimalEXIF(orientation))
            else { return false }
            let jfif = segments.first.flatMap { $0.marker == 0xE0 ? $0 : nil }
            file.insert(contentsOf: content, at: jfif?.whole.range.upperBound ?? 2)
        }
        orientPacket(&file, orientation)
        return true
    }

    /// A segment with EXIF data; nil if there is too much.
    private static func segment(exif: [UInt8]) -> [UInt8]? {
        let content = JPEGSegments.Segment.exifName + exif
        guard let length = UInt16(exactly: content.count + 2) else { return nil }
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + content
    }

    /// Changes the orientation in the packet, which some programs read as well.
    ///
    /// - Source: Exif 2.32 metadata for XMP (CIPA DC-010), A.2.1.
    private static func orientPacket(_ file: inout [UInt8], _ orientation: Orientation) {
        let segment = JPEGSegments(Block(file[...]), skipsStrayBytes: true).first {
            $0.marker == 0xE1 && $0.content.starts(with: JPEGSegments.Segment.xmpName)
        }
        guard let segment else { return }
        let packet = segment.content.dropFirst(JPEGSegments.Segment.xmpName.count)
        guard let digit = XMPTexts(file[packet.range])?.range(of: "Orientation", in: .tiff),
            digit.count == 1
        else { return }
        file[digit.lowerBound] = UInt8(ascii: "0") + orientation.rawValue
    }

    /// Removes the index of pictures that once followed this one.
    ///
    /// - Source: CIPA DC-007, Multi-Picture Format, 5.
    static func removeSecondPictures(_ file: inout [UInt8]) {
        let tables = JPEGSegments(Block(file[...])).filter {
            $0.marker == 0xE2 && $0.content.starts(with: "MPF\0".utf8)
        }
        for range in tables.map(\.whole.range).reversed() { file.removeSubrange(range) }
    }
}
