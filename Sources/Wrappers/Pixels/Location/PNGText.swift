// SPDX-License-Identifier: MIT

internal import CDeflate
import Photos

/// The text in a chunk of a PNG file.
struct PNGText {
    let keyword: String
    /// The text, inflated.
    let value: [UInt8]
    /// What precedes the text.
    private let head: [UInt8]
    private let isCompressed: Bool

    /// Larger texts are not read.
    private static let maximumText = 64 << 20

    init?(_ name: String, _ content: [UInt8]) {
        guard let end = content.firstIndex(of: 0) else { return nil }
        keyword = String(decoding: content[..<end], as: UTF8.self)
        var start = end + 1
        switch name {
        case "zTXt":
            isCompressed = true
            start += 1
        case "iTXt":
            guard start + 2 <= content.count else { return nil }
            isCompressed = content[start] != 0
            start += 2
            // A language and a translated keyword.
            for _ in 0..<2 {
                guard let end = content[start...].firstIndex(of: 0) else { return nil }
                start = end + 1
            }
        default: isCompressed = false
        }
        guard start <= content.count else { return nil }
        head = Array(content[..<start])
        let stored = Array(content[start...])
        guard let value = isCompressed ? Self.inflated(stored) : stored else { return nil }
        self.value = value
    }

    private static let strongest: Int32 = 12
    /// The most bytes to compress while a size is searched for.
    private static let mostAttempts = 8 << 20

    /// The content of the chunk with another text; nil if its size does not fit.
    ///
    /// A compressed text gets more or less compression, and blanks behind it, until its size fits.
    func written(_ value: [UInt8], _ fits: (Int) -> Bool) -> [UInt8]? {
        guard isCompressed else { return fits(head.count + value.count) ? head + value : nil }
        for level in [Self.strongest, 9, 6, 3] {
            if let stored = Self.deflated(value, level), fits(head.count + stored.count) {
                return head + stored
            }
        }
        // Of three kinds in no order, so that each adds a part of a byte.
        let blanks: [UInt8] = [0x20, 0x0A, 0x09]
        var seed: UInt32 = 1
        var text = value
        for _ in 0..<min(400, Self.mostAttempts / max(1, value.count)) {
            seed = seed &* 1_664_525 &+ 1_013_904_223
            text.append(blanks[Int(seed >> 16) % blanks.count])
            if let stored = Self.deflated(text, Self.strongest), fits(head.count + stored.count) {
                return head + stored
            }
        }
        return nil
    }

    /// A zlib stream that is as small as possible.
    static func smallest(_ bytes: [UInt8]) -> [UInt8]? { deflated(bytes, strongest) }

    private static func deflated(_ text: [UInt8], _ level: Int32) -> [UInt8]? {
        guard let compressor = libdeflate_alloc_compressor(level) else { return nil }
        defer { libdeflate_free_compressor(compressor) }
        var stored = [UInt8](
            repeating: 0, count: libdeflate_zlib_compress_bound(compressor, text.count))
        let count = libdeflate_zlib_compress(compressor, text, text.count, &stored, stored.count)
        return count > 0 ? Array(stored.prefix(count)) : nil
    }

    private static func inflated(_ bytes: [UInt8]) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        var size = max(bytes.count * 4, 4096)
        while size <= maximumText {
            var text = [UInt8](repeating: 0, count: size)
            var count = 0
            switch libdeflate_zlib_decompress(
                decompressor, bytes, bytes.count, &text, text.count, &count)
            {
            case LIBDEFLATE_SUCCESS: return Array(text.prefix(count))
            case LIBDEFLATE_INSUFFICIENT_SPACE: size *= 4
            default: return nil
            }
        }
        return nil
    }
}

/// Metadata of another format, as hexadecimal digits in a text: a name, a length, and the digits.
enum RawProfile {
    /// Edits the metadata, and writes the digits in place.
    ///
    /// - Returns: Whether it stays; a profile that cannot be read does not.
    static func edit(
        _ text: inout [UInt8], _ edit: (inout [UInt8]) throws(PixelError) -> Bool
    ) throws(PixelError) -> Bool {
        // A line feed, the name, and the number of bytes.
        let lines = text.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: true)
        guard lines.count == 3 else { return false }
        let places = lines[2].indices
        var profile: [UInt8] = []
        var high: UInt8?
        for index in places {
            guard let value = text[index].hexadecimalValue else { continue }
            if let first = high { profile.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        guard high == nil else { return false }
        let old = profile
        guard try edit(&profile), profile.count == old.count else { return false }
        let digits = Array("0123456789abcdef".utf8)
        var count = 0
        for index in places where text[index].hexadecimalValue != nil {
            defer { count += 1 }
            let byte = profile[count / 2]
            guard byte != old[count / 2] else { continue }
            text[index] = digits[Int(count % 2 == 0 ? byte >> 4 : byte & 15)]
        }
        return true
    }
}
