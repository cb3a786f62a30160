// SPDX-License-Identifier: MIT

import Photos

/// The image resources of a Photoshop document, or of the segment or tag that holds them elsewhere.
///
/// - Source: Adobe, “Photoshop File Formats Specification”, “Image Resources”.
struct PhotoshopResources: Sequence, IteratorProtocol {
    struct Resource {
        let number: UInt16
        let content: Block
    }

    static let iptc: UInt16 = 0x0404
    static let xmp: UInt16 = 0x0424
    static let profile: UInt16 = 0x040F

    /// The identifier of a JPEG segment with resources.
    static let segmentName = Array("Photoshop 3.0\0".utf8)

    private static let signatures = ["8BIM", "MeSa", "PHUT", "AgHg", "DCSR"]

    private let block: Block
    private var offset = 0

    init(_ block: Block) {
        self.block = block
    }

    /// The resources in the content of a JPEG segment.
    init(segment content: Block) {
        self.init(content.dropFirst(Self.segmentName.count))
    }

    /// The resources of a document, which follow its header and color table.
    init?(document file: Block) {
        guard let table = file.uint32(at: 26, .bigEndian).map(Int.init),
            let size = file.uint32(at: 30 + table, .bigEndian).map(Int.init)
        else { return nil }
        self.init(file.dropFirst(34 + table).prefix(size))
    }

    mutating func next() -> Resource? {
        // A signature, a number, a name of an even size, and the size of the content.
        guard Self.signatures.contains(where: { block.starts(with: $0.utf8, at: offset) }),
            let number = block.uint16(at: offset + 4, .bigEndian),
            let nameSize = block.bytes(at: offset + 6, count: 1).first.map(Int.init)
        else { return nil }
        let sizeAt = offset + 6 + (nameSize + 2) / 2 * 2
        guard let size = block.uint32(at: sizeAt, .bigEndian).map(Int.init) else { return nil }
        offset = sizeAt + 4 + (size + 1) / 2 * 2
        return Resource(number: number, content: block.dropFirst(sizeAt + 4).prefix(size))
    }

    /// The content of the first resource with the given number.
    func content(_ number: UInt16) -> Block? { first { $0.number == number }?.content }
}
