// SPDX-License-Identifier: MIT

import Photos

/// The directories with a photo's EXIF data, wherever its format keeps them.
struct EXIFSource {
    let main: TIFFDirectory
    let exif: TIFFDirectory?
    let gps: TIFFDirectory?

    init(_ main: TIFFDirectory, exif: TIFFDirectory?, gps: TIFFDirectory?) {
        self.main = main
        self.exif = exif
        self.gps = gps
    }

    /// Reads a TIFF structure, which may be a whole file; nil if it is not one.
    init?(_ structure: Block) {
        guard let main = TIFFDirectory.first(in: structure) else { return nil }
        self.init(
            main, exif: main.number(Tag.exifDirectory).map { main.directory(at: $0) },
            gps: main.number(Tag.gpsDirectory).map { main.directory(at: $0) })
    }

    /// Writes the data anew, without anything that belongs to another file: no preview, no maker's
    /// note, no padding, and nothing that is not known.
    ///
    /// - Parameters:
    ///   - source: The data; nil if there are only texts.
    ///   - keepsLocation: Whether the GPS directory is kept.
    ///   - texts: Texts that are added where the data has none.
    /// - Returns: A TIFF structure, which starts with the byte order; empty if there is no data.
    /// - Source: EXIF 2.32, 4.6; TIFF 6.0, section 2.
    static func rebuilt(
        _ source: EXIFSource?, keepsLocation: Bool, texts: PhotoTexts
    ) -> [UInt8] {
        let order = source?.main.order ?? .littleEndian
        let added = Field.texts(texts, missingIn: source?.main)
        let replaced = Set(added.map(\.tag))
        let date = Field.date(texts.taken, missingIn: source?.exif)
        let oldDate = Set(date.map(\.tag))
        var directories = [
            Fields(source?.main, order) { Tag.describing.contains($0) && !replaced.contains($0) },
            // A maker's note contains offsets that would no longer be right.
            Fields(source?.exif, order) {
                !Tag.notRebuilt.contains($0) && !oldDate.contains($0)
            },
            Fields(keepsLocation ? source?.gps : nil, order) { _ in true },
        ]
        directories[0].fields += added
        directories[1].fields += date
        guard directories.contains(where: { !$0.fields.isEmpty }) else { return [] }
        for (index, tag) in [(1, Tag.exifDirectory), (2, Tag.gpsDirectory)]
        where !directories[index].fields.isEmpty {
            // The offset, which is written when it is known.
            directories[0].fields.append(Field(tag: tag, type: 4, count: 1, value: [0, 0, 0, 0]))
        }
        for index in [0, 1] { directories[index].fields.sort { $0.tag < $1.tag } }
        return written(directories, order)
    }

    /// Adds texts and a date to a structure where it has none.
    ///
    /// Its directories are written again behind everything else, so nothing in it moves.
    static func adding(_ texts: PhotoTexts, to structure: [UInt8]) -> [UInt8] {
        guard let source = EXIFSource(Block(structure[...])), source.main.form == .classic,
            source.main.isComplete
        else { return structure }
        let order = source.main.order
        var result = structure
        var added = Field.texts(texts, missingIn: source.main)
        let date = Field.date(texts.taken, missingIn: source.exif)
        if !date.isEmpty, source.exif?.isComplete ?? true {
            let offset = append(source.exif, with: date, next: 0, order, to: &result)
            added.append(
                Field(
                    tag: Tag.exifDirectory, type: 4, count: 1,
                    value: order.bytes(of: offset, width: 4)))
        }
        guard !added.isEmpty else { return structure }
        let offset = append(source.main, with: added, next: source.main.next, order, to: &result)
        result.replaceSubrange(4..<8, with: order.bytes(of: offset, width: 4))
        return result
    }

    /// Adds an orientation to a structure that has none; nil if it is damaged.
    static func adding(_ orientation: Orientation, to structure: [UInt8]) -> [UInt8]? {
        guard let source = EXIFSource(Block(structure[...])), source.main.form == .classic,
            source.main.isComplete
        else { return nil }
        let order = source.main.order
        var result = structure
        let field = Field(
            tag: Tag.orientation, type: 3, count: 1,
            value: order.bytes(of: Int(orientation.rawValue), width: 2))
        let offset = append(
            source.main, with: [field], next: source.main.next, order, to: &result)
        result.replaceSubrange(4..<8, with: order.bytes(of: offset, width: 4))
        return result
    }

    /// Writes a directory with other and more fields at the end of a structure.
    ///
    /// - Returns: Where it begins.
    private static func append(
        _ directory: TIFFDirectory?, with added: [Field], next: Int, _ order: ByteReader.Order,
        to structure: inout [UInt8]
    ) -> Int {
        let replaced = Set(added.map(\.tag))
        var entries =
            directory.map { directory in
                directory.entries.filter { !replaced.contains($0.tag) }
                    .map { (tag: $0.tag, bytes: Array(directory.bytes(of: $0))) }
            } ?? []
        for field in added {
            // Values and directories begin at even offsets.
            if structure.count % 2 == 1 { structure.append(0) }
            if field.value.count <= 4 {
                entries.append((field.tag, field.head(order) + field.shortValue))
            } else {
                let offset = order.bytes(of: structure.count, width: 4)
                entries.append((field.tag, field.head(order) + offset))
                structure += field.value
            }
        }
        if structure.count % 2 == 1 { structure.append(0) }
        let start = structure.count
        entries.sort { $0.tag < $1.tag }
        structure += order.bytes(of: entries.count, width: 2) + entries.flatMap(\.bytes)
        structure += order.bytes(of: next, width: 4)
        return start
    }

