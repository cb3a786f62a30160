// SPDX-License-Identifier: MIT

import Photos

/// What Samsung's phones put behind a picture: blocks, a directory of them, and its size.
///
/// - Source: ExifTool's table `Samsung::Trailer`.
struct SamsungTrailer {
    /// The type of the block with the video of a motion photo.
    static let motionPhoto: UInt16 = 0x0A30

    struct Entry {
        let type: UInt16
        /// The type and the name of the block, which come first.
        let head: Block
        let content: Block
    }

    /// The directory, its size and the mark at the end.
    let directory: Block
    let blocks: [Entry]

    /// - Parameter file: Ends with the trailer; nil unless it does.
    init?(_ file: Block) {
        guard file.starts(with: "SEFT".utf8, at: file.count - 4),
            let size = file.uint32(at: file.count - 8, .littleEndian).map(Int.init),
            let listed = file.part(at: file.count - 8 - size, count: size),
            listed.starts(with: "SEFH".utf8),
            let count = listed.uint32(at: 8, .littleEndian), count <= 1000
        else { return nil }
        let start = listed.range.lowerBound - file.range.lowerBound
        directory = file.dropFirst(start)
        blocks = (0..<Int(count)).compactMap { index in
            let entry = listed.dropFirst(12 + index * 12).prefix(12)
            guard let type = entry.uint16(at: 2, .littleEndian),
                let back = entry.uint32(at: 4, .littleEndian),
                let size = entry.uint32(at: 8, .littleEndian),
                let block = file.part(at: start - Int(back), count: Int(size)),
                let nameSize = block.uint32(at: 4, .littleEndian)
            else { return nil }
            let headSize = 8 + Int(nameSize)
            return Entry(
                type: type, head: block.prefix(headSize), content: block.dropFirst(headSize))
        }
    }
}
