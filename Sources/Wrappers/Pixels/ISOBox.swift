// SPDX-License-Identifier: MIT

import Photos

/// One box of an ISO base media file: what it is, and where in the file its content is.
///
/// - Source: ISO/IEC 14496-12, 4.2.
struct ISOBox: Sendable {
    let start: Int
    /// Four characters as a number.
    let type: UInt32
    /// The sixteen bytes that name such a kind; none of another one.
    let uuid: [UInt8]
    let content: Range<Int>

    /// What the characters say, `uuid` for a kind of somebody's own; `©` is not one of them.
    var name: String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: type >> $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func type(_ name: StaticString) -> UInt32 {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The boxes that a part of a file consists of, in their order, as far as they are sound.
    ///
    /// A box that is said to end later than the part is cut off.
    ///
    /// - Parameter count: More of them than stand side by side where somebody looks.
    static func boxes(
        in file: FileBytes, _ part: Range<Int>, atMost count: Int = 64
    ) -> [ISOBox] {
        var boxes: [ISOBox] = []
        var offset = part.lowerBound
        while boxes.count < count, let box = ISOBox(file, at: offset, end: part.upperBound) {
            boxes.append(box)
            offset = box.content.upperBound
        }
        return boxes
    }

    /// The content of the first box of a name that is in the first box of another one, and so on.
    static func content(of path: String..., in file: FileBytes, _ part: Range<Int>) -> Range<Int>? {
        path.reduce(part) { part, name in
            part.flatMap { boxes(in: file, $0).first { $0.name == name }?.content }
        }
    }

    private init?(_ file: FileBytes, at offset: Int, end: Int) {
        let head = ByteReader(
            file.bytes(at: offset, count: min(32, end - offset)), order: .bigEndian)
        guard let shortSize = head.uint32(at: 0), let type = head.uint32(at: 4) else {
            return nil
        }
        var headSize = 8
        var size = Int(shortSize)
        if shortSize == 0 {
            size = end - offset
        } else if shortSize == 1 {
            guard let longSize = head.uint64(at: headSize) else { return nil }
            size = Int(clamping: longSize)
            headSize += 8
        }
        start = offset
        self.type = type
        if type == Self.type("uuid") {
            guard let uuid = head.slice(at: headSize, count: 16) else { return nil }
            self.uuid = Array(uuid)
            headSize += uuid.count
        } else {
            uuid = []
        }
        size = min(size, end - offset)
        guard size >= headSize else { return nil }
        content = offset + headSize..<offset + size
    }
}
