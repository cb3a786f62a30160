// SPDX-License-Identifier: MIT

import Photos

/// Reads a Matroska segment part by part, as players do that do not rely on sizes.
///
/// Recordings that were interrupted or streamed have segments and clusters with a size that is zero,
/// missing or wrong. The children of a cluster are therefore parts of their own, and a segment ends
/// where none of its children follows. After damage, reading continues at the next child of a segment.
///
/// - Source: RFC 8794, 6.2; RFC 9559, 5.1.
struct MatroskaParts {
    typealias ID = MatroskaElement.ID

    enum Part {
        /// Metadata, an index, or padding.
        case element(MatroskaElement)
        /// A child of a cluster.
        case media(MatroskaElement)
        /// An element with an unknown identifier.
        case unknown(MatroskaElement, isInCluster: Bool)
        /// Bytes that do not form an element.
        case gap(Block, isInCluster: Bool)
    }

    /// More than the blocks of twelve hours.
    private static let maximumParts = 4_000_000
    private static let maximumChildren = 200_000

    /// From the content of the segment to the end of the file.
    private let file: Block
    /// Where the segment ends, according to its size.
    private var end: Int
    /// The offset of the next part.
    private(set) var offset = 0
    private var count = 0
    private var isInCluster = false
    /// Where the cluster ends, according to its size; nil if that is unknown.
    private var clusterEnd: Int?

    /// - Parameters:
    ///   - file: The rest of the file, starting with the content of the segment.
    ///   - size: The number of bytes of the segment.
    init(_ file: Block, size: Int) {
        self.file = file
        end = size == 0 ? file.count : min(size, file.count)
    }

    /// The next part; nil at the end of the segment.
    mutating func next() throws(PixelError) -> Part? {
        count += 1
        guard count < Self.maximumParts else { throw .locationStays }
        if let end = clusterEnd, offset >= end {
            clusterEnd = nil
            isInCluster = false
        }
        guard offset < file.count else { return nil }
        let rest = file.dropFirst(offset)
        let element = MatroskaElement(atStartOf: rest)
        if let id = element?.id, id == ID.header || id == ID.segment { return nil }
        if offset >= end {
            guard continues(with: element) else { return nil }
            end = file.count
        }
        guard let element else { return gap() }
        if ID.parts.contains(element.id) { return part(element, rest) }
        if ID.media.contains(element.id) { return media(element) }
        let isNeutral = element.id == ID.void || element.id == ID.checksum
        // Elements of wrong sizes may contain others.
        let after = offset + element.whole.count
        if let found = firstPart(from: offset + 1, to: after) {
            return gap(from: offset + element.whole.count - element.content.count, to: found)
        }
        if !isNeutral, after > end { return gap() }
        if isNeutral, isInCluster { return media(element) }
        offset = after
        return isNeutral ? .element(element) : .unknown(element, isInCluster: isInCluster)
    }

    /// Whether the segment goes on behind the end that its size tells.
    private func continues(with element: MatroskaElement?) -> Bool {
        if let element, ID.parts.contains(element.id) || ID.media.contains(element.id) {
            return !element.isCutOff
        }
        guard let found = firstPart(from: offset + 1, to: file.count) else { return false }
        let id = MatroskaElement(atStartOf: file.dropFirst(found))?.id
        return id != ID.header && id != ID.segment
    }

    private mutating func part(_ element: MatroskaElement, _ rest: Block) -> Part {
        if element.id == ID.cluster {
            isInCluster = true
            let start = offset + element.whole.count - element.content.count
            clusterEnd =
                element.isEndless || element.content.count == 0 || element.isCutOff
                ? nil : start + element.content.count
            offset = start
            return .media(element)
        }
        isInCluster = false
        clusterEnd = nil
        var element = element
        if element.isEndless {
            let start = element.whole.count
            var size = 0
            var children = 0
            while children < Self.maximumChildren,
                let child = MatroskaElement(atStartOf: rest.dropFirst(start + size)),
                !ID.parts.contains(child.id), child.id != ID.segment, child.id != ID.header
            {
                size += child.whole.count
                children += 1
            }
            element = MatroskaElement(endless: element, byteCount: size, atStartOf: rest)
        }
        offset += element.whole.count
        if offset > end { end = file.count }
        return .element(element)
    }

    private mutating func media(_ element: MatroskaElement) -> Part {
        isInCluster = true
        let after = offset + element.whole.count
        if let end = clusterEnd, after > end {
            // One of the sizes is wrong.
            clusterEnd = nil
            if isPart(at: end) {
                offset = end
                return .media(element)
            }
        }
        offset = after
        if offset > end { end = file.count }
        return .media(element)
    }

    // MARK: - Damage

    private mutating func gap() -> Part {
        gap(
            from: offset,
            to: firstPart(from: offset + 1, to: file.count) ?? (offset < end ? end : file.count))
    }

    private mutating func gap(from start: Int, to next: Int) -> Part {
        offset = next
        clusterEnd = nil
        return .gap(
            file.dropFirst(min(start, next)).prefix(next - min(start, next)),
            isInCluster: isInCluster)
    }

    private static let window = 1 << 20

    /// The offset of the first child of a segment, or of the first segment, in a range.
    private func firstPart(from start: Int, to end: Int) -> Int? {
        var offset = start
        while offset + 4 < end {
            let bytes = file.bytes(at: offset, count: min(Self.window, end - offset))
            guard bytes.count > 4 else { return nil }
            let found = bytes.withUnsafeBufferPointer { bytes in
                var index = 0
                while index + 3 < bytes.count {
                    // All of their identifiers begin like that.
                    if bytes[index] & 0xF0 == 0x10, isIdentifier(bytes, index),
                        isPart(at: offset + index)
                    {
                        return index as Int?
                    }
                    index += 1
                }
                return nil
            }
            if let found { return offset + found }
            offset += bytes.count - 3
        }
        return nil
    }

    private func isIdentifier(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        let id = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[index + $1]) }
        return ID.parts.contains(id) || id == ID.segment || id == ID.header
    }

    /// Whether there is a child of a segment, or a segment, that makes sense.
    private func isPart(at offset: Int) -> Bool {
        guard let element = MatroskaElement(atStartOf: file.dropFirst(offset)) else {
            return false
        }
        let isTop = element.id == ID.segment || element.id == ID.header
        guard isTop || ID.parts.contains(element.id) else { return false }
        if isTop { return true }
        let start = offset + element.whole.count - element.content.count
        guard let child = MatroskaElement(atStartOf: file.dropFirst(start)) else {
            return element.content.count == 0 && !element.isEndless
        }
        if element.id == ID.cluster {
            return ID.media.contains(child.id) || child.id == ID.void || child.id == ID.checksum
        }
        return !element.isCutOff
            && (element.isEndless || child.whole.count <= element.content.count)
    }

    /// The offset of the first part or segment in a file, after what is at its start.
    static func firstPart(in file: Block, from start: Int) -> Int? {
        MatroskaParts(file, size: 0).firstPart(from: start, to: file.count)
    }

    /// Whether an element contains pictures or tracks, because its size is wrong.
    static func containsMedia(_ block: Block) -> Bool {
        let parts = MatroskaParts(block, size: 0)
        var offset = 0
        while let found = parts.firstPart(from: offset, to: block.count) {
            let id = MatroskaElement(atStartOf: block.dropFirst(found))?.id
            if id == ID.cluster || id == ID.tracks || id == ID.segment { return true }
            offset = found + 1
        }
        return false
    }
}
