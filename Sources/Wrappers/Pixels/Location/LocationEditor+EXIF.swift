// SPDX-License-Identifier: MIT

import Photos

/// EXIF data, and files that consist of such directories.
///
/// - Source: TIFF 6.0; EXIF 2.32, 4.6; GeoTIFF 1.1.
extension LocationEditor {
    /// More directories than EXIF data has, and more than a file has pages; few enough that they can
    /// be read in time.
    private static let maximumDirectories = (exif: 64, file: 10_000)
    private static let maximumEntries = 500_000
    /// The most bytes of a value to overwrite; a longer one is nonsense.
    private static let maximumValue = 4 << 20

    /// Edits a file of the TIFF family: its directories, and the JPEGs that they point to.
    mutating func editTIFF(_ file: Block, _ depth: Int) throws(PixelError) {
        if depth == 0 {
            let type = RawFile(tiff: file).mediaType
            needsMakerNote = type != nil && type != .adobeDNG
        }
        try editDirectories(in: file, isFile: true, depth)
        editText(behind: file)
    }

    /// Edits Fujifilm's raw file, whose metadata is that of a JPEG inside it.
    mutating func editFujifilm(_ file: Block, _ depth: Int) throws(PixelError) {
        let header = file.reader(at: 84, count: 8, .bigEndian)
        guard let offset = header.uint32(at: 0), let count = header.uint32(at: 4),
            let stream = file.part(at: Int(offset), count: Int(count))
        else { return }
        try edit(stream, depth: depth + 1)
    }

    /// Returns EXIF data without its location.
    static func exif(_ data: [UInt8]) throws(PixelError) -> [UInt8] {
        var editor = LocationEditor(isStrict: false)
        try editor.editEXIF(Block(data[...]), 0)
        var data = data
        editor.patch.apply(to: &data)
        return data
    }

    /// Edits EXIF data; it is overwritten if it has no directories.
    mutating func editEXIF(_ structure: Block, _ depth: Int) throws(PixelError) {
        guard TIFFDirectory.first(in: structure) != nil else { return blank(structure) }
        try editDirectories(in: structure, isFile: false, depth)
    }

    private mutating func editDirectories(
        in structure: Block, isFile: Bool, _ depth: Int
    ) throws(PixelError) {
        guard let first = TIFFDirectory.first(in: structure) else { return }
        var waiting = [first]
        var visited: Set<Int> = []
        let most = isFile ? Self.maximumDirectories.file : Self.maximumDirectories.exif
        var entries = 0
        var maker = ""
        var values = JudgedValues()
        while let directory = waiting.popLast() {
            // One that claims more entries than are there is read by some programs all the same.
            guard directory.isBehindHeader,
                visited.insert(directory.block.range.lowerBound).inserted
            else { continue }
            entries += directory.count
            guard visited.count <= most, entries <= Self.maximumEntries else {
                throw .locationStays
            }
            maker = directory.text(Tag.make) ?? maker
            var removed: Set<UInt16> = []
            var texts: [(tag: UInt16, value: Block)] = []
            for entry in directory.entries {
                if entry.tag == Tag.gpsDirectory {
                    patch.fillGPS(entry, of: directory)
                    removed.insert(entry.tag)
                } else if try !keeps(entry, of: directory, isFile: isFile, maker, &values, depth) {
                    if let value = directory.longValue(of: entry) {
                        let isWhole = entry.tag == EXIFTags.originalFile
                        patch.fill(isWhole ? value : value.prefix(Self.maximumValue))
                    }
                    removed.insert(entry.tag)
                } else if EXIFTags.wideTexts.contains(entry.tag),
                    let value = directory.longValue(of: entry)
                {
                    texts.append((entry.tag, value))
                }
            }
            // The latitude may be in the title, and the longitude in the subject.
            for index in try values.tellingPosition(texts.map(\.value)) {
                patch.fill(texts[index].value)
                removed.insert(texts[index].tag)
            }
            for stream in directory.pictures {
                try editPicture(stream, depth)
            }
            for tag in [Tag.exifDirectory, Tag.interoperability, Tag.subdirectories] {
                // Some have type LONG, some IFD; one of another type is an offset all the same.
                var offsets = directory.numbers(tag)
                if offsets.isEmpty, let entry = directory.entry(tag) {
                    offsets = [directory.pointer(in: entry) ?? 0]
                }
                for offset in offsets where offset > 0 {
                    waiting.append(directory.directory(at: offset))
                }
            }
            if directory.next > 0 { waiting.append(directory.directory(at: directory.next)) }
            patch.remove(removed, from: directory)
        }
    }

