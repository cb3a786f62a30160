// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// Changes metadata in a file, or in a block of EXIF data, without moving a byte of it.
///
/// Offsets into EXIF data are everywhere, also in makers' notes that nobody can read: so nothing
/// becomes longer or shorter. What is removed is overwritten. Damage is not an error: what cannot
/// be followed is left alone.
struct MetadataEditor {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A directory: where its entries are and in which order their bytes.
    private struct Directory {
        /// Where the TIFF structure begins.
        let base: Int
        let order: ByteReader.Order
        /// Where the number of entries stands.
        let start: Int
        let count: Int

        var entries: Int { start + 2 }
        var next: Int { entries + count * entrySize }
    }

    /// More directories than files have, few enough that a loop of them ends.
    private static let maximumDirectories = 16
    /// The most entries of a GPS directory that are overwritten; the standard knows 32.
    private static let maximumGPSEntries = 256
    private static let maximumGPSValue = 65_536
}

private let entrySize = 12

private enum Tag {
    static let gpsVersion: UInt16 = 0x0000
    static let imageWidth: UInt16 = 0x0100
    static let imageHeight: UInt16 = 0x0101
    static let orientation: UInt16 = 0x0112
    static let subdirectories: UInt16 = 0x014A
    static let previewOffset: UInt16 = 0x0201
    static let previewByteCount: UInt16 = 0x0202
    static let exifDirectory: UInt16 = 0x8769
    static let gpsDirectory: UInt16 = 0x8825
    static let colourSpace: UInt16 = 0xA001
    static let pixelWidth: UInt16 = 0xA002
    static let pixelHeight: UInt16 = 0xA003
}

// MARK: - EXIF

extension MetadataEditor {
    /// Removes the GPS directory, and the entry that leads to it.
    ///
    /// - Parameter base: Where the EXIF data begins with its byte order.
    /// - Returns: Whether there was one.
    /// - Source: EXIF 2.32, 4.6.6.
    mutating func removeGPS(at base: Int) -> Bool {
        var waiting = firstDirectory(at: base).map { [$0] } ?? []
        var count = 0
        var isRemoved = false
        while let found = waiting.popLast(), count < Self.maximumDirectories {
            count += 1
            // As it was before the walk changed something.
            guard var directory = directory(base, found.order, at: found.start - base) else {
                continue
            }
            while let entry = entry(Tag.gpsDirectory, of: directory) {
                overwriteDirectory(pointedToBy: entry, of: directory)
                directory = removeEntry(entry, from: directory)
                isRemoved = true
            }
            for tag in [Tag.exifDirectory, Tag.subdirectories] {
                guard let entry = entry(tag, of: directory) else { continue }
                append(offset(at: entry + 8, directory), of: directory, to: &waiting)
            }
            append(offset(at: directory.next, directory), of: directory, to: &waiting)
        }
        return isRemoved
    }

    /// Removes a GPS directory that is the first one of a TIFF structure of its own.
    ///
    /// - Returns: Whether it said more than its version.
    mutating func removeGPSDirectory(at base: Int) -> Bool {
        guard let gps = firstDirectory(at: base),
            gps.count > (entry(Tag.gpsVersion, of: gps) == nil ? 0 : 1)
        else { return false }
        overwriteGPS(gps)
        return true
    }

    /// Makes the data fit a picture that was turned, cut or scaled.
    ///
    /// The small preview would show the old picture, so it goes.
    ///
    /// - Parameters:
    ///   - size: That of the picture, which is upright.
    ///   - isStandard: Whether its colours are those of sRGB now.
    mutating func describe(_ size: PixelSize, isStandard: Bool, at base: Int) {
        guard let main = firstDirectory(at: base) else { return }
        set(Tag.orientation, of: main, to: Int(Orientation.upright.rawValue))
        set(Tag.imageWidth, of: main, to: size.width)
        set(Tag.imageHeight, of: main, to: size.height)
        if let entry = entry(Tag.exifDirectory, of: main),
            let offset = offset(at: entry + 8, main),
            let exif = directory(base, main.order, at: offset)
        {
            set(Tag.pixelWidth, of: exif, to: size.width)
            set(Tag.pixelHeight, of: exif, to: size.height)
            if isStandard { set(Tag.colourSpace, of: exif, to: 1) }
        }
        removePreview(main)
    }