    // MARK: - Writing

    private struct Field {
        let tag: UInt16
        let type: UInt16
        let count: Int
        var value: [UInt8]

        /// The texts for which a directory has no text, or only blanks, as some cameras write.
        ///
        /// The type is that of ASCII, but everybody writes UTF-8.
        static func texts(_ texts: PhotoTexts, missingIn main: TIFFDirectory?) -> [Field] {
            [
                (Tag.description, texts.description), (Tag.artist, texts.artist),
                (Tag.copyright, texts.copyright),
            ].compactMap { tag, text in
                let old = main?.entry(tag).flatMap { main?.valueBytes(of: $0) } ?? []
                guard let text, !old.contains(where: { $0 > 0x20 }) else { return nil }
                return Field(tag: tag, text: text)
            }
        }

        /// The date if a directory has none.
        static func date(_ date: CaptureDate?, missingIn exif: TIFFDirectory?) -> [Field] {
            let tags = [Tag.dateTimeOriginal, Tag.dateTimeDigitized]
            let hasDate = tags.contains { tag in
                exif?.text(tag).flatMap { CaptureDate(exif: $0) } != nil
            }
            guard let date, !hasDate else { return [] }
            return [Field(tag: Tag.dateTimeOriginal, text: date.exif)]
                + (date.exifOffset.map { [Field(tag: Tag.offsetTimeOriginal, text: $0)] } ?? [])
        }

        /// A field of type ASCII.
        private init(tag: UInt16, text: String) {
            let value = Array(text.utf8) + [0]
            self.init(tag: tag, type: 2, count: value.count, value: value)
        }

        init(tag: UInt16, type: UInt16, count: Int, value: [UInt8]) {
            self.tag = tag
            self.type = type
            self.count = count
            self.value = value
        }

        /// The entry without its value.
        func head(_ order: ByteReader.Order) -> [UInt8] {
            order.bytes(of: Int(tag), width: 2) + order.bytes(of: Int(type), width: 2)
                + order.bytes(of: count, width: 4)
        }

        /// A value that fits into the entry.
        var shortValue: [UInt8] { value + [UInt8](repeating: 0, count: 4 - value.count) }
    }

    private struct Fields {
        /// The largest value; descriptions and comments are shorter.
        private static let maximumValue = 16_384
        private static let maximumFields = 200
        /// The last type that EXIF knows; BigTIFF has more.
        private static let lastType: UInt16 = 13

        var fields: [Field] = []

        /// The number of bytes of the directory, without the values outside it.
        var size: Int { 2 + fields.count * TIFFDirectory.Form.classic.entrySize + 4 }

        init(_ directory: TIFFDirectory?, _ order: ByteReader.Order, _ isKept: (UInt16) -> Bool) {
            guard let directory, directory.order == order else { return }
            var tags: Set<UInt16> = []
            for entry in directory.entries.prefix(Self.maximumFields) where isKept(entry.tag) {
                // Of two entries with one tag, the first one counts.
                guard tags.insert(entry.tag).inserted,
                    entry.type <= Self.lastType || entry.type == TIFFDirectory.utf8,
                    let value = directory.valueBytes(of: entry), value.count <= Self.maximumValue
                else { continue }
                fields.append(
                    Field(
                        tag: entry.tag, type: entry.type, count: entry.count,
                        value: Array(value)))
            }
            // Some cameras write them in another order.
            fields.sort { $0.tag < $1.tag }
        }
    }

    private static func written(
        _ directories: [Fields], _ order: ByteReader.Order
    ) -> [UInt8] {
        var starts: [Int] = []
        var end = 8
        for directory in directories {
            starts.append(end)
            if !directory.fields.isEmpty { end += directory.size }
        }
        var head = Array((order == .littleEndian ? "II*\0" : "MM\0*").utf8)
        head += order.bytes(of: 8, width: 4)
        var values: [UInt8] = []
        for directory in directories where !directory.fields.isEmpty {
            head += order.bytes(of: directory.fields.count, width: 2)
            for field in directory.fields {
                head += field.head(order)
                switch field.tag {
                case Tag.exifDirectory: head += order.bytes(of: starts[1], width: 4)
                case Tag.gpsDirectory: head += order.bytes(of: starts[2], width: 4)
                case _ where field.value.count <= 4: head += field.shortValue
                default:
                    head += order.bytes(of: end + values.count, width: 4)
                    values += field.value
                    // Values begin at even offsets.
                    if values.count % 2 == 1 { values.append(0) }
                }
            }
            head += [0, 0, 0, 0]
        }
        return head + values
    }
}

extension Tag {
    /// The tags of the first directory that describe a photo and not its file.
    ///
    /// - Source: EXIF 2.32, 4.6.4; for ratings and titles, Microsoft, “Photo metadata policies”.
    fileprivate static let describing: Set<UInt16> = [
        0x010D, description, make, 0x0110, orientation, 0x011A, 0x011B, 0x011D, 0x0128, 0x0131,
        dateTime, artist, 0x013C, 0x4746, 0x4749, copyright, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
    ]
    /// The maker's note, another file's name, and the directory of interoperability.
    fileprivate static let notRebuilt: Set<UInt16> = [0x927C, 0xA004, 0xA005]
}
