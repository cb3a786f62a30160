// SPDX-License-Identifier: MIT

import Photos

/// One box of an ISO base media file.
///
/// - Source: ISO/IEC 14496-12, 4.2.
struct ISOBox: Sendable {
    /// Four characters as a number.
    let type: UInt32
    /// The bytes of the type.
    ///
    /// Readers ignore a box whose type is `free`.
    let typeField: Block
    /// The sixteen bytes that identify a box of type `uuid`; empty for other types.
    let uuid: [UInt8]
    let content: Block
    /// Whether the box claims to end after its parent.
    let isCutOff: Bool

    /// The identifier of a box with an XMP packet.
    ///
    /// - Source: XMP Specification Part 3, 1.2.7.
    static let xmpID: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF,
        0xAC,
    ]

    /// The type as text, in which `©` is unreadable.
    var name: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: type >> $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func type(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The boxes in a file or in a box, up to the first one that is invalid.
    ///
    /// A box that claims to end after its parent is cut off there.
    ///
    /// - Parameter count: The most boxes to read.
    static func boxes(in parent: Block, atMost count: Int = 64) -> [ISOBox] {
        var boxes: [ISOBox] = []
        var rest = parent
        while boxes.count < count, let box = ISOBox(atStartOf: rest) {
            boxes.append(box)
            rest = rest.dropFirst(box.content.range.upperBound - rest.range.lowerBound)
        }
        return boxes
    }

    /// The content of the box at the end of a path: the first `moov`, in it the first `trak`, ….
    static func content(of path: String..., in parent: Block) -> Block? {
        path.reduce(parent) { parent, name in
            parent.flatMap { boxes(in: $0).first { $0.name == name }?.content }
        }
    }

    private init?(atStartOf rest: Block) {
        let head = rest.reader(count: 32, .bigEndian)
        guard let shortSize = head.uint32(at: 0), let type = head.uint32(at: 4),
            let typeField = rest.part(at: 4, count: 4)
        else { return nil }
        var headSize = 8
        var size = Int(shortSize)
        if shortSize == 0 {
            size = rest.count
        } else if shortSize == 1 {
            guard let longSize = head.uint64(at: headSize) else { return nil }
            size = Int(clamping: longSize)
            headSize += 8
        }
        self.type = type
        self.typeField = typeField
        if type == Self.type("uuid") {
            guard let uuid = head.slice(at: headSize, count: 16) else { return nil }
            self.uuid = Array(uuid)
            headSize += uuid.count
        } else {
            uuid = []
        }
        guard size >= headSize else { return nil }
        content = rest.prefix(size).dropFirst(headSize)
        isCutOff = size > rest.count
        guard rest.count >= headSize else { return nil }
    }
}
