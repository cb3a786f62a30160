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

    /// Looks into Canon's third kind: an ISO base media file with pictures beside the sensor's
    /// data, and with the directories of EXIF in blocks of their own.
    ///
    /// - Source: ISO/IEC 14496-12; Canon's boxes: ExifTool's table `Canon::uuid`, and Laurent
    ///   Clévy, “Describing the Canon Raw v3 (CR3) file format”.
    init(canon file: FileBytes) {
        mediaType = .canonRaw3
        for box in ISOBox.boxes(in: file, file.whole) where box.uuid == CanonBox.preview {
            // A version and a count stand before the box in this box.
            let inner = box.content.dropFirst(8)
            guard let picture = ISOBox.content(of: "PRVW", in: file, inner) else { continue }
            note(ISOBox.picture(in: picture, countAt: 12, of: file), in: file)
        }
        let movie = ISOBox.content(of: "moov", in: file, file.whole) ?? 0..<0
        for box in ISOBox.boxes(in: file, movie) {
            if box.uuid == CanonBox.metadata { noteMetadata(box.content, in: file) }
            // The picture in full is the first track; the sensor's data begin otherwise.
            if box.name == "trak" { note(ISOBox.firstSample(of: box.content, in: file), in: file) }
        }
        finish()
    }

    /// The smallest preview with enough pixels, or the largest one.
    ///
    /// One of another shape than the largest one has bars or is cut; it is not shown.
    func preview(fitting side: Int) -> Range<Int>? {
        let sorted = previews.sorted { ($0.size.pixelCount ?? 0) < ($1.size.pixelCount ?? 0) }
        let shape = sorted.last?.size.aspectRatio ?? 1
        let enough = sorted.first {
            max($0.size.width, $0.size.height) >= side
                && abs($0.size.aspectRatio / shape - 1) <= JPEGPicture.shapeTolerance
        }
        return (enough ?? sorted.last)?.range
    }

    /// Reads the small picture and the TIFF structures that stand side by side.
    private mutating func noteMetadata(_ part: Range<Int>, in file: FileBytes) {
        var main: TIFFDirectory?
        var details: TIFFDirectory?
        for box in ISOBox.boxes(in: file, part) {
            switch box.name {
            case "CMT1": main = CanonBox.directory(box.content, in: file)
            case "CMT2": details = CanonBox.directory(box.content, in: file)
            case "THMB": note(ISOBox.picture(in: box.content, countAt: 8, of: file), in: file)
            default: break
            }
        }
        guard let main else { return }
        note(main)
        exif = EXIF(main, details)
    }

    private mutating func note(_ directory: TIFFDirectory) {
        guard let width = directory.number(Tag.width), let height = directory.number(Tag.height)
        else { return }
        let found = PixelSize(width: width, height: height)
        if (found.pixelCount ?? 0) > (size?.pixelCount ?? 0) { size = found }
    }

    private mutating func note(_ range: Range<Int>?, in file: FileBytes) {
        guard let range else { return }
        let header = JPEGHeader(file, in: range)
        guard let size = header.size, !size.isEmpty, header.isDecodable else { return }
        previews.append((range, size))
    }

    private mutating func finish() {
        guard size == nil, let range = preview(fitting: .max) else { return }
        size = previews.first { $0.range == range }?.size
    }
}

/// The boxes that are Canon's own.
private enum CanonBox {
    static let metadata: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A,
        0x48,
    ]
    static let preview: [UInt8] = [
        0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D,
        0x16,
    ]
    /// More than a directory and its values take.
    private static let maximumBlock = 1 << 16

    /// The first directory of a block.
    static func directory(_ block: Range<Int>, in file: FileBytes) -> TIFFDirectory? {
        let bytes = file.bytes(at: block.lowerBound, count: min(block.count, maximumBlock))
        return TIFFDirectory.first(in: bytes)?.0
    }
}

extension ISOBox {
    /// The JPEG in a box of Canon's: how long it is, four bytes, then it.
    fileprivate static func picture(
        in content: Range<Int>, countAt offset: Int, of file: FileBytes
    ) -> Range<Int>? {
        let bytes = file.bytes(at: content.lowerBound, count: min(content.count, 16))
        return ByteReader(bytes, order: .bigEndian).uint32(at: offset).map {
            content.dropFirst(16).prefix(Int($0))
        }
    }

    /// The first sample of a track, where it is said to be.
    ///
    /// - Source: ISO/IEC 14496-12, 8.7.3 and 8.7.5.
    fileprivate static func firstSample(of track: Range<Int>, in file: FileBytes) -> Range<Int>? {
        func head(_ name: String) -> ByteReader? {
            content(of: "mdia", "minf", "stbl", name, in: file, track).map {
                ByteReader(
                    file.bytes(at: $0.lowerBound, count: min($0.count, 16)), order: .bigEndian)
            }
        }
        // One size for all samples, or 0 and a list of sizes.
        guard let sizes = head("stsz"), let common = sizes.uint32(at: 4),
            let count = common > 0 ? common : sizes.uint32(at: 12),
            let offset = head("co64")?.uint64(at: 8)
        else { return nil }
        return file.whole.dropFirst(Int(clamping: offset)).prefix(Int(count))
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
