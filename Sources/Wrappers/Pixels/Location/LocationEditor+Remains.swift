// SPDX-License-Identifier: MIT

import Photos

/// What other programs cannot see, or leave behind, in ISO files: free space, remains between the
/// samples, and the JPEG that JPEG XL can restore.
///
/// - Source: ISO/IEC 14496-12, 8.1; ISO/IEC 18181-2, 9.10; for makers' data, ExifTool's tables of
///   QuickTime.
extension LocationEditor {
    /// Larger free space is not read; it is searched.
    private static let maximumSpace = 32 << 20
    /// A longer text in free space is not the name of a program.
    private static let maximumName = 64 << 10
    /// Larger files are not restored.
    private static let maximumFile = 64 << 20
    /// Kodak's and Canon's facts about the camera, behind a size.
    private static let cameraFacts = ["Seri", "CNDB", "CNCV", "CNMN", "CNFV", "CNTH", "CNDM"]

    /// Overwrites free space, unless it is empty, or contains a text without a place, such as the name
    /// of the program that wrote the file.
    mutating func editFreeSpace(_ box: ISOBox) {
        if isStrict { return blank(box.content) }
        let content = box.content.prefix(Self.maximumSpace)
        let bytes = content.bytes(count: content.count)
        guard let first = bytes.first, bytes.contains(where: { $0 != first }) else { return }
        if Self.cameraFacts.contains(where: { content.starts(with: $0.utf8, at: 4) }) { return }
        let text = bytes.prefix { $0 != 0 }
        let isText =
            text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
            && bytes[text.endIndex...].allSatisfy { $0 == 0 }
        if isText, text.count <= Self.maximumName, !PlaceText.describesPlace(text) { return }
        patch.fill(content)
    }

    // MARK: - Dashcams

    private static let position = Array("GPS ".utf8)
    private static let freePosition = Array("freeGPS ".utf8)
    private static let maximumPositions = 100_000

    /// Removes a list of positions, and the boxes between the samples that contain them.
    mutating func removePositions(listedIn box: ISOBox, of file: Block) {
        // A version, the number of positions, and the offset and size of each.
        let count = box.content.uint32(at: 4, .bigEndian).map(Int.init) ?? 0
        for index in 0..<min(count, Self.maximumPositions) {
            let entry = box.content.dropFirst(8 + 8 * index)
            guard let offset = entry.uint32(at: 0, .bigEndian).map(Int.init),
                let size = entry.uint32(at: 4, .bigEndian).map(Int.init)
            else { break }
            let position = file.dropFirst(offset).prefix(size)
            if position.starts(with: Self.position, at: 8) {
                blank(position.dropFirst(8))
            }
        }
        remove(box)
    }

    /// Overwrites positions between samples that no list names.
    private mutating func removePositions(in media: Block) {
        let window = 4 << 20
        var offset = 0
        while true {
            let bytes = media.bytes(at: offset, count: window)
            var position = bytes.startIndex
            while let found = bytes.firstIndex(of: Self.freePosition, from: position) {
                position = found + Self.freePosition.count
                let start = offset + found - bytes.startIndex
                let size = media.uint32(at: start - 4, .bigEndian).map(Int.init) ?? 0
                // The box begins with its size.
                blank(media.dropFirst(start + 4).prefix(min(size, 1 << 20) - 8))
            }
            guard bytes.count == window else { return }
            offset += window - 64
        }
    }

    // MARK: - Remains

    /// Overwrites what no track and no item refers to.
    ///
    /// In videos only if the search found something, because it is not known what else may refer to it.
    mutating func editRemains(_ boxes: [ISOBox], in file: Block, isFragmented: Bool) {
        let media = boxes.filter { $0.name == "mdat" }.map(\.content)
        let isVideo = boxes.contains { $0.name == "moov" }
        // Searching a file that is in memory takes no time.
        if isVideo, isStrict || file.count <= Self.maximumFile {
            media.forEach { removePositions(in: $0) }
        }
        guard !isVideo || isStrict, !isFragmented, !media.isEmpty,
            let used = Self.references(boxes, in: file), !used.isEmpty
        else { return }
        for block in media {
            var start = block.range.lowerBound
            for range in used {
                let range = range.clamped(to: block.range)
                if range.isEmpty { continue }
                if range.lowerBound > start { blankRest(of: block, start..<range.lowerBound) }
                start = max(start, range.upperBound)
            }
            blankRest(of: block, start..<block.range.upperBound)
        }
    }

    private mutating func blankRest(of block: Block, _ range: Range<Int>) {
        blank(block.dropFirst(range.lowerBound - block.range.lowerBound).prefix(range.count))
    }

    /// The parts of a file that tracks and items consist of, in order; nil if not all are known.
    private static func references(_ boxes: [ISOBox], in file: Block) -> [Range<Int>]? {
        var ranges: [Range<Int>] = []
        for box in boxes {
            switch box.name {
            case "meta":
                let parts = ISOBox.boxes(in: box.content.dropFirst(4), atMost: 1000)
                guard let list = parts.first(where: { $0.name == "iloc" }) else { continue }
                guard let places = ItemPlaces(list.content), places.isComplete,
                    places.derived.isEmpty
                else { return nil }
                for extent in places.extents.values.joined() where !extent.isInside {
                    guard let part = extent.part(of: file) else { return nil }
                    ranges.append(part.range)
                }
            case "moov":
                for track in ISOBox.boxes(in: box.content, atMost: 1000) where track.name == "trak"
                {
                    guard let chunks = TrackSamples(track.content, in: file).chunks else {
                        return nil
                    }
                    ranges += chunks.map(\.range)
                }
            default: continue
            }
        }
        return ranges.sorted { $0.lowerBound < $1.lowerBound }
    }

    // MARK: - JPEG XL

    /// Removes what restores a JPEG, if that JPEG would tell a place even now, or cannot be restored
    /// any more: its comments, IPTC records and second pictures are in there, compressed.
    mutating func editRestoration(
        _ boxes: [ISOBox], of file: Block, _ depth: Int
    ) throws(PixelError) {
        guard let box = boxes.first(where: { $0.name == "jbrd" }) else { return }
        guard !isStrict, file.count <= Self.maximumFile else { return remove(box) }
        var edited = Array(file.bytes(count: file.count))
        for part in patch.parts {
            let range = part.range.clamped(to: file.range)
            guard !range.isEmpty else { continue }
            let start = range.lowerBound - file.range.lowerBound
            let new = part.bytes.dropFirst(range.lowerBound - part.range.lowerBound)
                .prefix(range.count)
            edited.replaceSubrange(start..<start + range.count, with: new)
        }
        guard let picture = RestoredJPEG.bytes(of: edited) else { return remove(box) }
        var editor = LocationEditor(isStrict: false)
        do throws(PixelError) {
            try editor.edit(Block(picture[...]), depth: depth + 1)
        } catch {
            return remove(box)
        }
        if !editor.patch.isEmpty { remove(box) }
    }
}
