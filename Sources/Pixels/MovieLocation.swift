// SPDX-License-Identifier: MIT

import Photos

/// Takes the place where a video was taken out of its metadata: MP4, QuickTime, 3GPP.
///
/// Nothing is moved. What tells a place becomes free space full of zeros, so that every offset
/// into the file stays right. Damage is not an error: what cannot be followed is left alone.
///
/// - Source: ISO/IEC 14496-12, 4.2 and 8.10; Apple, QuickTime File Format, “User Data Atoms” and
///   “Metadata”; 3GPP TS 26.244, 8.2 (`loci`).
struct MovieLocation {
    /// Parts of a file, one after the other.
    struct Edit {
        var parts: [Range<Int>] = []
        var bytes: [UInt8] = []
    }

    private var editor: MetadataEditor
    private var isChanged = false

    /// More than the tables of hours of video take.
    private static let maximumMetadata = 64 << 20
    /// More boxes than fragments of such a video.
    private static let maximumBoxes = 50_000
    private static let maximumParts = 16
    /// A movie, its tracks, their user data, its metadata.
    private static let maximumDepth = 6

    /// The metadata without the location; nil when there is none in it.
    ///
    /// - Throws: ``PixelError/tooLarge`` when there is too much to look through.
    static func removed(from file: FileBytes) throws(PixelError) -> Edit? {
        var edit = Edit()
        for range in try metadata(of: file) {
            let bytes = try content(of: range, in: file)
            var removal = MovieLocation(editor: MetadataEditor(bytes))
            removal.visit(0..<bytes.count, depth: 0)
            guard removal.isChanged else { continue }
            edit.parts.append(range.lowerBound..<range.lowerBound + bytes.count)
            edit.bytes += removal.editor.bytes
        }
        return edit.parts.isEmpty ? nil : edit
    }

    private static func content(
        of range: Range<Int>, in file: FileBytes
    ) throws(PixelError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < range.count {
            let part = file.bytes(
                at: range.lowerBound + bytes.count, count: min(1 << 20, range.count - bytes.count))
            if part.isEmpty { break }
            bytes += part
            guard bytes.count <= maximumMetadata else { throw .tooLarge }
        }
        return bytes
    }

    private init(editor: MetadataEditor) {
        self.editor = editor
    }

    // MARK: - Boxes

    private struct Box {
        let start: Int
        let type: [UInt8]
        let content: Range<Int>

        func named(_ name: String) -> Bool { type.elementsEqual(name.utf8) }
    }

    /// What begins with four bytes of size and four of type; nil for anything else.
    private static func box(
        at start: Int, before end: Int, _ bytes: (Int, Int) -> ArraySlice<UInt8>
    ) -> Box? {
        let head = ByteReader(bytes(start, 16), order: .bigEndian)
        guard let short = head.uint32(at: 0), let type = head.slice(at: 4, count: 4) else {
            return nil
        }
        var length = Int(short)
        var headSize = 8
        if short == 1 {
            guard let long = head.uint64(at: 8), let count = Int(exactly: long) else { return nil }
            length = count
            headSize = 16
        }
        // To the end of what it is in.
        if short == 0 { length = end - start }
        guard length >= headSize, length <= end - start else { return nil }
        return Box(start: start, type: Array(type), content: start + headSize..<start + length)
    }

    /// The boxes of the file that may have metadata.
    private static func metadata(of file: FileBytes) throws(PixelError) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        for _ in 0..<maximumBoxes {
            let box = box(at: start, before: .max) { file.bytes(at: $0, count: $1) }
            guard let box else { return found }
            let isXMP =
                box.named("uuid")
                && file.bytes(at: box.content.lowerBound, count: 16).elementsEqual(xmpID)
            if isXMP || ["moov", "udta", "meta"].contains(where: box.named) {
                guard found.count < maximumParts else { throw .tooLarge }
                found.append(box.start..<box.content.upperBound)
            }
            start = box.content.upperBound
        }
        throw .tooLarge
    }

    private func boxes(in range: Range<Int>) -> [Box] {
        var boxes: [Box] = []
        var start = range.lowerBound
        while let box = Self.box(at: start, before: range.upperBound, { bytes(at: $0, $1) }) {
            boxes.append(box)
            start = box.content.upperBound
            if boxes.count == Self.maximumBoxes { break }
        }
        return boxes
    }

    private func bytes(at start: Int, _ count: Int) -> ArraySlice<UInt8> {
        editor.bytes.dropFirst(start).prefix(count)
    }

    // MARK: - Locations

    private static let places = [
        // International text of QuickTime, which also MP4 has; its first byte is a copyright sign.
        [0xA9] + Array("xyz".utf8),
        Array("loci".utf8), Array("gps ".utf8), Array("gps0".utf8), Array("GPS ".utf8),
    ]

    private static let xmpID: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8,
        0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]

    private mutating func visit(_ range: Range<Int>, depth: Int) {
        guard depth < Self.maximumDepth else { return }
        for box in boxes(in: range) {
            if Self.places.contains(box.type) {
                blank(box)
            } else if ["moov", "trak", "udta"].contains(where: box.named) {
                visit(box.content, depth: depth + 1)
            } else if box.named("meta") {
                visitMetadata(box, depth: depth + 1)
            } else if box.named("XMP_")
                || (box.named("uuid") && bytes(at: box.content.lowerBound, 16) == Self.xmpID[...])
            {
                if editor.removeXMPLocation(in: box.content) { isChanged = true }
            }
        }
    }

    /// Metadata by names: `keys` has them, `ilst` the values by the names' numbers.
    private mutating func visitMetadata(_ box: Box, depth: Int) {
        // QuickTime's has no version and flags, and begins with its handler at once.
        let start = box.content.lowerBound
        let isPlain = bytes(at: start + 4, 4).elementsEqual("hdlr".utf8)
        let content =
            min(start + (isPlain ? 0 : 4), box.content.upperBound)..<box.content.upperBound
        let children = boxes(in: content)
        var numbers: Set<UInt32> = []
        for child in children where child.named("keys") { numbers.formUnion(places(in: child)) }
        for list in children where list.named("ilst") {
            for item in boxes(in: list.content) {
                let number = item.type.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                if Self.places.contains(item.type) || numbers.contains(number) { blank(item) }
            }
        }
        visit(content, depth: depth)
    }

    /// Which names, counted from 1, tell of a place.
    private func places(in keys: Box) -> Set<UInt32> {
        var numbers: Set<UInt32> = []
        // A version, flags and the number of names stand first.
        let range =
            min(keys.content.lowerBound + 8, keys.content.upperBound)..<keys.content.upperBound
        for (index, key) in boxes(in: range).enumerated() {
            let name = String(
                decoding: bytes(at: key.content.lowerBound, key.content.count), as: UTF8.self)
            if name.lowercased().contains("location") || name.lowercased().contains("gps") {
                numbers.insert(UInt32(clamping: index + 1))
            }
        }
        return numbers
    }

    private mutating func blank(_ box: Box) {
        editor.replace(at: box.start + 4, with: Array("free".utf8))
        editor.replace(
            at: box.content.lowerBound, with: Array(repeating: 0, count: box.content.count))
        isChanged = true
    }
}
