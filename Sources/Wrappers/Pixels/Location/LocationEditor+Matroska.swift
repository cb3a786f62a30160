// SPDX-License-Identifier: MIT

import Photos

/// Matroska and WebM: tags, attachments and names; what is removed becomes void elements.
///
/// - Source: RFC 9559 (Matroska); the Matroska tag specification.
extension LocationEditor {
    private typealias ID = MatroskaElement.ID

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
        let elements = try elements(in: segment)
        for element in elements {
            switch element.id {
            case ID.tags:
                if isStrict { remove(element) } else { try editTags(element.content) }
            case ID.attachments: try editAttachments(element.content, depth)
            case ID.chapters where isStrict: remove(element)
            case ID.info, ID.chapters: try editNames(in: element)
            case ID.tracks:
                try editNames(in: element)
                try editTracks(element, of: elements)
            case ID.cluster, ID.cues, ID.seekHead, ID.checksum: continue
            case ID.void: if isStrict { blank(element.content) }
            // Inside a cluster of unknown size.
            case ID.clusterTime, ID.simpleBlock, ID.blockGroup, ID.clusterPosition,
                ID.previousSize, ID.silentTracks:
                continue
            default: remove(element)
            }
        }
    }

    // MARK: - Names

    /// Elements that contain names, or elements with names.
    private static let named: Set<UInt32> = [
        ID.track, ID.edition, ID.editionDisplay, ID.chapter, ID.chapterDisplay,
    ]
    /// Names and titles that people or programs write.
    private static let names: Set<UInt32> = [
        ID.title, ID.fileName, ID.previousFileName, ID.nextFileName, ID.muxer, ID.writer,
        ID.trackName, ID.codecName, ID.editionName, ID.chapterName,
    ]

    /// Empties the names that tell a place.
    private mutating func editNames(
        in parent: MatroskaElement, _ level: Int = 0
    ) throws(PixelError) {
        guard level < 16 else { throw .locationStays }
        let parts = try elements(in: parent.content)
        let before = patch.byteCount
        for part in parts {
            if Self.named.contains(part.id) {
                try editNames(in: part, level + 1)
            } else if Self.names.contains(part.id),
                isStrict || PlaceText.describesPlace(bytes(part.content))
            {
                // Zeros end a text, and some of the names must not be missing.
                blank(part.content)
            }
        }
        removeChecksums(parts, unless: before)
    }

    // MARK: - Tags

    private mutating func editTags(_ tags: Block) throws(PixelError) {
        let parts = try elements(in: tags)
        let before = patch.byteCount
        for tag in parts where tag.id == ID.tag {
            for entry in try elements(in: tag.content) where entry.id == ID.simpleTag {
                try editTag(entry, 0)
            }
        }
        removeChecksums(parts, unless: before)
    }

    private mutating func editTag(_ entry: MatroskaElement, _ level: Int) throws(PixelError) {
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
        let parts = try elements(in: attachments)
        let before = patch.byteCount
        for file in parts where file.id == ID.attachedFile {
            for part in try elements(in: file.content) where part.id == ID.fileData {
                let head = Array(part.content.bytes(count: 4))
                // Fonts, which subtitles need.
                let isFont = [[0, 1, 0, 0], Array("OTTO".utf8), Array("true".utf8)].contains(head)
                if isFont { continue }
                if try !edit(part.content, depth: depth + 1) { remove(file) }
            }
        }
        removeChecksums(parts, unless: before)
    }

    // MARK: - Elements

    /// The elements in a block, as far as they are sound.
    func elements(in parent: Block) throws(PixelError) -> [MatroskaElement] {
        var elements: [MatroskaElement] = []
        var rest = parent
        while let element = MatroskaElement(atStartOf: rest) {
            elements.append(element)
            guard elements.count < Self.maximumBoxes * 4 else { throw .locationStays }
            rest = rest.dropFirst(element.whole.range.upperBound - rest.range.lowerBound)
        }
        return elements
    }

    /// Removes the checksums of elements that were changed since `byteCount` bytes had been.
    mutating func removeChecksums(_ parts: [MatroskaElement], unless byteCount: Int) {
        guard patch.byteCount != byteCount else { return }
        for sum in parts where sum.id == ID.checksum { remove(sum) }
    }

    /// Turns an element into a void one of the same size.
    mutating func remove(_ element: MatroskaElement) {
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
