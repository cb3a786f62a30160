// SPDX-License-Identifier: MIT

import Photos

/// The note of Apple's cameras in EXIF data.
///
/// - Source: ExifTool's table `Apple::Main`.
struct AppleNote {
    /// What the note begins with; a byte order and a directory follow.
    private static let name = Array("Apple iOS\0\0\u{1}".utf8)
    private static let burstTag: UInt16 = 0x000B
    private static let identifierTag: UInt16 = 0x0011

    private let directory: TIFFDirectory

    /// Nil if there is no such note.
    init?(_ source: EXIFSource) {
        guard let exif = source.exif,
            let note = exif.entry(Tag.makerNote).flatMap({ exif.longValue(of: $0) }),
            note.starts(with: Self.name)
        else { return nil }
        let order: ByteReader.Order
        switch note.uint16(at: Self.name.count, .bigEndian) {
        case 0x4949: order = .littleEndian
        case 0x4D4D: order = .bigEndian
        default: return nil
        }
        // Its offsets are relative to the note.
        directory = TIFFDirectory(in: note, order, at: Self.name.count + 2)
    }

    /// What pairs a Live Photo with its video.
    var contentIdentifier: ContentIdentifier? {
        directory.text(Self.identifierTag).flatMap { ContentIdentifier($0) }
    }

    /// What the pictures of a burst have in common; the camera does not say which is the best.
    var burst: BurstMark? {
        directory.text(Self.burstTag).flatMap { ContentIdentifier($0) }.map { BurstMark($0) }
    }
}