    /// Takes the second directory out of the chain, and overwrites the small JPEG it tells of.
    private mutating func removePreview(_ main: Directory) {
        guard let offset = offset(at: main.next, main), offset > 0 else { return }
        if let second = directory(main.base, main.order, at: offset),
            let start = number(Tag.previewOffset, of: second),
            let count = number(Tag.previewByteCount, of: second)
        {
            overwrite(main.base + start, count)
        }
        write(0, 4, at: main.next, main.order)
    }

    private func firstDirectory(at base: Int) -> Directory? {
        guard let first = byte(at: base), first == byte(at: base + 1) else { return nil }
        let order: ByteReader.Order
        switch first {
        case UInt8(ascii: "I"): order = .littleEndian
        case UInt8(ascii: "M"): order = .bigEndian
        default: return nil
        }
        guard let offset = number(4, at: base + 4, order) else { return nil }
        return directory(base, order, at: offset)
    }

    private func directory(
        _ base: Int, _ order: ByteReader.Order, at offset: Int
    ) -> Directory? {
        guard offset >= 8, let count = number(2, at: base + offset, order) else { return nil }
        let directory = Directory(base: base, order: order, start: base + offset, count: count)
        return directory.next <= bytes.count ? directory : nil
    }

    private func append(_ offset: Int?, of directory: Directory, to waiting: inout [Directory]) {
        guard let offset, offset > 0 else { return }
        if let next = self.directory(directory.base, directory.order, at: offset) {
            waiting.append(next)
        }
    }

    /// Where an entry begins in the file.
    private func entry(_ tag: UInt16, of directory: Directory) -> Int? {
        (0..<directory.count).lazy.map { directory.entries + $0 * entrySize }
            .first { number(2, at: $0, directory.order) == Int(tag) }
    }

    private func offset(at position: Int, _ directory: Directory) -> Int? {
        number(4, at: position, directory.order)
    }

    /// The value of an entry of type SHORT or LONG with one value.
    private func number(_ tag: UInt16, of directory: Directory) -> Int? {
        guard let entry = entry(tag, of: directory) else { return nil }
        return number(
            number(2, at: entry + 2, directory.order) == 3 ? 2 : 4, at: entry + 8, directory.order)
    }

    private mutating func set(_ tag: UInt16, of directory: Directory, to value: Int) {
        guard let entry = entry(tag, of: directory),
            number(4, at: entry + 4, directory.order) == 1
        else { return }
        switch number(2, at: entry + 2, directory.order) {
        case 3: write(min(value, 0xFFFF), 2, at: entry + 8, directory.order)
        case 4: write(value, 4, at: entry + 8, directory.order)
        default: return
        }
    }

    private mutating func overwriteDirectory(pointedToBy entry: Int, of directory: Directory) {
        // An entry without a value leads nowhere, or into something else.
        guard number(4, at: entry + 4, directory.order) == 1,
            let offset = offset(at: entry + 8, directory),
            offset != number(Tag.exifDirectory, of: directory),
            let gps = self.directory(directory.base, directory.order, at: offset),
            gps.start != directory.start
        else { return }
        overwriteGPS(gps)
    }

    /// Overwrites a directory and the values that do not fit into it.
    private mutating func overwriteGPS(_ gps: Directory) {
        for index in 0..<min(gps.count, Self.maximumGPSEntries) {
            let position = gps.entries + index * entrySize
            guard let type = number(2, at: position + 2, gps.order),
                let count = number(4, at: position + 4, gps.order),
                let value = number(4, at: position + 8, gps.order)
            else { continue }
            let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
            let size = count * (sizes.indices.contains(type) ? sizes[type] : 0)
            if size > 4 {
                overwrite(gps.base + value, min(size, Self.maximumGPSValue))
            }
        }
        // Not what should follow the entries: cameras leave it out.
        overwrite(gps.start, gps.next - gps.start)
    }

    /// Moves what follows an entry over it.
    private mutating func removeEntry(_ entry: Int, from directory: Directory) -> Directory {
        let end = min(directory.next + 4, bytes.count)
        for position in entry..<end - entrySize { bytes[position] = bytes[position + entrySize] }
        overwrite(end - entrySize, entrySize)
        write(directory.count - 1, 2, at: directory.start, directory.order)
        return Directory(
            base: directory.base, order: directory.order, start: directory.start,
            count: directory.count - 1)
    }
}

