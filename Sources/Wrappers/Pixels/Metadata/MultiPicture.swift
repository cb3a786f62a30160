// SPDX-License-Identifier: MIT

import Photos

/// The other pictures that a camera appended to a JPEG file.
///
/// - Source: CIPA DC-007, Multi-Picture Format, 5.2.
struct MultiPicture {
    /// The name of the segment.
    static let name = Array("MPF\0".utf8)

    private static let entriesTag: UInt16 = 0xB002
    private static let entrySize = 16
    /// More pictures than cameras append.
    private static let maximumPictures = 16
    /// Large thumbnails in VGA and in full HD size.
    private static let thumbnailKinds: Set<UInt32> = [0x01_0001, 0x01_0002]

    private let index: Block
    private let file: Block

    /// - Parameters:
    ///   - segment: The content of the segment, with its name.
    ///   - file: The file, which the pictures are parts of.
    init(_ segment: Block, in file: Block) {
        index = segment.dropFirst(Self.name.count)
        self.file = file
    }

    /// The smaller versions of the picture.
    var thumbnails: [Block] {
        guard let directory = TIFFDirectory.first(in: index),
            let entry = directory.entry(Self.entriesTag),
            let entries = directory.longValue(of: entry)
        else { return [] }
        let order = directory.order
        return (0..<Self.maximumPictures).compactMap { number in
            guard let entry = entries.part(at: number * Self.entrySize, count: Self.entrySize),
                let attributes = entry.uint32(at: 0, order),
                Self.thumbnailKinds.contains(attributes & 0xFF_FFFF),
                let size = entry.uint32(at: 4, order), size > 0,
                let offset = entry.uint32(at: 8, order), offset > 0
            else { return nil }
            // Offsets count from the byte order of the index.
            return file.part(
                at: index.range.lowerBound - file.range.lowerBound + Int(offset),
                count: Int(size))
        }
    }
}
