// SPDX-License-Identifier: MIT

import Photos

/// Capture dates that some cameras keep in data of their own, and nowhere else.
enum CameraDate {
    // MARK: - Reconyx

    private static let reconyx: [UInt8] = [0x01, 0xF1]
    /// Second, minute, hour, month, day and year, as numbers of two bytes.
    private static let reconyxDate = 22

    /// The date in the note of a Reconyx trail camera.
    ///
    /// - Parameter exif: The directory with the note.
    /// - Source: ExifTool's table `Reconyx::Main`.
    static func reconyx(_ exif: TIFFDirectory) -> CaptureDate? {
        guard let entry = exif.entry(Tag.makerNote), let note = exif.longValue(of: entry),
            note.starts(with: reconyx)
        else { return nil }
        var fields = (0..<6).compactMap {
            note.uint16(at: reconyxDate + 2 * $0, exif.order).map(Int.init)
        }
        // Some have the other byte order than everything else.
        if let first = fields.first, first & 0xFF == 0, first > 0xFF {
            fields = fields.map { $0 >> 8 | ($0 & 0xFF) << 8 }
        }
        guard fields.count == 6 else { return nil }
        let text = [5, 3, 4, 2, 1, 0].map { index in
            let digits = String(fields[index])
            return String(repeating: "0", count: max(0, (index == 5 ? 4 : 2) - digits.count))
                + digits
        }
        return CaptureDate(
            exif: text[..<3].joined(separator: ":") + " " + text[3...].joined(separator: ":"))
    }

    // MARK: - Canon

    private static let canonName = Array("HEAPJPGM".utf8)
    private static let stamp: UInt16 = 0x180E
    /// The bits of a tag that say that it is a directory, and where its value is.
    private static let kinds: UInt16 = 0x3800
    private static let isInEntry: UInt16 = 0x4000
    private static let directories: Set<UInt16> = [0x2800, 0x3000]
    private static let maximumDepth = 4
    private static let maximumEntries = 200

    /// The date in a segment that Canon's first cameras wrote in place of EXIF data: seconds since
    /// 1970, by their clock.
    ///
    /// - Source: Canon, “CIFF Specification on Image Data File”, 1.0; ExifTool's table
    ///   `CanonRaw::TimeStamp`.
    static func canon(_ segment: Block) -> CaptureDate? {
        guard segment.starts(with: canonName, at: 6),
            let start = segment.uint32(at: 2, .littleEndian),
            segment.starts(with: "II".utf8)
        else { return nil }
        return date(in: segment.dropFirst(Int(start)), 0)
    }

    /// Searches a heap, whose directory is at the offset in its last four bytes.
    private static func date(in heap: Block, _ depth: Int) -> CaptureDate? {
        guard depth < maximumDepth,
            let start = heap.uint32(at: heap.count - 4, .littleEndian).map(Int.init),
            let count = heap.uint16(at: start, .littleEndian).map(Int.init)
        else { return nil }
        for index in 0..<min(count, maximumEntries) {
            let entry = heap.dropFirst(start).dropFirst(2 + 10 * index)
            guard let tag = entry.uint16(at: 0, .littleEndian),
                let size = entry.uint32(at: 2, .littleEndian),
                let offset = entry.uint32(at: 6, .littleEndian)
            else { return nil }
            // A short value is in the entry.
            let value =
                tag & isInEntry == 0
                ? heap.part(at: Int(offset), count: Int(size)) : entry.part(at: 2, count: 8)
            if tag & 0x3FFF == stamp, let seconds = value?.uint32(at: 0, .littleEndian), seconds > 0
            {
                let date = CaptureDate(secondsInUTC: Int64(seconds))
                return date.flatMap { CaptureDate(exif: $0.exif) }
            }
            if directories.contains(tag & kinds), let value, let date = date(in: value, depth + 1) {
                return date
            }
        }
        return nil
    }
}
