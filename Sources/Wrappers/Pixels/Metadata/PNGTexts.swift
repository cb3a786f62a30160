// SPDX-License-Identifier: MIT

internal import CDeflate
import Photos

/// Metadata in the textual chunks of PNG files.
extension PNGChunk {
    /// The most bytes of a text.
    private static let maximumText = 1 << 20

    /// The text of a `zTXt`, `tEXt` or `iTXt` chunk with a keyword, decompressed; nil for others.
    ///
    /// - Source: Portable Network Graphics (Second Edition), 11.3.4.
    func text(_ keyword: String) -> ArraySlice<UInt8>? {
        guard content.starts(with: Array(keyword.utf8) + [0]), content.count <= Self.maximumText
        else { return nil }
        let bytes = content.bytes(count: content.count)
        var text = bytes.dropFirst(keyword.utf8.count + 1)
        switch name {
        case "tEXt": return text
        case "zTXt":
            // The method of compression, of which there is one.
            return text.first == 0 ? Self.inflated(text.dropFirst()) : nil
        default:
            let isCompressed = text.first == 1
            // Whether it is compressed, and how; then a language and the keyword in it.
            text = text.dropFirst(2)
            for _ in 0..<2 { text = text.drop { $0 != 0 }.dropFirst() }
            return isCompressed ? Self.inflated(text) : text
        }
    }

    /// Decompresses a zlib stream; nil if it is damaged or very long.
    private static func inflated(_ stream: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        var isDone = false
        let text = [UInt8](unsafeUninitializedCapacity: maximumText) { output, count in
            stream.withUnsafeBufferPointer { input in
                var size = 0
                let result = libdeflate_zlib_decompress(
                    decompressor, input.baseAddress, input.count, output.baseAddress,
                    output.count, &size)
                isDone = result == LIBDEFLATE_SUCCESS
                count = isDone ? size : 0
            }
        }
        return isDone ? text[...] : nil
    }

    /// The data of a text in the form of ImageMagick's profiles: a name and a size on lines of their
    /// own, then hexadecimal digits.
    func profile(_ name: String) -> ArraySlice<UInt8>? {
        guard let text = text("Raw profile type \(name)") else { return nil }
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
        // The name is written in various ways.
        guard lines.count == 3 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines[2].count / 2)
        var high: UInt8?
        for character in lines[2] {
            guard let digit = Character(Unicode.Scalar(character)).hexDigitValue else { continue }
            if let first = high {
                bytes.append(first << 4 | UInt8(truncatingIfNeeded: digit))
                high = nil
            } else {
                high = UInt8(truncatingIfNeeded: digit)
            }
        }
        return bytes[...]
    }
}

extension PNGChunks {
    /// The XMP packet.
    var xmp: ArraySlice<UInt8>? {
        metadata.lazy.compactMap { $0.text("XML:com.adobe.xmp") ?? $0.profile("xmp") }.first
    }

    /// IPTC records that a program wrote as text, alone or in Photoshop's resources.
    var records: Block? {
        metadata.lazy.compactMap { $0.profile("iptc") ?? $0.profile("8bim") }.first.flatMap {
            $0.starts(with: "8BIM".utf8)
                ? PhotoshopResources(Block($0)).content(PhotoshopResources.iptc) : Block($0)
        }
    }

    /// What somebody wrote under a keyword of the specification.
    func written(_ keyword: String) -> String? {
        let long = metadata.lazy.compactMap { $0.text(keyword) }.first
        return PhotoTexts.cleaned(
            long.map { String(decoding: $0, as: UTF8.self) } ?? texts[keyword])
    }

    /// When the photo was taken, according to a text.
    ///
    /// The specification suggests the form of mails; most programs write another one.
    var created: CaptureDate? {
        written("Creation Time").flatMap { CaptureDate(iso: $0) ?? CaptureDate(mail: $0) }
    }

    /// EXIF data that a program wrote as text, before there was a chunk for it.
    var textualEXIF: EXIF? {
        metadata.lazy.compactMap { $0.profile("exif") ?? $0.profile("APP1") }.first.map {
            let name = JPEGSegments.Segment.exifName
            return EXIF(tiff: $0.starts(with: name) ? $0.dropFirst(name.count) : $0)
        }
    }
}

extension WrittenMetadata {
    /// Reads a PNG file: its packet, and the keywords of the specification.
    ///
    /// - Source: Portable Network Graphics (Second Edition), 11.3.4.2.
    init(_ chunks: PNGChunks) {
        var texts = PhotoTexts()
        texts.title = chunks.written("Title")
        texts.description = chunks.written("Description")
        texts.artist = chunks.written("Author")
        texts.copyright = chunks.written("Copyright")
        texts.taken = chunks.created
        self.init(xmp: chunks.xmp, iptc: chunks.records, others: texts)
    }
}
