// SPDX-License-Identifier: MIT

import Photos

extension Patch {
    /// The most entries of a GPS directory to overwrite; the standard defines 32.
    private static let maximumGPSEntries = 256
    private static let maximumGPSValue = 65_536
    /// `GPSHPositioningError`.
    private static let lastGPSTag: UInt16 = 0x001F

    // MARK: - Location

    /// Removes a GPS directory that is the first directory of a TIFF structure of its own.
    ///
    /// One that contains no more than its version stays.
    mutating func removeGPSDirectory(from structure: Block) {
        guard let gps = TIFFDirectory.first(in: structure), gps.isEditable,
            gps.count > (gps.has(Tag.gpsVersion) ? 1 : 0)
        else { return }
        fill(gps)
    }

    /// Overwrites the GPS directory that an entry points to.
    ///
    /// - Source: EXIF 2.32, 4.6.6.
    mutating func fillGPS(_ entry: TIFFDirectory.Entry, of directory: TIFFDirectory) {
        // An entry without a value points to nothing, or into other data.
        guard entry.count == 1, let offset = directory.pointer(in: entry),
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

    /// Removes the entries of some tags by moving the following entries over them.
    ///
    /// In a truncated directory they become zeros, because what follows them is unknown.
    mutating func remove(_ tags: Set<UInt16>, from directory: TIFFDirectory) {
        guard !tags.isEmpty else { return }
        guard directory.isComplete else {
            for entry in directory.entries where tags.contains(entry.tag) {
                if let block = directory.block(of: entry) { fill(block) }
            }
            return
        }
        let kept = directory.entries.filter { !tags.contains($0.tag) }
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

    /// Updates the orientation in EXIF data, also that of the small preview.
    ///
    /// - Returns: Whether there is one.
    mutating func orient(_ orientation: Orientation, in structure: Block) -> Bool {
        guard let main = TIFFDirectory.first(in: structure), main.isEditable,
            let entry = main.entry(Tag.orientation), entry.count == 1, entry.type == 3
        else { return false }
        set(Tag.orientation, of: main, to: Int(orientation.rawValue))
        if main.next > 0 {
            let second = main.directory(at: main.next)
            if second.isEditable {
                set(Tag.orientation, of: second, to: Int(orientation.rawValue))
            }
        }
        return true
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

    /// Sets a number, wherever the tag is repeated: programs differ in which one counts.
    private mutating func set(_ tag: UInt16, of directory: TIFFDirectory, to value: Int) {
        for entry in directory.entries where entry.tag == tag && entry.count == 1 {
            guard let field = directory.valueField(of: entry) else { continue }
            switch entry.type {
            case 3: write(directory.order.bytes(of: min(value, 0xFFFF), width: 2), over: field)
            case 4: write(directory.order.bytes(of: value, width: 4), over: field)
            case 16: write(directory.order.bytes(of: value, width: 8), over: field)
            default: continue
            }
        }
    }
}

extension TIFFDirectory {
    /// Whether it can be rewritten: it is complete and outside the header.
    fileprivate var isEditable: Bool { isComplete && isBehindHeader }

    /// Whether it does not overlap the header of the structure.
    var isBehindHeader: Bool {
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
