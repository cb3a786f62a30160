// SPDX-License-Identifier: MIT

import Photos

/// TGA: the text before the picture, and the areas behind it.
///
/// - Source: Truevision, “Truevision TGA File Format Specification”, version 2.0.
extension LocationEditor {
    private static let headerSize = 18
    private static let footer = Array("TRUEVISION-XFILE".utf8)
    private static let footerSize = 26
    /// The size of the extension area, and where its texts are: the author, four lines of comments,
    /// the name of a job.
    private static let extensionSize = 495
    private static let texts = [(2, 41), (43, 81), (124, 81), (205, 81), (286, 81), (379, 41)]

    /// What is not known, such as the developer area, is overwritten.
    mutating func editTarga(_ file: Block) {
        let header = file.reader(count: Self.headerSize, .littleEndian)
        guard let textSize = header.uint8(at: 0), let count = header.uint16(at: 5),
            let depth = header.uint8(at: 7)
        else { return }
        editComments([file.dropFirst(Self.headerSize).prefix(Int(textSize))])
        let start =
            Self.headerSize + Int(textSize)
            + (header.uint8(at: 1) == 1 ? Int(count) * ((Int(depth) + 7) / 8) : 0)
        var known = [0..<Self.pixelsEnd(file, header, start)]
        let areas = file.count - Self.footerSize
        if areas >= known[0].upperBound, file.starts(with: Self.footer, at: areas + 8) {
            known.append(areas..<file.count)
            if let offset = file.uint32(at: areas, .littleEndian).map(Int.init), offset > 0,
                let area = file.part(at: offset, count: Self.extensionSize)
            {
                known += editExtension(area, at: offset, of: file, header)
            }
        }
        blankGaps(of: file, between: known)
    }

    /// The offset behind the pixels.
    private static func pixelsEnd(_ file: Block, _ header: ByteReader, _ start: Int) -> Int {
        guard let kind = header.uint8(at: 2), let width = header.uint16(at: 12),
            let height = header.uint16(at: 14), let bits = header.uint8(at: 16)
        else { return file.count }
        let size = (Int(bits) + 7) / 8
        let pixels = Int(width) * Int(height)
        guard kind & 8 != 0 else { return min(start + pixels * size, file.count) }
        let bytes = file.bytes(at: start, count: file.count)
        var index = bytes.startIndex
        var done = 0
        while done < pixels, index < bytes.endIndex {
            let run = Int(bytes[index] & 0x7F) + 1
            index += 1 + (bytes[index] & 0x80 != 0 ? size : run * size)
            done += run
        }
        return min(start + index - bytes.startIndex, file.count)
    }

    /// Edits the extension area.
    ///
    /// - Returns: Its range, and those of the table of rows, the small picture and the table of
    ///   colours.
    private mutating func editExtension(
        _ area: Block, at offset: Int, of file: Block, _ header: ByteReader
    ) -> [Range<Int>] {
        editComments(
            Self.texts.compactMap { area.part(at: $0.0, count: $0.1) }, with: 0)
        var known = [offset..<offset + Self.extensionSize]
        func add(_ field: Int, _ count: (Block) -> Int) {
            guard let start = area.uint32(at: field, .littleEndian).map(Int.init), start > 0 else {
                return
            }
            known.append(start..<start + count(file.dropFirst(start)))
        }
        // Four numbers of 16 bits for each of 256 levels; an offset for each row.
        add(482) { _ in 2048 }
        add(490) { _ in 4 * Int(header.uint16(at: 14) ?? 0) }
        // A small picture after its width and height.
        let size = (Int(header.uint8(at: 16) ?? 0) + 7) / 8
        add(486) { picture in
            2 + picture.bytes(count: 2).reduce(1) { $0 * Int($1) } * size
        }
        return known
    }
}
