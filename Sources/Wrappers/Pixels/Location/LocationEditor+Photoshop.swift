// SPDX-License-Identifier: MIT

import Photos

/// The files that layers of a Photoshop document link to, and which the document contains.
///
/// - Source: Adobe, “Photoshop File Formats Specification”, “Layer and Mask Information Section” and
///   “Linked Layer”.
extension LocationEditor {
    private static let linkedFiles: Set<String> = ["lnkD", "lnk2", "lnk3", "lnkE"]
    /// Their sizes have eight bytes in a large document.
    private static let largeBlocks: Set<String> = [
        "LMsk", "Lr16", "Lr32", "Layr", "Mt16", "Mt32", "Mtrn", "Alph", "FMsk", "lnk2", "FEid",
        "FXid", "PxSD",
    ]
    private static let maximumBlocks = 10_000
    /// How far from the end of its record a file may end.
    private static let maximumTail = 4096

    mutating func editLinkedFiles(in file: Block, _ depth: Int) throws(PixelError) {
        let isLarge = file.uint16(at: 4, .bigEndian) == 2
        let width = isLarge ? 8 : 4
        func skip(_ block: Block, _ width: Int) -> (content: Block, rest: Block)? {
            guard let size = block.number(at: 0, width: width, .bigEndian) else { return nil }
            let content = block.dropFirst(width)
            return (content.prefix(size), content.dropFirst(min(size, content.count)))
        }
        // A table of colours, the resources, then the section with the layers, and a mask.
        guard let colours = skip(file.dropFirst(26), 4), let resources = skip(colours.rest, 4),
            let section = skip(resources.rest, width), let layers = skip(section.content, width),
            let mask = skip(layers.rest, 4)
        else { return }
        var rest = mask.rest
        for _ in 0..<Self.maximumBlocks {
            // Blocks begin at even offsets, or at multiples of four.
            var padding = 0
            while padding < 4, rest.bytes(at: padding, count: 1).first == 0 { padding += 1 }
            rest = rest.dropFirst(padding)
            let name = String(decoding: rest.bytes(at: 4, count: 4), as: UTF8.self)
            let isWide = isLarge && Self.largeBlocks.contains(name)
            guard rest.starts(with: "8B".utf8), let block = skip(rest.dropFirst(8), isWide ? 8 : 4)
            else { return }
            if Self.linkedFiles.contains(name) { try editLinks(block.content, depth) }
            rest = block.rest
        }
    }

    private mutating func editLinks(_ links: Block, _ depth: Int) throws(PixelError) {
        var rest = links
        while let size = rest.number(at: 0, width: 8, .bigEndian), size > 0, size <= rest.count {
            let record = rest.dropFirst(8).prefix(size)
            if let file = Self.linkedFile(in: record) { try edit(file, depth: depth + 1) }
            rest = rest.dropFirst(8).dropFirst((size + 3) / 4 * 4)
        }
    }

    /// The file in a record, which follows a header whose size is not known.
    private static func linkedFile(in record: Block) -> Block? {
        // A version, an identifier, a name, and two codes.
        guard let identifier = record.bytes(at: 8, count: 1).first.map(Int.init),
            let name = record.uint32(at: 9 + identifier, .bigEndian).map(Int.init),
            let size = record.number(
                at: 13 + identifier + 2 * name + 8, width: 8, .bigEndian), size > 0,
            size < record.count
        else { return nil }
        let header = 13 + identifier + 2 * name + 8 + 8
        let last = record.count - size
        guard header <= last else { return nil }
        return (max(header, last - maximumTail)...last).lazy
            .map { record.dropFirst($0).prefix(size) }
            .first { LocationContainer(Array($0.bytes(count: 16))) != nil }
    }
}