    /// A small picture in the data: a JPEG, or a structure of its own.
    private mutating func editPicture(_ stream: Block, _ depth: Int) throws(PixelError) {
        switch LocationContainer(Array(stream.bytes(count: 8))) {
        case .jpeg, .tiff: try edit(stream, depth: depth + 1)
        default: return
        }
    }

    // MARK: - Entries

    /// Whether an entry stays, after its value has been edited.
    private mutating func keeps(
        _ entry: TIFFDirectory.Entry, of directory: TIFFDirectory, isFile: Bool, _ maker: String,
        _ values: inout JudgedValues, _ depth: Int
    ) throws(PixelError) -> Bool {
        if EXIFTags.areas.contains(entry.tag) || entry.tag == EXIFTags.originalFile {
            return false
        }
        let isNeeded = needsMakerNote && entry.tag == Tag.makerNote
        if isStrict, EXIFTags.dispensable.contains(entry.tag), !isNeeded { return false }
        // Elsewhere, a latitude has the number of a version.
        if entry.tag == EXIFTags.version, entry.type == TIFFDirectory.fraction { return false }
        let value = directory.longValue(of: entry)
        switch entry.tag {
        case Tag.xmp:
            if let value, try values.isNew(value, entry.tag) { try editXMP(value) }
            return true
        case Tag.iptc, EXIFTags.secondIPTC:
            if let value, try values.isNew(value, entry.tag) { editIPTC(value) }
            return true
        case Tag.photoshop:
            if let value { try editPhotoshop(PhotoshopResources(value), depth) }
            return true
        case Tag.profile:
            if let value, try values.isNew(value, entry.tag) { editProfile(value) }
            return true
        case Tag.makerNote:
            guard let value else { return true }
            return try keepsMakerNote(value, of: directory, maker)
        case EXIFTags.privateData:
            guard let value else { return true }
            return try keepsPrivateData(value, of: directory, maker)
        default: break
        }
        guard let value else { return true }
        if [2, TIFFDirectory.utf8].contains(entry.type) || EXIFTags.texts.contains(entry.tag)
            || EXIFTags.wideTexts.contains(entry.tag)
        {
            // Programs write positions into descriptions, too.
            if try values.describesPlace(value) { return false }
        } else if EXIFTags.byteTypes.contains(entry.type), value.count <= EXIFTags.longestData,
            try values.tellsPosition(value)
        {
            return false
        }
        // Raw files are full of tags without which nobody can decode them.
        return isFile || EXIFTags.areKnown(entry.tag)
    }
}

/// The values of tags that have been read, to which many tags may point.
private struct JudgedValues {
    /// The most bytes of texts, which take longest, and of other metadata; more than a file has, and
    /// few enough that they can be read in time.
    private static let maximumText = 8 << 20
    private static let maximumMetadata = 128 << 20

    private struct Value: Hashable {
        let range: Range<Int>
        let tag: UInt16
    }

    private var texts: [Range<Int>: Bool] = [:]
    private var textCount = 0
    private var others: Set<Value> = []
    private var otherCount = 0

    /// Whether a text tells a place.
    ///
    /// - Throws: ``PixelError/locationStays`` if there are too many of them.
    mutating func describesPlace(_ text: Block) throws(PixelError) -> Bool {
        if let known = texts[text.range] { return known }
        guard text.count <= Self.maximumText - textCount else { throw .locationStays }
        textCount += text.count
        let isPlace = PlaceText.describesPlace(text.bytes(count: text.count))
        texts[text.range] = isPlace
        return isPlace
    }

    /// Whether data of no known form tells a position.
    ///
    /// - Throws: ``PixelError/locationStays`` if there is too much of it.
    mutating func tellsPosition(_ data: Block) throws(PixelError) -> Bool {
        guard data.count <= Self.maximumText - textCount else { throw .locationStays }
        textCount += data.count
        return PlaceText.tellsPosition(inData: Array(data.bytes(count: data.count)))
    }

    /// Which of some texts tell a position together.
    ///
    /// - Throws: ``PixelError/locationStays`` if there are too many of them.
    mutating func tellingPosition(_ texts: [Block]) throws(PixelError) -> Set<Int> {
        guard texts.count > 1 else { return [] }
        let count = texts.reduce(0) { $0 + $1.count }
        guard count <= Self.maximumText - textCount else { throw .locationStays }
        textCount += count
        return PlaceParts.tellingPosition(texts.map { Array($0.bytes(count: $0.count)) })
    }

