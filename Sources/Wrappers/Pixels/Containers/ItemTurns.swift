// SPDX-License-Identifier: MIT

import Photos

/// How a HEIF file turns its picture.
///
/// - Source: ISO/IEC 14496-12, 8.11.14 (`ipma`); ISO/IEC 23008-12, 6.5.10 (`irot`).
enum ItemTurns {
    private static let maximumBoxes = 256
    private static let maximumItems = 10_000
    /// The pictures that are not made of others with turns of their own.
    private static let types = ["hvc1", "av01", "grid"]

    /// How often the picture is turned by 90° to the left.
    ///
    /// - Parameter metadata: The content of the `meta` box, behind its version.
    /// - Returns: 0 also if the picture is changed in another way, or cannot be found.
    static func count(in metadata: Block?) -> Int {
        guard let metadata else { return 0 }
        let boxes = ISOBox.boxes(in: metadata, atMost: maximumBoxes)
        guard let item = ItemEntry.primary(in: boxes), types.contains(item.type),
            let all = ISOBox.content(of: "iprp", "ipco", in: metadata),
            let associations = ISOBox.content(of: "iprp", "ipma", in: metadata)
        else { return 0 }
        let properties = ISOBox.boxes(in: all, atMost: maximumBoxes)
        var turns = 0
        for index in indices(of: item.number, in: associations)
        where properties.indices.contains(index) {
            switch properties[index].name {
            case "irot": turns += Int(properties[index].content.bytes(count: 1).first ?? 0) & 3
            case "imir", "clap": return 0
            default: break
            }
        }
        return turns & 3
    }

    /// How a picture that is turned so often is stored.
    static func orientation(of turns: Int) -> Orientation {
        [.upright, .turnedLeft, .turnedAround, .turnedRight][turns & 3]
    }

    /// The positions of an item's properties among all.
    private static func indices(of wanted: UInt32, in content: Block) -> [Int] {
        guard let count = content.uint32(at: 4, .bigEndian),
            let head = content.uint32(at: 0, .bigEndian)
        else { return [] }
        let numberWidth = head >> 24 == 0 ? 2 : 4
        let indexWidth = head & 1 == 0 ? 1 : 2
        var place = 8
        for _ in 0..<min(Int(count), maximumItems) {
            guard let item = content.number(at: place, width: numberWidth, .bigEndian),
                let length = content.bytes(at: place + numberWidth, count: 1).first.map(Int.init)
            else { return [] }
            place += numberWidth + 1
            if item == wanted {
                let bytes = content.bytes(at: place, count: length * indexWidth)
                return stride(from: 0, to: length * indexWidth, by: indexWidth).compactMap {
                    start in
                    let index = bytes.dropFirst(start).prefix(indexWidth)
                    guard index.count == indexWidth else { return nil }
                    // The highest bit says whether a reader must know the property; 0 is none.
                    let number = index.reduce(0) { $0 << 8 | Int($1) }
                    return (number & ((1 << (indexWidth * 8 - 1)) - 1)) - 1
                }
            }
            place += length * indexWidth
        }
        return []
    }
}
