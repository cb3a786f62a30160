// SPDX-License-Identifier: MIT

import Photos

/// Matroska and WebM: tags and attachments; what is removed becomes void elements.
///
/// - Source: RFC 8794 (EBML); RFC 9559 (Matroska); the Matroska tag specification.
extension LocationEditor {
    private struct Element {
        let id: UInt32
        /// Identifier, size and content.
        let whole: Block
        let content: Block
        /// Whether the size is unknown, as in a live stream.
        let isEndless: Bool
    }

    private enum ID {
        static let segment: UInt32 = 0x1853_8067
        static let header: UInt32 = 0x1A45_DFA3
        static let tags: UInt32 = 0x1254_C367
        static let tag: UInt32 = 0x7373
        static let simpleTag: UInt32 = 0x67C8
        static let tagName: UInt32 = 0x45A3
        static let attachments: UInt32 = 0x1941_A469
        static let attachedFile: UInt32 = 0x61A7
        static let fileData: UInt32 = 0x465C
        static let checksum: UInt32 = 0xBF
        static let void: UInt32 = 0xEC
        static let info: UInt32 = 0x1549_A966
        static let title: UInt32 = 0x7BA9
        static let tracks: UInt32 = 0x1654_AE6B
        static let chapters: UInt32 = 0x1043_A770
        static let cluster: UInt32 = 0x1F43_B675
        static let cues: UInt32 = 0x1C53_BB6B
        static let seekHead: UInt32 = 0x114D_9B74
    }

    mutating func editMatroska(_ file: Block, _ depth: Int) throws(PixelError) {
        var end = 0
        for element in try elements(in: file) {
            end = element.whole.range.upperBound - file.range.lowerBound
            switch element.id {
            case ID.header, ID.void: continue
            case ID.segment: try editSegment(element.content, depth)
            default: remove(element)
            }
        }
        blank(file.dropFirst(end))
    }

    private mutating func editSegment(_ segment: Block, _ depth: Int) throws(PixelError) {
        for element in try elements(in: segment) {
            switch element.id {
            case ID.tags:
                if isStrict { remove(element) } else { try editTags(element.content) }
            case ID.attachments: try editAttachments(element.content, depth)
            case ID.info, ID.tracks, ID.chapters, ID.cluster, ID.cues, ID.seekHead, ID.checksum:
                continue
            case ID.void: if isStrict { blank(element.content) }
            // Inside a cluster of unknown size.
            case 0xE7, 0xA3, 0xA0, 0xA7, 0xAB, 0x5854: continue
            default: remove(element)
            }
        }
    }

    // MARK: - Tags

    private mutating func editTags(_ tags: Block) throws(PixelError) {
        let before = patch.byteCount
        for tag in try elements(in: tags) where tag.id == ID.tag {
            for entry in try elements(in: tag.content) where entry.id == ID.simpleTag {
                try editTag(entry, 0)
            }
        }
        guard patch.byteCount != before else { return }
        for sum in try elements(in: tags) where sum.id == ID.checksum { remove(sum) }
    }

    private mutating func editTag(_ entry: Element, _ level: Int) throws(PixelError) {
        guard level < 8 else { throw .locationStays }
        let parts = try elements(in: entry.content)
        let name = parts.first { $0.id == ID.tagName }.map { bytes($0.content) } ?? []
        let isPlace =
            XMPNames.isPlace(key: name) || PlaceText.tellsPlace(name)
            || PlaceText.describesPlace(bytes(entry.content))
        if isPlace { return remove(entry) }
        for part in parts where part.id == ID.simpleTag { try editTag(part, level + 1) }
    }

    private mutating func editAttachments(
        _ attachments: Block, _ depth: Int
    ) throws(PixelError) {
        let before = patch.byteCount
        for file in try elements(in: attachments) where file.id == ID.attachedFile {
            for part in try elements(in: file.content) where part.id == ID.fileData {
                let head = Array(part.content.bytes(count: 4))
                // Fonts, which subtitles need.
                let isFont = [[0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8)].contains(head)
                if isFont { continue }
                if try !edit(part.content, depth: depth + 1) { remove(file) }
            }
        }
        guard patch.byteCount != before else { return }
        for sum in try elements(in: attachments) where sum.id == ID.checksum { remove(sum) }
    }

    // MARK: - Elements

    /// The elements in a block, as far as they are sound.
    private func elements(in parent: Block) throws(PixelError) -> [Element] {
        var elements: [Element] = []
        var rest = parent
        while let element = Self.element(atStartOf: rest) {
            elements.append(element)
            guard elements.count < Self.maximumBoxes * 4 else { throw .locationStays }
            rest = rest.dropFirst(element.whole.range.upperBound - rest.range.lowerBound)
        }
        return elements
    }

    private static func element(atStartOf rest: Block) -> Element? {
        let head = Array(rest.bytes(count: 12))
        guard let first = head.first, first >= 0x10 else { return nil }
        let idSize = first.leadingZeroBitCount + 1
        guard head.count > idSize, head[idSize] > 0 else { return nil }
        let id = head[..<idSize].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let lengthSize = head[idSize].leadingZeroBitCount + 1
        guard head.count >= idSize + lengthSize else { return nil }
        var length = UInt64(head[idSize]) & (0xFF >> UInt64(lengthSize))
        for byte in head[(idSize + 1)..<(idSize + lengthSize)] {
            length = length << 8 | UInt64(byte)
        }
        let isEndless = length == (1 << (7 * UInt64(lengthSize))) - 1
        let start = idSize + lengthSize
        // A cluster without a size ends with the next one: it is read as if it had no content.
        let size =
            isEndless
            ? (id == ID.segment ? rest.count - start : 0) : Int(clamping: length)
        let content = rest.dropFirst(start).prefix(size)
        return Element(
            id: id, whole: rest.prefix(start + content.count), content: content,
            isEndless: isEndless)
    }

    /// Turns an element into a void one of the same size.
    private mutating func remove(_ element: Element) {
        let size = element.whole.count
        guard size >= 2 else { return }
        var head: [UInt8]
        if size - 2 < 127 {
            head = [0xEC, 0x80 | UInt8(size - 2)]
        } else if size >= 9 {
            head = [0xEC, 0x01]
            let rest = UInt64(size - 9)
            head += [48, 40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rest >> UInt64($0)) }
        } else {
            return
        }
        patch.fill(element.whole)
        patch.write(head, over: element.whole)
    }
}
