// SPDX-License-Identifier: MIT

import Photos

/// A camera's raw file: what is shown of it is the JPEG that the camera put into it.
///
/// - Source: TIFF 6.0; TIFF/EP (ISO 12234-2), 5; DNG 1.6, chapter 4; for tags of makers, the tables
///   of ExifTool.
struct RawFile {
    /// Which kind of raw file it is; nil when it is none.
    private(set) var mediaType: MediaType?
    /// The size of the sensor's picture as stored, or that of the largest preview.
    private(set) var size: PixelSize?
    private(set) var exif: EXIF?
    /// The JPEGs in it, where they are in the file.
    private var previews: [(range: Range<Int>, size: PixelSize)] = []

    /// More directories than cameras write, few enough that a loop of them ends.
    private static let maximumDirectories = 16

    /// Looks through a file of the TIFF family.
    init(tiff file: FileBytes) {
        guard let (main, order) = TIFFDirectory.first(in: file) else { return }
        exif = EXIF(file)
        var isRaw = false
        var waiting = [main]
        var count = 0
        while let directory = waiting.popLast(), count < Self.maximumDirectories {
            count += 1
            isRaw = isRaw || directory.holdsSensorData
            note(directory)
            for range in directory.jpegRanges { note(range, in: file) }
            let others = directory.numbers(Tag.subdirectories) + [directory.next]
            for offset in others.prefix(Self.maximumDirectories) where offset > 0 {
                waiting.append(TIFFDirectory(file, order, at: offset))
            }
        }
        if isRaw { mediaType = main.rawType }
        finish()
    }

    /// Looks into Fujifilm's own container, whose preview is a whole JPEG file.
    init(fujifilm file: FileBytes) {
        mediaType = .fujiRaw
        let header = ByteReader(file.bytes(at: 84, count: 8), order: .bigEndian)
        guard let offset = header.uint32(at: 0), let count = header.uint32(at: 4) else { return }
        let range = Int(offset)..<Int(offset) + Int(count)
        exif = JPEGHeader(file, in: range).exif
        note(range, in: file)
        finish()
    }

    /// The smallest preview with enough pixels, or the largest one.
    func preview(fitting side: Int) -> Range<Int>? {
        let sorted = previews.sorted { ($0.size.pixelCount ?? 0) < ($1.size.pixelCount ?? 0) }
        let enough = sorted.first { max($0.size.width, $0.size.height) >= side }
        return (enough ?? sorted.last)?.range
    }

    private mutating func note(_ directory: TIFFDirectory) {
        guard let width = directory.number(Tag.width), let height = directory.number(Tag.height)
        else { return }
        let found = PixelSize(width: width, height: height)
        if (found.pixelCount ?? 0) > (size?.pixelCount ?? 0) { size = found }
    }

    private mutating func note(_ range: Range<Int>, in file: FileBytes) {
        let header = JPEGHeader(file, in: range)
        guard let size = header.size, !size.isEmpty, header.isDecodable else { return }
        previews.append((range, size))
    }

    private mutating func finish() {
        guard size == nil, let range = preview(fitting: .max) else { return }
        size = previews.first { $0.range == range }?.size
    }
}

private enum Tag {
    static let jpegFromRaw: UInt16 = 0x002E
    static let width: UInt16 = 0x0100
    static let height: UInt16 = 0x0101
    static let compression: UInt16 = 0x0103
    static let photometric: UInt16 = 0x0106
    static let make: UInt16 = 0x010F
    static let stripOffsets: UInt16 = 0x0111
    static let stripByteCounts: UInt16 = 0x0117
    static let subdirectories: UInt16 = 0x014A
    static let previewOffset: UInt16 = 0x0201
    static let previewByteCount: UInt16 = 0x0202
    static let dngVersion: UInt16 = 0xC612
}

extension TIFFDirectory {
    /// Colour filter array, linear raw, or a compression that only one maker's raw files have.
    fileprivate var holdsSensorData: Bool {
        [32_803, 34_892].contains(number(Tag.photometric))
            || [32_767, 34_713, 65_535].contains(number(Tag.compression))
    }

    /// The parts of the file that this directory says are JPEGs.
    fileprivate var jpegRanges: [Range<Int>] {
        var ranges: [Range<Int>] = []
        if let offset = number(Tag.previewOffset), let count = number(Tag.previewByteCount) {
            ranges.append(offset..<offset + count)
        }
        let strips = numbers(Tag.stripOffsets)
        if [6, 7].contains(number(Tag.compression)), !holdsSensorData, strips.count == 1,
            let count = number(Tag.stripByteCounts)
        {
            ranges.append(strips[0]..<strips[0] + count)
        }
        if let range = range(Tag.jpegFromRaw) { ranges.append(range) }
        return ranges
    }

    /// The type of a raw file that has the form of a TIFF, by its maker.
    fileprivate var rawType: MediaType? {
        if has(Tag.dngVersion) { return .adobeDNG }
        switch text(Tag.make)?.uppercased().split(separator: " ").first {
        case "NIKON": return .nikonRaw
        case "SONY": return .sonyRaw
        case "PENTAX", "RICOH": return .pentaxRaw
        default: return nil
        }
    }
}
