// SPDX-License-Identifier: MIT

import Photos

/// The layers of a Photoshop document: their names, and the files that they link to, which it contains.
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

    mutating func editLayers(in file: Block, _ depth: Int) throws(PixelError) {
        let isLarge = file.uint16(at: 4, .bigEndian) == 2
        let width = isLarge ? 8 : 4
        // A table of colours, the resources, then the section with the layers, and a mask.
        guard let colours = Self.sized(file.dropFirst(26), 4),
            let resources = Self.sized(colours.rest, 4),
            let section = Self.sized(resources.rest, width),
            let layers = Self.sized(section.content, width)
        else { return }
        editNames(in: layers.content, isLarge)
        guard let mask = Self.sized(layers.rest, 4) else { return }
        for block in Self.blocks(in: mask.rest, isLarge) {
            if Self.linkedFiles.contains(block.name) { try editLinks(block.content, depth) }
            // The layers of a document with more than eight bits.
            if ["Lr16", "Lr32", "Layr"].contains(block.name) {
                editNames(in: block.content, isLarge)
            }
        }
    }

    /// What follows its size, and what is behind it.
    private static func sized(_ block: Block, _ width: Int) -> (content: Block, rest: Block)? {
        guard let size = block.number(at: 0, width: width, .bigEndian) else { return nil }
        let content = block.dropFirst(width)
        return (content.prefix(size), content.dropFirst(min(size, content.count)))
    }

    /// Blocks of additional data.
    private static func blocks(
        in block: Block, _ isLarge: Bool
    ) -> [(name: String, content: Block)] {
        var blocks: [(name: String, content: Block)] = []
        var rest = block
        while blocks.count < maximumBlocks {
            // Blocks begin at even offsets, or at multiples of four.
            var padding = 0
            while padding < 4, rest.bytes(at: padding, count: 1).first == 0 { padding += 1 }
            rest = rest.dropFirst(padding)
            let name = String(decoding: rest.bytes(at: 4, count: 4), as: UTF8.self)
            let isWide = isLarge && largeBlocks.contains(name)
            guard rest.starts(with: "8B".utf8), let block = sized(rest.dropFirst(8), isWide ? 8 : 4)
            else { break }
            blocks.append((name, block.content))
            rest = block.rest
        }
        return blocks
    }

    // MARK: - Names

    private static let maximumLayers = 10_000
    /// A rectangle precedes the channels; a mode and flags follow them.
    private static let rectangleSize = 16
    private static let modeSize = 12

    /// Overwrites names of layers that tell a place.
    private mutating func editNames(in layers: Block, _ isLarge: Bool) {
        // Less than zero if the first layer is transparent.
        let count = layers.uint16(at: 0, .bigEndian).map { Int(Int16(bitPattern: $0).magnitude) }
        var rest = layers.dropFirst(2)
        for _ in 0..<min(count ?? 0, Self.maximumLayers) {
            guard let channels = rest.uint16(at: Self.rectangleSize, .bigEndian).map(Int.init),
                let extra = Self.sized(
                    rest.dropFirst(
                        Self.rectangleSize + 2 + channels * (isLarge ? 10 : 6) + Self.modeSize), 4),
                let mask = Self.sized(extra.content, 4), let ranges = Self.sized(mask.rest, 4),
                let length = ranges.rest.bytes(count: 1).first.map(Int.init)
            else { return }
            let name = ranges.rest.dropFirst(1).prefix(length)
            if PlaceText.describesPlace(bytes(name)) {
                patch.fill(name, with: UInt8(ascii: " "))
            }
            // The size and the name fill a multiple of four bytes.
            let behind = ranges.rest.dropFirst((1 + length + 3) / 4 * 4)
            for block in Self.blocks(in: behind, isLarge) where block.name == "luni" {
                // The name in UTF-16, behind its length.
                let name = block.content.dropFirst(4)
                if PlaceText.describesPlace(bytes(name)) { blank(name) }
            }
            rest = extra.rest
        }
    }

    // MARK: - Linked files

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
