// SPDX-License-Identifier: MIT

import Files
import Photos

extension CacheEntry {
    /// Whether the bytes are a PNG file of a given size that names a subject and no other.
    ///
    /// Only the structure is checked, since decoding is left to decoders. It must be what ours write,
    /// so that a decoder that was taken over cannot use the cache for other files, or for thumbnails
    /// that other programs would take for those of other photos.
    ///
    /// - Source: Portable Network Graphics (Second Edition), 5.2 and 11.
    func shows(_ subject: ThumbnailSubject, size: PixelSize) -> Bool {
        // A file that cannot be mapped cannot be stored either.
        guard let memory = try? MappedMemory(sealed: png),
            let chunks = withExtendedLifetime(memory, { PNGStructure(memory.bytes) }),
            chunks.size == size
        else { return false }
        let texts = Dictionary(grouping: chunks.texts) { $0.keyword }
        guard texts.values.allSatisfy({ $0.count == 1 }) else { return false }
        return subject.isShown(by: texts.compactMapValues { $0.first?.text })
    }

    /// The most bytes of an entry for a picture: its pixels, a filter type for each row, and space
    /// for the texts and for data that cannot be compressed.
    static func maximumByteCount(for size: PixelSize) -> Int64 {
        // Cannot overflow: the sides of a picture in a reply are limited.
        let bytes = Int64(size.width * 4 + 1) * Int64(size.height)
        return bytes + bytes / 64 + 65_536
    }
}

/// The chunks of a small PNG file.
private struct PNGStructure {
    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var texts: [(keyword: String, text: String)] = []

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let maximumTexts = 32

    /// Reads the chunks from the first to the last; nil if anything else is found.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.starts(with: Self.signature) else { return nil }
        var offset = Self.signature.count
        var hasHeader = false
        var hasData = false
        while let (name, content) = Self.chunk(bytes, at: offset) {
            offset += content.count + 12
            switch (name, hasHeader) {
            case ("IHDR", false):
                guard content.count == 13 else { return nil }
                size = PixelSize(width: Self.number(content, 0), height: Self.number(content, 4))
                hasHeader = true
            case ("tEXt", true):
                guard texts.count < Self.maximumTexts, let text = Self.text(content) else {
                    return nil
                }
                texts.append(text)
            case ("IDAT", true): hasData = true
            case ("IEND", true):
                guard hasData, content.isEmpty, offset == bytes.count else { return nil }
                return
            default: return nil
            }
        }
        return nil
    }

    /// The name and content of the chunk at an offset, if it is complete.
    private static func chunk(
        _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) -> (String, UnsafeRawBufferPointer)? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        guard rest.count >= 12 else { return nil }
        let count = number(rest, 0)
        guard count <= rest.count - 12 else { return nil }
        return (
            String(decoding: rest[4..<8], as: UTF8.self),
            UnsafeRawBufferPointer(rebasing: rest[8..<8 + count])
        )
    }

    /// The big-endian number at an offset, where there are four bytes.
    private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The keyword and the text, which is Latin-1.
    private static func text(
        _ content: UnsafeRawBufferPointer
    ) -> (keyword: String, text: String)? {
        guard let end = content.firstIndex(of: 0) else { return nil }
        func string(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
            // Nearly always ASCII, which takes a fraction of the time.
            bytes.allSatisfy { $0 < 0x80 }
                ? String(decoding: bytes, as: UTF8.self)
                : String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
        return (string(content[..<end]), string(content[(end + 1)...]))
    }
}
