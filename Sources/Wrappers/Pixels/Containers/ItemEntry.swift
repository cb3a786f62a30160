// SPDX-License-Identifier: MIT

import Photos

/// One item of a HEIF file.
///
/// - Source: ISO/IEC 14496-12, 8.11.4 and 8.11.6.
struct ItemEntry {
    private static let maximumCount = 10_000

    let number: UInt32
    let type: String
    /// The item's name, followed by the MIME type and encoding if it has them.
    let text: String
    /// The name alone.
    let name: Block

    init?(_ content: Block) {
        guard let version = content.bytes(count: 1).first, version >= 2 else { return nil }
        let isLong = version > 2
        guard
            let number = isLong
                ? content.uint32(at: 4, .bigEndian)
                : content.uint16(at: 4, .bigEndian).map(UInt32.init)
        else { return nil }
        // A number, an index of protection, and a type.
        let typeAt = isLong ? 10 : 8
        self.number = number
        type = String(decoding: content.bytes(at: typeAt, count: 4), as: UTF8.self)
        let texts = content.bytes(at: typeAt + 4, count: min(content.count, 4096))
        text = String(decoding: texts, as: UTF8.self)
        name = content.dropFirst(typeAt + 4).prefix(texts.prefix { $0 != 0 }.count)
    }

    /// The items that the content of an `iinf` box lists.
    static func all(in list: Block) -> [ItemEntry] {
        guard let version = list.bytes(count: 1).first else { return [] }
        return ISOBox.boxes(in: list.dropFirst(version == 0 ? 6 : 8), atMost: maximumCount)
            .compactMap { $0.name == "infe" ? ItemEntry($0.content) : nil }
    }

    /// The item that is the picture, according to the boxes in a `meta` box.
    static func primary(in boxes: [ISOBox]) -> ItemEntry? {
        guard let list = boxes.first(where: { $0.name == "iinf" })?.content,
            let content = boxes.first(where: { $0.name == "pitm" })?.content,
            let version = content.bytes(count: 1).first,
            let number = version == 0
                ? content.uint16(at: 4, .bigEndian).map(UInt32.init)
                : content.uint32(at: 4, .bigEndian)
        else { return nil }
        return all(in: list).first { $0.number == number }
    }
}
