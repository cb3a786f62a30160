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
