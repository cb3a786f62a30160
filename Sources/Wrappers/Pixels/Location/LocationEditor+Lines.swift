// SPDX-License-Identifier: MIT

import Photos

/// Formats whose metadata is lines of text before the picture: Netpbm and Radiance.
///
/// A comment that tells a place becomes an empty one.
extension LocationEditor {
    /// A longer header is not searched for its end.
    private static let maximumLines = 1 << 20

    // MARK: - Comments

    /// Overwrites texts that tell a place, each or together with the next one, with spaces.
    mutating func editComments(_ comments: [Block], with filler: UInt8 = 0x20) {
        let texts = comments.map { Array($0.bytes(count: min($0.count, 65_536))) }
        var harmful = Set(texts.indices.filter { isStrict || PlaceText.describesPlace(texts[$0]) })
        // The latitude may be in one line, and the longitude in the next.
        let alone = harmful
        for (index, pair) in zip(texts, texts.dropFirst()).enumerated()
        where alone.isDisjoint(with: [index, index + 1])
            && PlaceText.tellsPosition(pair.0 + [0x0A] + pair.1)
        {
            harmful.formUnion([index, index + 1])
        }
        for index in harmful.sorted() where texts[index].contains(where: { $0 != filler }) {
            patch.fill(comments[index], with: filler)
        }
    }

    // MARK: - Netpbm

    /// - Source: Netpbm, pbm(5), pgm(5), ppm(5), pam(5).
    mutating func editNetpbm(_ file: Block) {
        var comments: [Block] = []
        var rest = file
        // Several pictures may follow each other.
        for _ in 0..<1000 {
            let kind = rest.bytes(at: 1, count: 1).first ?? 0
            guard rest.starts(with: "P".utf8), "1234567Ff".utf8.contains(kind) else { break }
            let header: (end: Int, size: Int?)
            switch kind {
            case 0x31...0x33: header = (editPlain(rest, &comments), nil)
            case 0x37: header = parseNamed(rest, &comments)
            default: header = parseNumbered(rest, kind, &comments)
            }
            guard let size = header.size else { return editComments(comments) }
            rest = rest.dropFirst(header.end).dropFirst(size)
        }
        editComments(comments)
        blank(rest)
    }

