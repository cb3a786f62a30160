// SPDX-License-Identifier: MIT

package import Photos

/// The chunks of a PNG file, without its pixels.
package struct PNGChunks: Sendable {
    package private(set) var size: PixelSize?
    package private(set) var exif: EXIF?
    /// Whether it is an animated PNG.
    package private(set) var isAnimated = false
    /// Whether the file goes on to its last chunk.
    package private(set) var isComplete = false
    /// The `tEXt` chunks: keyword and Latin-1 text, the first of each keyword.
    package private(set) var texts: [String: String] = [:]

    private static let signatureSize = 8
    /// More chunks than real files have; the pixels may be in thousands of small ones.
    private static let maximumChunks = 100_000
    /// The largest chunk whose content is read, but for `IDAT`, which never is.
    private static let maximumChunkSize = 1 << 20

    /// Walks the chunks to the end, as far as there are any.
    ///
    /// - Source: Portable Network Graphics (Second Edition), 5 and 11.
    package init(_ file: FileBytes) {
        var offset = Self.signatureSize
        for _ in 0..<Self.maximumChunks {
            let head = ByteReader(file.bytes(at: offset, count: 8), order: .bigEndian)
            guard let length = head.uint32(at: 0).map(Int.init),
                let name = head.slice(at: 4, count: 4)
            else { return }
            let isSmall = length <= Self.maximumChunkSize
            func content() -> ArraySlice<UInt8> { file.bytes(at: offset + 8, count: length) }
            switch String(decoding: name, as: UTF8.self) {
            case "IHDR" where isSmall: readHeader(content())
            case "tEXt" where isSmall: readText(content())
            case "eXIf" where isSmall: exif = exif ?? EXIF(tiff: content())
            case "acTL": isAnimated = true
            case "IEND":
                // Its checksum is the end of the file.
                isComplete = file.bytes(at: offset + 8, count: 4).count == 4
                return
            default: break
            }
            // Length, name, content and checksum.
            offset += 12 + length
        }
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
