// SPDX-License-Identifier: MIT

import Photos

extension PhotoDetails {
    /// The details in the metadata of a picture.
    ///
    /// - Parameters:
    ///   - texts: What people wrote outside of EXIF data, which counts more.
    ///   - source: The EXIF data; nil if there is none.
    init(_ texts: PhotoTexts, _ source: EXIFSource?) {
        let written = PhotoTexts(source)
        let known = texts.completed(by: written).withoutPlaces
        self.init(
            title: known.title, caption: known.description, keywords: known.keywords,
            rating: texts.rating ?? written.rating,
            camera: PhotoTexts.harmless(Self.camera(texts) ?? Self.camera(written)),
            lens: PhotoTexts.harmless(texts.lens ?? written.lens),
            hasPlace: texts.hasPlace || written.hasPlace)
        self = bounded
        leaveOutPositions()
    }

    /// The details of a video, without texts that tell a place.
    package init(
        title: String?, caption: String?, make: String?, model: String?, hasPlace: Bool
    ) {
        var texts = PhotoTexts()
        texts.title = PhotoTexts.cleaned(title)
        texts.description = PhotoTexts.cleaned(caption)
        texts.make = PhotoTexts.cleaned(make)
        texts.model = PhotoTexts.cleaned(model)
        texts.hasPlace = hasPlace
        self.init(texts, nil)
    }

    /// Leaves out texts that tell a position together: a latitude and a longitude, for example.
    private mutating func leaveOutPositions() {
        let texts = [title, caption].compactMap(\.self) + keywords
        guard texts.count > 1 else { return }
        let telling = PlaceParts.tellingPosition(texts.map { Array($0.utf8) })
        guard !telling.isEmpty else { return }
        let left = Set(telling.map { texts[$0] })
        title = title.flatMap { left.contains($0) ? nil : $0 }
        caption = caption.flatMap { left.contains($0) ? nil : $0 }
        keywords.removeAll { left.contains($0) }
    }

    /// The name of a camera, in which that of its make is not repeated.
    private static func camera(_ texts: PhotoTexts) -> String? {
        guard let model = texts.model else { return texts.make }
        guard let make = texts.make, let word = make.split(separator: " ").first else {
            return model
        }
        // “NIKON CORPORATION” and “NIKON D90”, “Canon” and “Canon EOS R5”.
        return model.lowercased().hasPrefix(word.lowercased()) ? model : "\(make) \(model)"
    }
}

extension PhotoTexts {
    /// Reads the texts of EXIF data.
    ///
    /// - Source: EXIF 2.32, 4.6; for titles, keywords and ratings, Microsoft, “Photo metadata
    ///   policies”.
    init(_ source: EXIFSource?) {
        self.init()
        guard let source else { return }
        let main = source.main
        make = Self.cleaned(main.text(Tag.make))
        model = Self.cleaned(main.text(Tag.model))
        lens = Self.cleaned(source.exif?.text(Tag.lensModel))
        rating = main.number(Tag.rating).flatMap { PhotoDetails.ratings.contains($0) ? $0 : nil }
        title = Self.cleaned(Self.wide(main, Tag.windowsTitle))
        description =
            Self.cleaned(Self.long(main, Tag.description)).flatMap { Self.isMeant($0) ? $0 : nil }
            ?? Self.cleaned(Self.wide(main, Tag.windowsComment))
            ?? Self.cleaned(Self.wide(main, Tag.windowsSubject))
        keywords = (Self.wide(main, Tag.windowsKeywords) ?? "").split(separator: ";")
            .compactMap { Self.cleaned(String($0)) }
        hasPlace =
            source.gps.map { $0.has(Tag.gpsLatitude) && $0.has(Tag.gpsLongitude) } ?? false
    }

    /// What cameras write as the description of every photo.
    private static let fillers = [
        "OLYMPUS DIGITAL CAMERA", "SONY DSC", "DIGITAL CAMERA", "KODAK Digital Still Camera",
        "MINOLTA DIGITAL CAMERA", "SAMSUNG", "SAMSUNG CAMERA PICTURES", "default", "DCIM",
    ]

    private static func isMeant(_ description: String) -> Bool {
        !fillers.contains(description) && !description.hasPrefix("DCIM\\")
    }

    /// A text in UTF-8 or, if it is not, in Latin-1.
    private static func long(_ directory: TIFFDirectory, _ tag: UInt16) -> String? {
        guard let entry = directory.entry(tag), [2, TIFFDirectory.utf8].contains(entry.type),
            let bytes = directory.valueBytes(of: entry)?.prefix(while: { $0 != 0 }),
            bytes.count <= maximumText
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// A text in UTF-16, as Windows writes it.
    private static func wide(_ directory: TIFFDirectory, _ tag: UInt16) -> String? {
        guard let entry = directory.entry(tag), entry.type == 1,
            let bytes = directory.valueBytes(of: entry), bytes.count <= 2 * maximumText
        else { return nil }
        let reader = ByteReader(bytes, order: .littleEndian)
        let units = stride(from: 0, to: bytes.count, by: 2).compactMap { reader.uint16(at: $0) }
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }
}

// MARK: - Sidecar files

extension PhotoDetails {
    /// Reads a sidecar file: a file that contains nothing but an XMP packet.
    ///
    /// - Throws: ``PixelError/unsupported`` for any other file.
    /// - Source: XMP Specification Part 3, 1.2.
    package init(sidecar file: FileBytes) throws(PixelError) {
        let block = Block(file)
        guard let packet = block.metadata, Self.isPacket(packet) else { throw .unsupported }
        self.init(PhotoTexts(WrittenMetadata(xmp: packet)), nil)
    }

    private static let packetMarks = ["<x:xmpmeta", "<rdf:RDF", "http://www.w3.org/1999/02/22-rdf"]
    /// More bytes than what precedes a packet in its file.
    private static let longestHead = 4096

    private static func isPacket(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = bytes.prefix(longestHead)
        return packetMarks.contains {
            head.firstIndex(of: Array($0.utf8), from: head.startIndex) != nil
        }
    }
}
