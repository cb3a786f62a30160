// SPDX-License-Identifier: MIT

internal import CDeflate
import Photos

/// Removes all metadata but orientation and colour, without decoding the picture.
enum MetadataStripping {
    /// Returns the file without its metadata.
    ///
    /// - Returns: Nil if the format cannot be rewritten, or the file is damaged: then only a new file
    ///   is certain to contain none.
    static func stripped(
        _ file: [UInt8], _ type: MediaType, _ orientation: Orientation
    ) -> [UInt8]? {
        let exif = orientation == .upright ? [] : minimalEXIF(orientation)
        return switch type {
        case .jpeg: jpeg(Block(file[...]), exif)
        case .png: png(Block(file[...]), exif)
        case .webp: webP(Block(file[...]), exif)
        default: nil
        }
    }

    /// EXIF data with nothing but an orientation.
    static func minimalEXIF(_ orientation: Orientation) -> [UInt8] {
        // The header, one entry of type SHORT, and the end of the chain.
        Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0]
            + [orientation.rawValue, 0, 0, 0, 0, 0, 0]
    }

    // MARK: - JPEG

    /// - Source: ITU-T T.81, B.1.
    private static func jpeg(_ file: Block, _ exif: [UInt8]) -> [UInt8]? {
        guard file.starts(with: [0xFF, 0xD8]) else { return nil }
        var result: [UInt8] = [0xFF, 0xD8]
        result.reserveCapacity(file.count)
        if !exif.isEmpty {
            let content = JPEGSegments.Segment.exifName + exif
            result +=
                [0xFF, 0xE1] + ByteReader.Order.bigEndian.bytes(of: content.count + 2, width: 2)
            result += content
        }
        let bytes = file.bytes(count: file.count)
        var offset = 2
        while let marker = file.uint16(at: offset, .bigEndian), marker > 0xFF00 {
            switch marker {
            case 0xFFFF: offset += 1
            case 0xFFD9:
                return result + [0xFF, 0xD9]
            default:
                guard let length = file.uint16(at: offset + 2, .bigEndian).map(Int.init),
                    length >= 2, let segment = file.part(at: offset, count: 2 + length)
                else { return nil }
                offset += segment.count
                if isNeeded(segment, marker) { result += segment.bytes(count: segment.count) }
                guard marker == 0xFFDA else { continue }
                let start = offset
                guard let end = endOfScan(bytes, from: start) else { return nil }
                result += bytes[bytes.startIndex + start..<bytes.startIndex + end]
                offset = end
            }
        }
        // Without an end, there may be anything.
        return nil
    }

    /// Whether a segment is no metadata, or says what the colours mean.
    private static func isNeeded(_ segment: Block, _ marker: UInt16) -> Bool {
        let content = segment.dropFirst(4)
        return switch marker {
        case 0xFFE0: content.starts(with: "JFIF\0".utf8)
        case 0xFFE2: content.starts(with: "ICC_PROFILE\0".utf8)
        case 0xFFEE: content.starts(with: "Adobe".utf8)
        case 0xFFE0...0xFFEF, 0xFFFE: false
        default: true
        }
    }

    /// The offset of the marker after a scan.
    private static func endOfScan(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
        var position = bytes.startIndex + start
        while let found = bytes.firstIndex(of: [0xFF], from: position), found + 1 < bytes.endIndex {
            // In the data of a scan, 0xFF is followed by 0, or by the number of a restart.
            switch bytes[found + 1] {
            case 0, 0xD0...0xD7: position = found + 2
            default: return found - bytes.startIndex
            }
        }
        return nil
    }

    // MARK: - PNG

    /// The chunks with pixels, colours, size and animation.
    private static let neededChunks: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV",
        "cLLI", "sBIT", "bKGD", "pHYs", "acTL", "fcTL", "fdAT",
    ]

    private static func png(_ file: Block, _ exif: [UInt8]) -> [UInt8]? {
        var result = Array(file.bytes(count: PNGChunk.signatureSize))
        for chunk in PNGChunk.chunks(of: file) {
            guard chunk.isComplete else { return nil }
            if neededChunks.contains(chunk.name) {
                result += chunk.whole.bytes(count: chunk.whole.count)
            }
            if chunk.name == "IHDR", !exif.isEmpty {
                let body = Array("eXIf".utf8) + exif
                let sum = Int(libdeflate_crc32(0, body, body.count))
                result += ByteReader.Order.bigEndian.bytes(of: exif.count, width: 4) + body
                result += ByteReader.Order.bigEndian.bytes(of: sum, width: 4)
            }
            if chunk.name == "IEND" { return result }
        }
        return nil
    }

    // MARK: - WebP

    private static let mostChunks = 900
    /// The flags in `VP8X` for EXIF and XMP.
    private static let exifFlag: UInt8 = 0x08
    private static let xmpFlag: UInt8 = 0x04

    /// - Source: RFC 9649, 2.7.
    private static func webP(_ file: Block, _ exif: [UInt8]) -> [UInt8]? {
        let chunks = RIFFChunk.chunks(of: file)
        guard chunks.count < mostChunks else { return nil }
        var body = Array("WEBP".utf8)
        func append(_ name: String, _ content: [UInt8]) {
            body += Array(name.utf8)
            body += ByteReader.Order.littleEndian.bytes(of: content.count, width: 4) + content
            if content.count % 2 == 1 { body.append(0) }
        }
        for chunk in chunks {
            var content = Array(chunk.content.bytes(count: chunk.content.count))
            switch chunk.name {
            case "VP8X":
                guard !content.isEmpty else { return nil }
                content[0] &= ~(exifFlag | xmpFlag)
                if !exif.isEmpty { content[0] |= exifFlag }
                append(chunk.name, content)
            case "VP8 ", "VP8L", "ALPH", "ICCP", "ANIM", "ANMF": append(chunk.name, content)
            default: continue
            }
        }
        // Only an extended file says that it is turned, so it is extended already.
        if !exif.isEmpty { append("EXIF", exif) }
        return Array("RIFF".utf8) + ByteReader.Order.littleEndian.bytes(of: body.count, width: 4)
            + body
    }
}
