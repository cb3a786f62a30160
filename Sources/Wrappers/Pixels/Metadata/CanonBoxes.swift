// SPDX-License-Identifier: MIT

import Photos

/// The boxes in Canon's raw files that no other format has.
///
/// - Source: ExifTool's table `Canon::uuid`.
enum CanonBoxes {
    static let metadataID: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A,
        0x48,
    ]
    static let previewID: [UInt8] = [
        0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D,
        0x16,
    ]
    /// More bytes than a directory and its values need.
    private static let maximumDirectory = 1 << 16

    /// The boxes with EXIF directories and a small picture.
    static func metadata(in file: Block) -> [ISOBox] {
        guard let movie = ISOBox.content(of: "moov", in: file) else { return [] }
        return ISOBox.boxes(in: movie).filter { $0.uuid == metadataID }
            .flatMap { ISOBox.boxes(in: $0.content) }
    }

    /// The medium-sized JPEGs.
    static func previews(in file: Block) -> [Block] {
        ISOBox.boxes(in: file).filter { $0.uuid == previewID }
            .compactMap { preview(in: $0.content) }
    }

    /// The JPEG in a box with a preview.
    static func preview(in content: Block) -> Block? {
        // The boxes follow a version and a count.
        ISOBox.content(of: "PRVW", in: content.dropFirst(8))
            .flatMap { picture(in: $0, countAt: 12) }
    }

    /// The JPEG in a `THMB` box.
    static func thumbnail(in content: Block) -> Block? {
        picture(in: content, countAt: 8)
    }

    /// The first directory of a box, `CMT1` to `CMT4`.
    static func directory(_ content: Block) -> TIFFDirectory? {
        TIFFDirectory.first(in: content.loaded(upTo: maximumDirectory))
    }

    /// The first sample of a track, which can be anywhere in the file.
    ///
    /// - Source: ISO/IEC 14496-12, 8.7.3 and 8.7.5.
    static func firstSample(of track: Block, in file: Block) -> Block? {
        func head(_ name: String) -> ByteReader? {
            ISOBox.content(of: "mdia", "minf", "stbl", name, in: track)
                .map { $0.reader(count: 16, .bigEndian) }
        }
        // Either one size for all samples, or 0 and a list of sizes.
        guard let sizes = head("stsz"), let common = sizes.uint32(at: 4),
            let count = common > 0 ? common : sizes.uint32(at: 12),
            let offset = head("co64")?.uint64(at: 8)
        else { return nil }
        return file.dropFirst(Int(clamping: offset)).prefix(Int(count))
    }

    /// The JPEG in a box, after its size and four more bytes.
    private static func picture(in content: Block, countAt offset: Int) -> Block? {
        content.reader(count: 16, .bigEndian).uint32(at: offset).map {
            content.dropFirst(16).prefix(Int($0))
        }
    }
}
