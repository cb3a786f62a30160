// SPDX-License-Identifier: MIT

internal import CDeflate
import Photos

/// Rebuilds a PNG file after its metadata changed.
enum PNGRebuilding {
    /// Returns the file with correct checksums for the chunks that may have changed.
    static func withChecksums(_ file: [UInt8]) -> [UInt8] {
        rebuilt(file, dropping: { _ in false })
    }

    /// Returns the file without metadata that cannot be searched, because it is compressed or
    /// written as hexadecimal digits; nil if there is none.
    ///
    /// - Source: for the keywords, ImageMagick and ExifTool.
    static func withoutHiddenLocation(_ file: [UInt8]) -> [UInt8]? {
        guard PNGChunk.chunks(of: Block(file[...])).contains(where: mayHideLocation) else {
            return nil
        }
        return rebuilt(file, dropping: mayHideLocation)
    }

    /// - Source: Portable Network Graphics (Second Edition), 5.3.
    private static func rebuilt(_ file: [UInt8], dropping: (PNGChunk) -> Bool) -> [UInt8] {
        var result = Array(file.prefix(PNGChunk.signatureSize))
        var end = result.count
        for chunk in PNGChunk.chunks(of: Block(file[...])) {
            end = chunk.whole.range.upperBound
            if dropping(chunk) { continue }
            guard ["eXIf", "iTXt", "tEXt"].contains(chunk.name) else {
                result += file[chunk.whole.range]
                continue
            }
            let body = Array(file[chunk.body.range])
            let sum = UInt32(libdeflate_crc32(0, body, body.count))
            result += file[chunk.whole.range].prefix(4) + body
            result += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
        }
        return result + file[min(end, file.count)...]
    }

    /// - Source: Portable Network Graphics (Second Edition), 11.3.4.
    private static func mayHideLocation(_ chunk: PNGChunk) -> Bool {
        switch chunk.name {
        case "tEXt", "zTXt":
            return ["exif", "APP1", "xmp"].contains {
                chunk.content.starts(with: "Raw profile type \($0)\0".utf8)
            }
        case "iTXt":
            let keyword = Array("XML:com.adobe.xmp\0".utf8)
            // The byte after the keyword tells whether the text is compressed.
            return chunk.content.starts(with: keyword + [1])
        default: return false
        }
    }
}
