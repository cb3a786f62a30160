// SPDX-License-Identifier: MIT

internal import CDeflate
import Photos

extension Bitmap {
    /// The picture as a PNG file: 8 bits, not interlaced, RGB or RGBA.
    ///
    /// As it is, made for small pictures that are written once and read soon: one pass of the
    /// Paeth filter and the fastest compression, a tenth of the time of libpng's default for a
    /// file a few percent larger.
    ///
    /// - Parameters:
    ///   - texts: Keyword and text of `tEXt` chunks, in order; characters outside Latin-1 become `?`.
    ///   - exif: EXIF data from the byte order on; empty for none.
    ///   - effort: How hard to compress, 1…12.
    /// - Returns: The file's bytes.
    /// - Source: Portable Network Graphics (Second Edition), 9.2 and 11.
    package func png(
        texts: [(keyword: String, text: String)] = [], exif: [UInt8] = [], effort: Int32 = 1
    ) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let hasAlpha = format == .rgba && !isOpaque
        let picture = format == .rgba && !hasAlpha ? withoutAlpha : self
        file.appendChunk("IHDR", picture.header)
        for (keyword, text) in texts {
            file.appendChunk("tEXt", keyword.latin1 + [0] + text.latin1)
        }
        if !exif.isEmpty { file.appendChunk("eXIf", exif) }
        file.appendChunk("IDAT", compressed(picture.filtered, effort))
        file.appendChunk("IEND", [])
        return file
    }

    private var header: [UInt8] {
        UInt32(size.width).bigEndianBytes + UInt32(size.height).bigEndianBytes
            + [8, format == .rgba ? 6 : 2, 0, 0, 0]
    }

    private var isOpaque: Bool {
        Swift.stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
    }

    private var withoutAlpha: Bitmap {
        var opaque: [UInt8] = []
        opaque.reserveCapacity(size.width * size.height * 3)
        for start in Swift.stride(from: 0, to: bytes.count, by: 4) {
            opaque.append(contentsOf: bytes[start..<start + 3])
        }
        return Bitmap(size: size, format: .rgb, bytes: opaque)
    }

    /// Each row after its filter type, 4 (Paeth): the difference to the best of three neighbours.
    private var filtered: [UInt8] {
        let pixel = format.bytesPerPixel
        let stride = stride
        return [UInt8](unsafeUninitializedCapacity: (stride + 1) * size.height) { output, count in
            bytes.withUnsafeBufferPointer { input in
                for y in 0..<size.height {
                    let row = y * stride
                    let filteredRow = y * (stride + 1)
                    output[filteredRow] = 4
                    for x in 0..<stride {
                        let left = x >= pixel ? Int(input[row + x - pixel]) : 0
                        let above = y > 0 ? Int(input[row - stride + x]) : 0
                        let corner = x >= pixel && y > 0 ? Int(input[row - stride + x - pixel]) : 0
                        output[filteredRow + 1 + x] =
                            input[row + x]
                            &- UInt8(truncatingIfNeeded: paeth(left, above, corner))
                    }
                }
            }
            count = output.count
        }
    }
}

/// The neighbour that is nearest to `left + above - corner`.
@inline(__always)
private func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
    let toLeft = abs(above - corner)
    let toAbove = abs(left - corner)
    let toCorner = abs(left + above - 2 * corner)
    if toLeft <= toAbove && toLeft <= toCorner { return left }
    return toAbove <= toCorner ? above : corner
}

/// A zlib stream of the bytes.
private func compressed(_ bytes: [UInt8], _ effort: Int32) -> [UInt8] {
    guard let compressor = libdeflate_alloc_compressor(effort) else {
        preconditionFailure("out of memory for a compressor")
    }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_zlib_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        count = libdeflate_zlib_compress(
            compressor, bytes, bytes.count, output.baseAddress, output.count)
    }
}

extension [UInt8] {
    fileprivate mutating func appendChunk(_ name: String, _ content: [UInt8]) {
        let body = Array(name.utf8) + content
        append(contentsOf: UInt32(content.count).bigEndianBytes)
        append(contentsOf: body)
        append(contentsOf: UInt32(libdeflate_crc32(0, body, body.count)).bigEndianBytes)
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}

extension String {
    fileprivate var latin1: [UInt8] {
        unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
    }
}