    /// Whether the value of a tag has not been edited.
    ///
    /// - Throws: ``PixelError/locationStays`` if there are too many of them.
    mutating func isNew(_ value: Block, _ tag: UInt16) throws(PixelError) -> Bool {
        guard others.insert(Value(range: value.range, tag: tag)).inserted else { return false }
        guard value.count <= Self.maximumMetadata - otherCount else { throw .locationStays }
        otherCount += value.count
        return true
    }
}

/// The tags that decide what stays in EXIF data.
enum EXIFTags {
    /// GeoTIFF: where a map is; and what a satellite saw.
    static let areas: Set<UInt16> = [
        0x830E, 0x8480, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1, 0xA480, 0xC69C,
    ]
    /// The file from which a DNG file was made, compressed.
    static let originalFile: UInt16 = 0xC68C
    /// The data of makers in DNG files.
    static let privateData: UInt16 = 0xC634
    /// Texts that people write, of whatever type.
    static let texts: Set<UInt16> = [
        0x010D, Tag.description, Tag.artist, 0x013C, Tag.copyright, Tag.userComment, 0x9213,
    ]
    /// Text of people and programs, and the data of makers.
    static let dispensable: Set<UInt16> = [
        0x010D, 0x010E, 0x013C, Tag.xmp, Tag.iptc, secondIPTC, Tag.photoshop, Tag.makerNote,
        Tag.userComment, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F, 0xA40B, 0xC4A5, 0x935C, 0xEA1C,
        privateData,
    ]
    static let secondIPTC: UInt16 = 0x8568
    /// BYTE, SBYTE and UNDEFINED: what has a form of its own, or none.
    static let byteTypes: Set<UInt16> = [1, 6, 7]
    /// Longer data of such a type is no text.
    static let longestData = 4096
    /// The version of a directory; a latitude in one of GPS.
    static let version: UInt16 = 0x0002
    /// Texts of Windows, in UTF-16.
    static let wideTexts: ClosedRange<UInt16> = 0x9C9B...0x9C9F

    /// - Source: TIFF 6.0, EXIF 2.32, TIFF/EP, DNG 1.6, and the tags of well-known programs in
    ///   ExifTool's table `Exif::Main`.
    private static let known: [ClosedRange<UInt16>] = [
        0x0001...0x0002, 0x00FE...0x0303, 0x0320...0x0321, 0x1000...0x1002, 0x4746...0x4749,
        0x5001...0x5113, 0x7000...0x7038, 0x80A3...0x80BF, 0x80E3...0x80E6, 0x827D...0x829D,
        0x82A5...0x82A9, 0x83BB...0x83BB, 0x8546...0x8546, 0x8568...0x8568, 0x8602...0x8649,
        0x8769...0x8773, 0x877F...0x8782, 0x8822...0x8833, 0x885C...0x885E, 0x8871...0x8871,
        0x9000...0x9407, 0x9C9B...0x9C9F, 0xA000...0xA00C, 0xA20B...0xA302, 0xA401...0xA40C,
        0xA420...0xA420, 0xA430...0xA43C, 0xA460...0xA463, 0xA500...0xA500, 0xAFC0...0xAFC5,
        0xB4C3...0xB4C8, 0xBC01...0xBCC3, 0xC427...0xC42A, 0xC4A5...0xC4A5, 0xC51B...0xC51B,
        0xC573...0xC574, 0xC580...0xC580, 0xC5D8...0xC5E0, 0xC612...0xCFFF, 0xEA1C...0xEA1D,
        0xFDE8...0xFE58,
    ]

    static func areKnown(_ tag: UInt16) -> Bool { known.contains { $0.contains(tag) } }
}

extension TIFFDirectory {
    /// The pictures that it describes whose metadata is their own.
    fileprivate var pictures: [Block] {
        var streams = [block(at: Tag.previewOffset, size: Tag.previewByteCount)]
        if numbers(Tag.stripOffsets).count == 1 {
            streams.append(block(at: Tag.stripOffsets, size: Tag.stripByteCounts))
        }
        if let entry = entry(Tag.jpegFromRaw), entry.type == 7 {
            streams.append(longValue(of: entry))
        }
        return streams.compactMap(\.self)
    }
}
