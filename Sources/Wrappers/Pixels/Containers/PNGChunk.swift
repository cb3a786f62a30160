// SPDX-License-Identifier: MIT

import Photos

/// One chunk of a PNG file.
///
/// - Source: Portable Network Graphics (Second Edition), 5.3.
struct PNGChunk {
    /// Four letters, for example `IHDR`.
    let name: String
    let content: Block
    /// The name and content, which the checksum covers.
    let body: Block
    /// The length, name, content and checksum; the checksum may be cut off.
    let whole: Block

    static let signatureSize = 8

    /// Whether the checksum is complete.
    var isComplete: Bool {
        whole.bytes(at: whole.count - 4, count: 4).count == 4 && whole.count == content.count + 12
    }

    /// The chunks of a file, up to the first one that is cut off.
    static func chunks(of file: Block) -> PNGChunkSequence {
        PNGChunkSequence(file)
    }
}

/// The chunks of a PNG file in their order.
struct PNGChunkSequence: Sequence, IteratorProtocol {
    /// More chunks than real files have, in which thousands of small ones may hold the pixels.
    private static let maximumChunks = 100_000

    private let file: Block
    private var offset = PNGChunk.signatureSize
    private var count = 0

    fileprivate init(_ file: Block) {
        self.file = file
    }

    mutating func next() -> PNGChunk? {
        let head = file.reader(at: offset, count: 8, .bigEndian)
        guard count < Self.maximumChunks, let length = head.uint32(at: 0).map(Int.init),
            let name = head.slice(at: 4, count: 4),
            let body = file.part(at: offset + 4, count: 4 + length)
        else { return nil }
        count += 1
        let whole = file.dropFirst(offset).prefix(12 + length)
        offset += 12 + length
        return PNGChunk(
            name: String(decoding: name, as: UTF8.self), content: body.dropFirst(4), body: body,
            whole: whole)
    }
}