// MARK: - XMP

extension MetadataEditor {
    /// The longest value of a property that is removed.
    private static let maximumProperty = 4096

    /// Blanks properties whose name begins with “GPS”, in whatever namespace.
    ///
    /// - Parameter range: A packet; properties are attributes or elements.
    /// - Returns: Whether there were some.
    /// - Source: XMP Specification Part 1, 7; CIPA DC-010, Exif 2.3 metadata for XMP.
    mutating func removeXMPLocation(in range: Range<Int>) -> Bool {
        var isRemoved = false
        for pattern in [":GPS", ":Gps"] {
            var position = range.lowerBound
            while let colon = find(Array(pattern.utf8), from: position, upTo: range.upperBound) {
                position = colon + pattern.utf8.count
                guard let property = property(around: colon, in: range) else { continue }
                for index in property { bytes[index] = UInt8(ascii: " ") }
                isRemoved = true
            }
        }
        return isRemoved
    }

    /// The whole of a property, from its name or its bracket on.
    private func property(around colon: Int, in range: Range<Int>) -> Range<Int>? {
        var start = colon
        while start > range.lowerBound, isNameByte(bytes[start - 1]) { start -= 1 }
        guard start > range.lowerBound, start < colon else { return nil }
        var end = colon + 1
        while end < range.upperBound, isNameByte(bytes[end]) { end += 1 }
        let limit = min(range.upperBound, end + Self.maximumProperty)
        if bytes[start - 1] == UInt8(ascii: "<") {
            return elementEnd(named: Array(bytes[start..<end]), from: end, limit).map {
                start - 1..<$0
            }
        }
        guard let open = bytes[end..<limit].firstIndex(where: { isQuote($0) }),
            let close = bytes[(open + 1)..<limit].firstIndex(of: bytes[open]),
            bytes[end..<open].allSatisfy({ $0 == UInt8(ascii: "=") || isBlank($0) })
        else { return nil }
        return start..<close + 1
    }

    private func elementEnd(named name: [UInt8], from start: Int, _ limit: Int) -> Int? {
        guard let bracket = bytes[start..<limit].firstIndex(of: UInt8(ascii: ">")) else {
            return nil
        }
        if bytes[bracket - 1] == UInt8(ascii: "/") { return bracket + 1 }
        let closing = Array("</".utf8) + name
        guard let end = find(closing, from: bracket, upTo: limit),
            let last = bytes[end..<limit].firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        return last + 1
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: byte >= 0x80
        }
    }

    private func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }
}

// MARK: - Bytes

extension MetadataEditor {
    /// Where some bytes stand next.
    func find(_ pattern: [UInt8], from start: Int, upTo end: Int? = nil) -> Int? {
        let end = min(end ?? bytes.count, bytes.count)
        guard start >= 0, start < end else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress,
                let found = pp_find(base + start, end - start, pattern, pattern.count)
            else { return nil }
            return base.distance(to: found)
        }
    }

    /// Replaces bytes by as many others.
    mutating func replace(at position: Int, with replacement: [UInt8]) {
        guard position >= 0, replacement.count <= bytes.count - position else { return }
        bytes.replaceSubrange(position..<position + replacement.count, with: replacement)
    }

    private func byte(at position: Int) -> UInt8? {
        bytes.indices.contains(position) ? bytes[position] : nil
    }

    private func number(_ width: Int, at position: Int, _ order: ByteReader.Order) -> Int? {
        guard position >= 0, width <= bytes.count, position <= bytes.count - width else {
            return nil
        }
        let slice = bytes[position..<position + width]
        return switch order {
        case .bigEndian: slice.reduce(0) { $0 << 8 | Int($1) }
        case .littleEndian: slice.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
    }

    private mutating func write(
        _ value: Int, _ width: Int, at position: Int, _ order: ByteReader.Order
    ) {
        guard position >= 0, position <= bytes.count - width else { return }
        for index in 0..<width {
            let shift = 8 * (order == .littleEndian ? index : width - 1 - index)
            bytes[position + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }

    /// Overwrites with zeros what of a range is inside.
    private mutating func overwrite(_ start: Int, _ count: Int) {
        let range = max(start, 0)..<max(max(start, 0), min(start + count, bytes.count))
        for position in range.clamped(to: bytes.indices) { bytes[position] = 0 }
    }
}