    /// Finds the comments of a picture whose samples are written as text, and overwrites what is
    /// neither a number nor a comment.
    ///
    /// - Returns: The end of the file, because nobody writes two of them.
    private mutating func editPlain(_ file: Block, _ comments: inout [Block]) -> Int {
        let bytes = file.bytes(at: 2, count: Self.maximumMetadata * 4)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            let start = index
            if byte == UInt8(ascii: "#") {
                index = bytes[index...].firstIndex(where: Self.endsLine) ?? bytes.endIndex
                comments.append(
                    file.dropFirst(3 + start - bytes.startIndex).prefix(index - start - 1))
            } else if Self.isSpace(byte) || (0x30...0x39).contains(byte) {
                index += 1
            } else {
                index =
                    bytes[index...].firstIndex { Self.isSpace($0) || $0 == UInt8(ascii: "#") }
                    ?? bytes.endIndex
                patch.fill(
                    file.dropFirst(2 + start - bytes.startIndex).prefix(index - start), with: 0x20)
            }
        }
        return file.count
    }

    /// Reads a header of numbers, between which there may be comments.
    ///
    /// - Returns: The offset of the pixels, and their number of bytes, if they can be computed.
    private func parseNumbered(
        _ file: Block, _ kind: UInt8, _ comments: inout [Block]
    ) -> (end: Int, size: Int?) {
        let bytes = file.bytes(count: Self.maximumLines)
        var index = bytes.startIndex + 2
        var values: [Substring] = []
        let text = { (range: Range<Int>) in Substring(decoding: bytes[range], as: UTF8.self) }
        let wanted = kind == UInt8(ascii: "4") ? 2 : 3
        func readComment() {
            let end = bytes[index...].firstIndex(where: Self.endsLine) ?? bytes.endIndex
            comments.append(
                file.dropFirst(index + 1 - bytes.startIndex).prefix(end - index - 1))
            index = end
        }
        while values.count < wanted, index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "#") {
                readComment()
            } else if Self.isSpace(bytes[index]) {
                index += 1
            } else {
                let end =
                    bytes[index...].firstIndex { Self.isSpace($0) || $0 == UInt8(ascii: "#") }
                    ?? bytes.endIndex
                values.append(text(index..<end))
                index = end
            }
        }
        // A comment may follow the last number without a space.
        if index < bytes.endIndex, bytes[index] == UInt8(ascii: "#") { readComment() }
        let end = index + 1 - bytes.startIndex
        guard values.count == wanted, let width = Int(values[0]), let height = Int(values[1]) else {
            return (end, nil)
        }
        switch kind {
        case UInt8(ascii: "4"):
            return (end, Self.product([(width.clampedAdding(7)) / 8, height]))
        case UInt8(ascii: "5"), UInt8(ascii: "6"):
            guard let most = Int(values[2]) else { return (end, nil) }
            let samples = kind == UInt8(ascii: "6") ? 3 : 1
            return (end, Self.product([width, height, samples, most > 255 ? 2 : 1]))
        default:
            return (end, Self.product([width, height, kind == UInt8(ascii: "F") ? 12 : 4]))
        }
    }

    /// Reads a header of lines with a name and a value; other lines are overwritten.
    private mutating func parseNamed(
        _ file: Block, _ comments: inout [Block]
    ) -> (end: Int, size: Int?) {
        var sizes: [String: Int] = [:]
        var offset = 3
        let bytes = file.bytes(count: Self.maximumLines)
        while offset < bytes.count {
            let line = bytes.dropFirst(offset).prefix { $0 != 0x0A }
            let block = file.dropFirst(offset).prefix(line.count)
            offset += line.count + 1
            if line.first == UInt8(ascii: "#") {
                comments.append(block.dropFirst(1))
                continue
            }
            let words = Substring(decoding: line, as: UTF8.self).split(separator: " ")
            switch words.first {
            case "ENDHDR"?:
                let width = (sizes["MAXVAL"] ?? 0) > 255 ? 2 : 1
                let sides = ["WIDTH", "HEIGHT", "DEPTH"].compactMap { sizes[$0] }
                return (offset, sides.count == 3 ? Self.product(sides + [width]) : nil)
            case "WIDTH"?, "HEIGHT"?, "DEPTH"?, "MAXVAL"?:
                if let name = words.first, let value = words.last.flatMap({ Int($0) }) {
                    sizes[String(name)] = value
                }
            case "TUPLTYPE"?, nil: continue
            default: patch.fill(block, with: 0x20)
            }
        }
        return (offset, nil)
    }

    /// The product of sizes; nil if one is negative or the product is not a number of bytes.
    static func product(_ factors: [Int]) -> Int? {
        var product = 1
        for factor in factors {
            let (next, overflows) = product.multipliedReportingOverflow(by: factor)
            guard factor >= 0, !overflows else { return nil }
            product = next
        }
        return product
    }

    private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    // MARK: - Radiance

    /// Variables that describe the picture as such; `VIEW` is a direction in a scene.
    private static let variables: Set<String> = [
        "format", "exposure", "colorcorr", "pixaspect", "view", "primaries", "gamma", "software",
        "capdate", "gmt",
    ]

    /// - Source: Radiance, “File formats”, “Picture file format”: lines up to an empty one; each is a
    ///   comment, a variable, or a command that made the picture.
    mutating func editRadiance(_ file: Block) {
        let bytes = file.bytes(count: Self.maximumLines)
        // After the line that names the format.
        var offset = bytes.prefix { $0 != 0x0A }.count + 1
        var free: [Block] = []
        while offset < bytes.count {
            let line = bytes.dropFirst(offset).prefix { $0 != 0x0A }
            let block = file.dropFirst(offset).prefix(line.count)
            offset += line.count + 1
            if line.allSatisfy(Self.isSpace) { break }
            let isComment = line.first == UInt8(ascii: "#")
            if !isComment, let equals = line.firstIndex(of: UInt8(ascii: "=")),
                !line[..<equals].contains(0x20)
            {
                let name = String(decoding: line[..<equals], as: UTF8.self).lowercased()
                if Self.variables.contains(name) { continue }
                if XMPNames.isPlace(name) {
                    patch.fill(block, with: UInt8(ascii: "#"))
                    continue
                }
            } else if !isComment {
                // Numbers in a command mean places in a scene.
                if isStrict || PlaceText.namesPosition(line) {
                    patch.fill(block, with: UInt8(ascii: "#"))
                }
                continue
            }
            free.append(isComment ? block.dropFirst(1) : block)
        }
        editComments(free, with: UInt8(ascii: "#"))
    }
}

extension Int {
    /// The sum, or the greatest number if there is none that large.
    fileprivate func clampedAdding(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
