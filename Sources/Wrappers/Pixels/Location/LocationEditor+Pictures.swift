// SPDX-License-Identifier: MIT

import Photos

/// Icons, OpenEXR, and the codestream of JPEG 2000.
extension LocationEditor {
    // MARK: - Icons

    /// Edits the PNGs in an icon.
    ///
    /// - Source: Microsoft, “Icons”: a directory of 16 bytes for each picture.
    mutating func editIcon(_ file: Block, _ depth: Int) throws(PixelError) {
        let count = min(Int(file.uint16(at: 4, .littleEndian) ?? 0), 200)
        var pictures = [0..<6 + count * 16]
        for index in 0..<count {
            let entry = file.dropFirst(6 + index * 16)
            guard let size = entry.uint32(at: 8, .littleEndian).map(Int.init),
                let offset = entry.uint32(at: 12, .littleEndian).map(Int.init)
            else { return }
            let picture = file.dropFirst(offset).prefix(size)
            pictures.append(offset..<offset + size)
            if case .png? = LocationContainer(Array(picture.bytes(count: 8))) {
                try edit(picture, depth: depth + 1)
            }
        }
        if isStrict { blankGaps(of: file, between: pictures) }
    }

    // MARK: - OpenEXR

    private static let maximumAttributes = 5000
    private static let maximumName = 255

    /// Overwrites texts that tell a place, and attributes that are named after one: their values with
    /// zeros, and their names with a number.
    ///
    /// - Source: OpenEXR, “OpenEXR File Layout”: lists of attributes, each a name, a type, a size and
    ///   a value; an empty name ends a list.
    mutating func editOpenEXR(_ file: Block) {
        // One list, or one for each part, and an empty one behind them.
        let hasParts = file.uint32(at: 4, .littleEndian).map { $0 & 0x1000 != 0 } ?? false
        var rest = file.dropFirst(8)
        for number in 0..<Self.maximumAttributes {
            guard let name = Self.text(at: rest) else { return }
            if name.isEmpty {
                rest = rest.dropFirst(1)
                guard hasParts, rest.bytes(count: 1).first != 0 else { return }
                continue
            }
            guard let type = Self.text(at: rest.dropFirst(name.count + 1)) else { return }
            let value = rest.dropFirst(name.count + type.count + 2)
            guard let count = value.uint32(at: 0, .littleEndian).map(Int.init) else { return }
            let content = value.dropFirst(4).prefix(count)
            if XMPNames.isPlace(key: name) {
                let digits = Array("\(number)".utf8)
                let start = [UInt8](
                    repeating: UInt8(ascii: "x"), count: max(0, name.count - digits.count))
                patch.write(start + digits, over: rest.prefix(name.count))
                blank(content)
            } else if type.elementsEqual("string".utf8) {
                editComments([content])
            }
            rest = value.dropFirst(4 + count)
        }
    }

    /// The bytes before a zero; nil if there is none.
    private static func text(at block: Block) -> ArraySlice<UInt8>? {
        let bytes = block.bytes(count: maximumName + 1)
        return bytes.firstIndex(of: 0).map { bytes[..<$0] }
    }

    // MARK: - JPEG 2000

    private static let maximumMarkers = 200_000
    /// The markers of segments that decoding needs.
    private static let neededMarkers: Set<UInt16> = [
        0xFF50, 0xFF51, 0xFF52, 0xFF53, 0xFF55, 0xFF56, 0xFF57, 0xFF58, 0xFF59, 0xFF5C, 0xFF5D,
        0xFF5E, 0xFF5F, 0xFF60, 0xFF61, 0xFF63,
    ]

    /// Edits the comments in the headers of a codestream and of its tiles.
    ///
    /// - Source: ITU-T T.800, Annex A.
    mutating func editCodestream(_ stream: Block) {
        var offset = 2
        var tile: Range<Int>?
        for _ in 0..<Self.maximumMarkers {
            guard let marker = stream.uint16(at: offset, .bigEndian) else { return }
            switch marker {
            case 0xFFD9: return blank(stream.dropFirst(offset + 2))
            // The data of a tile.
            case 0xFF93:
                guard let end = tile?.upperBound, end > offset else { return }
                offset = end
                continue
            default: break
            }
            guard let length = stream.uint16(at: offset + 2, .bigEndian).map(Int.init), length >= 2
            else { return }
            let content = stream.dropFirst(offset + 4).prefix(length - 2)
            switch marker {
            // A tile; without a size it is the last one.
            case 0xFF90:
                guard let size = content.uint32(at: 2, .bigEndian).map(Int.init), size > 0 else {
                    return
                }
                tile = offset..<offset + size
            case 0xFF64: editComment(content)
            case _ where Self.neededMarkers.contains(marker): break
            // Extensions of Part 2, which change how the picture is decoded.
            case 0xFF70...0xFF7F: break
            default: blank(content)
            }
            offset += 2 + length
        }
    }

    /// A comment is text if it says so.
    private mutating func editComment(_ content: Block) {
        let text = content.dropFirst(2)
        if content.uint16(at: 0, .bigEndian) == 1 { editComments([text]) } else { blank(text) }
    }
}
