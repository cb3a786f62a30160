// SPDX-License-Identifier: MIT

import Photos

/// A camera's raw file, of which we show the JPEG that the camera embedded.
///
/// - Source: TIFF 6.0; TIFF/EP (ISO 12234-2), 5; DNG 1.6, chapter 4; for manufacturers' tags, the
///   tables of ExifTool.
struct RawFile {
    /// The kind of raw file; nil if it is another file.
    private(set) var mediaType: MediaType?
    /// The stored size of the sensor's picture, or the size of the largest preview.
    private(set) var size: PixelSize?
    private(set) var orientation: Orientation?
    private(set) var taken: CaptureDate?
    /// The embedded JPEGs.
    private var previews: [(stream: Block, size: PixelSize)] = []

    /// More directories than cameras write, but few enough that a loop of directories ends.
    private static let maximumDirectories = 16

    /// Reads a file of the TIFF family.
    init(tiff file: Block) {
        guard let main = TIFFDirectory.first(in: file) else { return }
        note(EXIF(file))
        var isRaw = false
        var waiting = [main]
        var count = 0
        while let directory = waiting.popLast(), count < Self.maximumDirectories {
            count += 1
            isRaw = isRaw || directory.holdsSensorData
            note(directory)
            for stream in directory.jpegs { note(stream) }
            let others = directory.numbers(Tag.subdirectories) + [directory.next]
            for offset in others.prefix(Self.maximumDirectories) where offset > 0 {
                waiting.append(directory.directory(at: offset))
            }
        }
        if isRaw { mediaType = main.rawType }
        finish()
    }

    /// Reads Fujifilm's container, whose preview is a complete JPEG file.
    init(fujifilm file: Block) {
        guard let stream = Self.fujifilmPreview(file) else { return }
        if let exif = JPEGHeader(stream).exif { note(exif) }
        note(stream)
        finish()
    }

    /// The preview in Fujifilm's container.
    static func fujifilmPreview(_ file: Block) -> Block? {
        let header = file.reader(at: 84, count: 8, .bigEndian)
        guard let offset = header.uint32(at: 0), let count = header.uint32(at: 4) else {
            return nil
        }
        return file.part(at: Int(offset), count: Int(count))
    }

    /// Reads Canon's third format: an ISO base media file with pictures beside the sensor's data,
    /// and with EXIF directories in boxes of their own.
    ///
    /// - Source: ISO/IEC 14496-12; Canon's boxes: ExifTool's table `Canon::uuid`, and Laurent
    ///   Clévy, “Describing the Canon Raw v3 (CR3) file format”.
    init(canon file: Block) {
        for preview in CanonBoxes.previews(in: file) { note(preview) }
        noteMetadata(CanonBoxes.metadata(in: file))
        let movie = ISOBox.content(of: "moov", in: file)
        // The full-size picture is the first track; the sensor's data start with other bytes.
        for box in movie.map({ ISOBox.boxes(in: $0) }) ?? [] where box.name == "trak" {
            if let sample = CanonBoxes.firstSample(of: box.content, in: file) { note(sample) }
        }
        finish()
    }

    /// The smallest preview with enough pixels; if there is none, the largest one.
    ///
    /// A preview whose aspect ratio differs from that of the largest one has bars or is cropped, so
    /// it is not used.
    func preview(fitting side: Int) -> Block? {
        let sorted = previews.sorted { ($0.size.pixelCount ?? 0) < ($1.size.pixelCount ?? 0) }
        let shape = sorted.last?.size.aspectRatio ?? 1
        let enough = sorted.first {
            max($0.size.width, $0.size.height) >= side
                && abs($0.size.aspectRatio / shape - 1) <= JPEGPicture.shapeTolerance
        }
        return (enough ?? sorted.last)?.stream
    }

    /// The smallest preview, bars or not; nil if all of them are large.
    var smallPreview: Block? {
        previews.min { ($0.size.pixelCount ?? .max) < ($1.size.pixelCount ?? .max) }
            .flatMap { PreviewColour.isSmall($0.stream) ? $0.stream : nil }
    }

    /// Reads Canon's small picture and the TIFF structures beside it.
    private mutating func noteMetadata(_ boxes: [ISOBox]) {
        var main: TIFFDirectory?
        var details: TIFFDirectory?
        for box in boxes {
            switch box.name {
            case "CMT1": main = CanonBoxes.directory(box.content)
            case "CMT2": details = CanonBoxes.directory(box.content)
            case "THMB": if let picture = CanonBoxes.thumbnail(in: box.content) { note(picture) }
            default: break
            }
        }
        guard let main else { return }
        note(main)
        note(EXIF(main, details))
    }

    private mutating func note(_ exif: EXIF) {
        orientation = exif.orientation
        taken = exif.taken
    }

    private mutating func note(_ directory: TIFFDirectory) {
        guard let width = directory.number(Tag.width), let height = directory.number(Tag.height)
        else { return }
        let found = PixelSize(width: width, height: height)
        if (found.pixelCount ?? 0) > (size?.pixelCount ?? 0) { size = found }
    }

    private mutating func note(_ stream: Block) {
        let header = JPEGHeader(stream)
        guard let size = header.size, !size.isEmpty, header.isDecodable else { return }
        previews.append((stream, size))
    }

    private mutating func finish() {
        guard size == nil, let stream = preview(fitting: .max) else { return }
        size = previews.first { $0.stream.range == stream.range }?.size
    }
}

extension TIFFDirectory {
    /// Colour filter array, linear raw, or a compression that only one manufacturer's raw files
    /// use.
    fileprivate var holdsSensorData: Bool {
        [32_803, 34_892].contains(number(Tag.photometric))
            || [32_767, 34_713, 65_535].contains(number(Tag.compression))
    }

    /// The range of the JPEG that this directory describes.
    fileprivate var jpegs: [Block] {
        var streams: [Block?] = [block(at: Tag.previewOffset, size: Tag.previewByteCount)]
        if [6, 7].contains(number(Tag.compression)), !holdsSensorData,
            numbers(Tag.stripOffsets).count == 1
        {
            streams.append(block(at: Tag.stripOffsets, size: Tag.stripByteCounts))
        }
        // Type UNDEFINED.
        if let entry = entry(Tag.jpegFromRaw), entry.type == 7 {
            streams.append(longValue(of: entry))
        }
        return streams.compactMap(\.self)
    }

    /// The type of a TIFF-based raw file, by manufacturer.
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
