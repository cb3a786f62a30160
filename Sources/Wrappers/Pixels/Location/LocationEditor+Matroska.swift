// SPDX-License-Identifier: MIT

import Photos

/// Matroska and WebM: tags, attachments and names; what is removed becomes void elements.
///
/// - Source: RFC 9559 (Matroska); the Matroska tag specification.
extension LocationEditor {
    private typealias ID = MatroskaElement.ID

    mutating func editMatroska(_ file: Block, _ depth: Int) throws(PixelError) {
        var offset = 0
        // Where the next part or segment starts.
        var next = 0
        while offset < file.count {
            let rest = file.dropFirst(offset)
            if next <= offset {
                next = MatroskaParts.firstPart(in: file, from: offset + 1) ?? file.count
            }
            guard let element = MatroskaElement(atStartOf: rest) else {
                blank(rest.prefix(next - offset))
                offset = next
                continue
            }
            let after = offset + element.whole.count
            switch element.id {
            case ID.segment:
                offset = after - element.content.count
                let parts = MatroskaParts(file.dropFirst(offset), size: element.content.count)
                offset += try editSegment(parts, depth)
            case _ where ID.parts.contains(element.id):
                // A segment without a head.
                offset += max(try editSegment(MatroskaParts(rest, size: 0), depth), 1)
            case ID.header: offset = min(after, next)
            case ID.void where after <= next:
                if isStrict { blank(element.content) }
                offset = after
            default:
                blank(rest.prefix(next - offset))
                offset = next
            }
        }
    }

    /// - Returns: The number of bytes of the segment.
    private mutating func editSegment(
        _ start: MatroskaParts, _ depth: Int
    ) throws(PixelError) -> Int {
        var tracks: [MatroskaElement] = []
        var parts = start
        while let part = try parts.next() {
            switch part {
            case .media: continue
            case .element(let element):
                if element.id == ID.tracks { tracks.append(element) }
                try edit(element, depth)
            case .unknown(let element, let isInCluster):
                if !isInCluster {
                    remove(element)
                } else if PlaceText.describesPlace(bytes(element.content)) {
                    throw .locationStays
                }
            case .gap(let gap, let isInCluster):
                guard PlaceText.describesPlace(bytes(gap)) else { continue }
                // It may be a part of a picture.
                if isInCluster { throw .locationStays }
                patch.fill(gap)
            }
        }
        for track in tracks { try editTracks(track, of: start) }
        return parts.offset
    }

    private mutating func edit(
        _ element: MatroskaElement, _ depth: Int
    ) throws(PixelError) {
        switch element.id {
        case ID.seekHead, ID.cues, ID.checksum: return
        case ID.void:
            if isStrict { blank(element.content) }
            return
        case ID.attachments: return try editAttachments(element.content, depth)
        default: break
        }
        // Nothing may be overwritten that only a wrong size makes a part of the metadata.
        if element.id != ID.tracks, MatroskaParts.containsMedia(element.content) {
            throw .locationStays
        }
        switch element.id {
        case ID.tags:
            if isStrict { remove(element) } else { try editTags(element) }
        case ID.chapters where isStrict: remove(element)
        default: try editNames(in: element)
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
        ID.trackName, ID.codecName, ID.editionName, ID.chapterName, ID.chapterKey,
        ID.attachmentName, ID.attachmentDescription, ID.attachmentType,
    ]

    /// Empties the names that tell a place.
    private mutating func editNames(
        in parent: MatroskaElement, _ level: Int = 0
    ) throws(PixelError) {
        guard level < 16 else { throw .locationStays }
        let parts = try elements(in: parent.content)
        if PlaceText.describesPlace(bytes(rest(of: parent.content, behind: parts))) {
            throw .locationStays
        }
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

    /// More tags than a file has.
    private static let maximumEntries = 20_000

    private mutating func editTags(_ tags: MatroskaElement) throws(PixelError) {
        let parts = try elements(in: tags.content)
        guard isRead(tags, parts) else { return remove(tags) }
        let before = patch.byteCount
        for tag in parts {
            switch tag.id {
            case ID.tag: try editTag(tag)
            // In a place where few readers look for it.
            case ID.simpleTag: try editEntry(tag, 0)
            case ID.void, ID.checksum: continue
            default: remove(tag)
            }
        }
        removeChecksums(parts, unless: before)
    }

    private mutating func editTag(_ tag: MatroskaElement) throws(PixelError) {
        let parts = try elements(in: tag.content)
        guard isRead(tag, parts) else { return remove(tag) }
        for part in parts {
            switch part.id {
            case ID.simpleTag: try editEntry(part, 0)
            case ID.targets:
                if PlaceText.describesPlace(bytes(part.content)) { return remove(tag) }
            case ID.void, ID.checksum: continue
            default: remove(part)
            }
        }
    }

    private mutating func editEntry(_ entry: MatroskaElement, _ level: Int) throws(PixelError) {
        entries += 1
        guard level < 8, entries < Self.maximumEntries else { throw .locationStays }
        let parts = try elements(in: entry.content)
        let isPlace = parts.contains { part in
            guard part.id == ID.tagName else { return false }
            let name = bytes(part.content).filter { $0 != 0 }
            return XMPNames.isPlace(key: name) || PlaceText.tellsPlace(name)
        }
        if isPlace || !isRead(entry, parts) || PlaceText.describesPlace(bytes(entry.content)) {
            return remove(entry)
        }
        for part in parts where part.id == ID.simpleTag { try editEntry(part, level + 1) }
    }

    // MARK: - Attachments

    private mutating func editAttachments(
        _ attachments: Block, _ depth: Int
    ) throws(PixelError) {
        let parts = try elements(in: attachments)
        if PlaceText.describesPlace(bytes(rest(of: attachments, behind: parts))) {
            throw .locationStays
        }
        let before = patch.byteCount
        for file in parts where file.id == ID.attachedFile {
            for part in try elements(in: file.content) where part.id == ID.fileData {
                // Subtitles need their fonts.
                if EmbeddedFont.isHarmless(bytes(part.content)) { continue }
                if try !edit(part.content, depth: depth + 1) {
                    if MatroskaParts.containsMedia(file.content) { throw .locationStays }
                    remove(file)
                }
            }
            try editNames(in: file)
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

    /// What follows the sound elements in a block.
    private func rest(of parent: Block, behind parts: [MatroskaElement]) -> Block {
        guard let last = parts.last else { return parent }
        return parent.dropFirst(last.whole.range.upperBound - parent.range.lowerBound)
    }

    /// Whether nothing but zeros follows the sound elements.
    private func isRead(_ parent: MatroskaElement, _ parts: [MatroskaElement]) -> Bool {
        bytes(rest(of: parent.content, behind: parts)).allSatisfy { $0 == 0 }
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
