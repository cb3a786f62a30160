// SPDX-License-Identifier: MIT

import Photos

extension Patch {
    /// More directories than files have, but few enough that a loop of directories ends.
    private static let maximumDirectories = 16
    /// The most entries of a GPS directory to overwrite; the standard defines 32.
    private static let maximumGPSEntries = 256
    private static let maximumGPSValue = 65_536
    /// `GPSHPositioningError`.
    private static let lastGPSTag: UInt16 = 0x001F

    // MARK: - Location

    /// Removes all GPS directories from EXIF data, and the entries that point to them.
    ///
    /// - Parameter structure: The EXIF data in memory, starting with the byte order.
    /// - Returns: Whether there were any.
    /// - Source: EXIF 2.32, 4.6.6.
    mutating func removeGPS(from structure: Block) -> Bool {
        var waiting = TIFFDirectory.first(in: structure).map { [$0] } ?? []
        var visited: Set<Int> = []
        var isRemoved = false
        while let directory = waiting.popLast(), visited.count < Self.maximumDirectories {
            // One that claims more entries than are there is read by some programs all the same.
            guard directory.isBehindHeader,
                visited.insert(directory.block.range.lowerBound).inserted
            else { continue }
            let gps = directory.entries.filter { $0.tag == Tag.gpsDirectory }
            if !gps.isEmpty {
                for entry in gps { fillDirectory(entry, of: directory) }
                remove(Tag.gpsDirectory, from: directory)
                isRemoved = true
            }
            let others = [Tag.exifDirectory, Tag.subdirectories].compactMap { tag in
                directory.entry(tag).flatMap { directory.offset(in: $0) }
            }
            for offset in others + [directory.next] where offset > 0 {
                waiting.append(directory.directory(at: offset))
            }
        }
        return isRemoved
    }

    /// Removes a GPS directory that is the first directory of a TIFF structure of its own.
    ///
    /// - Returns: Whether it contained more than its version.
    mutating func removeGPSDirectory(from structure: Block) -> Bool {
        guard let gps = TIFFDirectory.first(in: structure), gps.isEditable,
            gps.count > (gps.has(Tag.gpsVersion) ? 1 : 0)
        else { return false }
        fill(gps)
        return true
    }

    /// Overwrites the directory that an entry points to.
    private mutating func fillDirectory(_ entry: TIFFDirectory.Entry, of directory: TIFFDirectory) {
        // An entry without a value points to nothing, or into other data.
        guard entry.count == 1, let offset = directory.offset(in: entry),
            offset != directory.number(Tag.exifDirectory)
        else { return }
        let gps = directory.directory(at: offset)
        guard gps.isBehindHeader,
            gps.block.range.lowerBound != directory.block.range.lowerBound
        else { return }
        fill(gps)
    }

    /// Overwrites a GPS directory, and the values stored outside it.
    private mutating func fill(_ gps: TIFFDirectory) {
        var entries = gps.entries
        if !gps.isComplete {
            // The data after the existing entries belongs to something else.
            entries = Array(entries.prefix { $0.tag <= Self.lastGPSTag })
            guard !entries.isEmpty else { return }
        }
        for entry in entries.prefix(Self.maximumGPSEntries) {
            if let value = gps.longValue(of: entry) { fill(value.prefix(Self.maximumGPSValue)) }
        }
        // Excludes the offset that should follow the entries, because cameras leave it out.
        fill(gps.block.prefix(gps.form.countSize + entries.count * gps.form.entrySize))
    }

    /// Removes the entries of a tag by moving the following entries over them.
    ///
    /// In a truncated directory they become zeros, because what follows them is unknown.
    private mutating func remove(_ tag: UInt16, from directory: TIFFDirectory) {
        guard directory.isComplete else {
            for entry in directory.entries where entry.tag == tag {
                if let block = directory.block(of: entry) { fill(block) }
            }
            return
        }
        let kept = directory.entries.filter { $0.tag != tag }
        let form = directory.form
        var bytes = directory.order.bytes(of: kept.count, width: form.countSize)
        for entry in kept { bytes += directory.bytes(of: entry) }
        bytes += directory.block.dropFirst(directory.entriesBlock.count)
            .bytes(count: form.offsetSize)
        bytes += [UInt8](repeating: 0, count: max(0, directory.block.count - bytes.count))
        write(bytes, over: directory.block)
    }

    // MARK: - Another picture

    /// Updates EXIF data for a picture that was turned, cropped or scaled.
    ///
    /// The small preview would show the old picture, so it is removed.
    ///
    /// - Parameters:
    /// - size: The size of the upright picture.
    /// - isStandard: Whether the colours are sRGB now.
    mutating func describe(_ size: PixelSize, isStandard: Bool, in structure: Block) {
        guard let main = TIFFDirectory.first(in: structure), main.isEditable else { return }
        set(Tag.orientation, of: main, to: Int(Orientation.upright.rawValue))
        set(Tag.width, of: main, to: size.width)
        set(Tag.height, of: main, to: size.height)
        let exif = main.entry(Tag.exifDirectory).flatMap { main.offset(in: $0) }
            .map { main.directory(at: $0) }
        if let exif, exif.isEditable {
            set(Tag.pixelWidth, of: exif, to: size.width)
            set(Tag.pixelHeight, of: exif, to: size.height)
            if isStandard { set(Tag.colourSpace, of: exif, to: 1) }
        }
        removePreview(main)
    }

    /// Removes the second directory from the chain, and overwrites the small JPEG it points to.
    private mutating func removePreview(_ main: TIFFDirectory) {
        guard main.next > 0 else { return }
        let second = main.directory(at: main.next)
        // If there is no JPEG, the data belongs to something else. Some files have offset 0.
        if let preview = second.block(at: Tag.previewOffset, size: Tag.previewByteCount),
            preview.starts(with: [0xFF, 0xD8])
        {
            fill(preview)
        }
        let end = [UInt8](repeating: 0, count: main.form.offsetSize)
        write(end, over: main.block.dropFirst(main.entriesBlock.count))
    }

    private mutating func set(_ tag: UInt16, of directory: TIFFDirectory, to value: Int) {
        guard let entry = directory.entry(tag), entry.count == 1,
            let field = directory.valueField(of: entry)
        else { return }
        switch entry.type {
        case 3: write(directory.order.bytes(of: min(value, 0xFFFF), width: 2), over: field)
        case 4: write(directory.order.bytes(of: value, width: 4), over: field)
        case 16: write(directory.order.bytes(of: value, width: 8), over: field)
        default: return
        }
    }
}

extension TIFFDirectory {
    /// Whether it can be rewritten: it is complete and outside the header.
    fileprivate var isEditable: Bool { isComplete && isBehindHeader }

    /// Whether it does not overlap the header of the structure.
    fileprivate var isBehindHeader: Bool {
        block.range.lowerBound - structure.range.lowerBound >= form.headerSize
    }
}

extension ByteReader.Order {
    /// A number in this byte order.
    func bytes(of value: Int, width: Int) -> [UInt8] {
        let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return self == .littleEndian ? bytes : bytes.reversed()
    }
}
