// SPDX-License-Identifier: MIT

package import Photos

/// The facts in the chunks of a PNG file, without its pixels.
package struct PNGChunks: Sendable {
    package private(set) var size: PixelSize?
    package private(set) var exif: EXIF?
    /// Whether it is an animated PNG.
    package private(set) var isAnimated = false
    /// How often an animation is shown; nil for ever.
    private(set) var rounds: Int?
    /// Whether the file is complete up to its last chunk.
    package private(set) var isComplete = false
    /// The `tEXt` chunks: keyword and Latin-1 text; the first one of each keyword counts.
    package private(set) var texts: [String: String] = [:]
    /// When the picture was last changed.
    private(set) var changed: CaptureDate?

    /// The chunks with texts that may contain metadata in other forms.
    private(set) var metadata: [PNGChunk] = []

    /// The size of the largest chunk to read; `IDAT` is never read.
    private static let maximumChunkSize = 1 << 20

    /// Reads all chunks, as far as the file contains them.
    ///
    /// - Source: Portable Network Graphics (Second Edition), 11.
    package init(_ file: FileBytes) {
        for chunk in PNGChunk.chunks(of: Block(file)) {
            let isSmall = chunk.content.count <= Self.maximumChunkSize
            func content() -> ArraySlice<UInt8> { chunk.content.bytes(count: chunk.content.count) }
            switch chunk.name {
            case "IHDR" where isSmall: readHeader(content())
            case "tEXt" where isSmall:
                readText(content())
                if chunk.content.starts(with: "Raw profile".utf8) { metadata.append(chunk) }
            case "eXIf" where isSmall: exif = exif ?? EXIF(tiff: content())
            case "zTXt" where isSmall, "iTXt" where isSmall: metadata.append(chunk)
            case "acTL":
                isAnimated = true
                let count = chunk.content.reader(count: 8, .bigEndian).uint32(at: 4) ?? 0
                rounds = count > 0 ? Int(count) : nil
            case "tIME": changed = changed ?? Self.date(chunk.content)
            case "IEND":
                isComplete = chunk.isComplete
                return
            default: break
            }
        }
    }

    /// - Source: Portable Network Graphics (Third Edition), 11.3.5.1: UTC.
    private static func date(_ content: Block) -> CaptureDate? {
        let reader = content.reader(count: 7, .bigEndian)
        guard let year = reader.uint16(at: 0) else { return nil }
        let fields = (2..<7).compactMap { reader.uint8(at: $0).map(Int.init) }
        guard fields.count == 5 else { return nil }
        return CaptureDate(
            year: Int(year), month: fields[0], day: fields[1], hour: fields[2], minute: fields[3],
            second: fields[4], offset: 0)
    }

    private mutating func readHeader(_ content: ArraySlice<UInt8>) {
        let reader = ByteReader(content, order: .bigEndian)
        guard let width = reader.uint32(at: 0), let height = reader.uint32(at: 4) else { return }
        size = PixelSize(width: Int(width), height: Int(height))
    }

    private mutating func readText(_ content: ArraySlice<UInt8>) {
        guard let end = content.firstIndex(of: 0) else { return }
        let keyword = latin1(content[..<end])
        if texts[keyword] == nil { texts[keyword] = latin1(content[(end + 1)...]) }
    }

    private func latin1(_ bytes: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
