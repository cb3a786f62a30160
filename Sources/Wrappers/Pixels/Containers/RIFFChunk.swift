// SPDX-License-Identifier: MIT

import Photos

/// One chunk of a RIFF file such as WebP.
///
/// - Source: RFC 9649, 2.3 and 2.4.
struct RIFFChunk {
    /// Four characters, for example `VP8X`.
    let name: String
    let content: Block

    /// The bytes of a chunk with a frame that precede the chunks of the frame.
    static let frameHeaderSize = 16

    /// More chunks than a still picture has.
    ///
    /// Not all frames of an animation are read.
    private static let maximumChunks = 1000

    /// The chunks after a file's header, up to the first one that is invalid.
    static func chunks(of file: Block) -> [RIFFChunk] { chunks(in: file, from: 12) }

    /// The chunks of a frame.
    var ofFrame: [RIFFChunk] { Self.chunks(in: content, from: Self.frameHeaderSize) }

    private static func chunks(in file: Block, from start: Int) -> [RIFFChunk] {
        var chunks: [RIFFChunk] = []
        var offset = start
        while chunks.count < maximumChunks {
            let head = file.reader(at: offset, count: 8, .littleEndian)
            guard let name = head.slice(at: 0, count: 4),
                let length = head.uint32(at: 4).map(Int.init),
                let content = file.part(at: offset + 8, count: length)
            else { break }
            chunks.append(RIFFChunk(name: String(decoding: name, as: UTF8.self), content: content))
            // Chunks begin at even offsets.
            offset += 8 + length + length % 2
        }
        return chunks
    }
}
