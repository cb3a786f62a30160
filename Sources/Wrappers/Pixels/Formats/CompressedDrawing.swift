// SPDX-License-Identifier: MIT

internal import CDeflate
import Files
import Photos

/// Drawings in gzip, as in files that end with `.svgz`.
///
/// - Source: RFC 1952; SVG 1.1, appendix J.
enum CompressedDrawing {
    /// The most bytes of a drawing, and of the file that contains it.
    private static let maximumByteCount = 16 << 20
    /// The buffers that are tried one after the other; few drawings need the last one.
    private static let bufferSizes = [256 << 10, 2 << 20, maximumByteCount]
    /// As good as that of gzip(1), whose default it is.
    private static let level: Int32 = 6

    /// The drawing in a compressed file, as a file in memory.
    ///
    /// - Throws: ``PixelError/unsupported`` if the file contains something else, is damaged, or
    ///   becomes too large.
    static func drawing(in file: FileBytes) throws(PixelError) -> FileBytes {
        var used = 0
        guard let drawing = inflated(file.bytes(at: 0, count: maximumByteCount), &used),
            MediaType.sniffed(from: drawing) == .svg
        else { throw .unsupported }
        do {
            return try FileBytes(try MemoryFile.make(named: "drawing", holding: drawing))
        } catch {
            throw error as? PixelError ?? .tooLarge
        }
    }

    /// Whether a file contains more than one drawing and its name: a comment, or bytes behind it.
    static func hasRemarks(_ file: FileBytes) -> Bool {
        let bytes = file.bytes(at: 0, count: maximumByteCount)
        guard let flags = bytes.dropFirst(3).first else { return false }
        var used = 0
        return flags & (Flag.extra | Flag.comment) != 0
            || inflated(bytes, &used) != nil && used < bytes.count
    }

    /// - Source: RFC 1952, 2.3.1.
    private enum Flag {
        static let extra: UInt8 = 4
        static let comment: UInt8 = 16
    }

    /// A compressed file with a drawing.
    static func file(with drawing: [UInt8]) throws(PixelError) -> [UInt8] {
        guard let compressor = libdeflate_alloc_compressor(level) else { throw .tooLarge }
        defer { libdeflate_free_compressor(compressor) }
        let most = libdeflate_gzip_compress_bound(compressor, drawing.count)
        let file = [UInt8](unsafeUninitializedCapacity: most) { output, count in
            count = libdeflate_gzip_compress(
                compressor, drawing, drawing.count, output.baseAddress, output.count)
        }
        guard !file.isEmpty else { throw .tooLarge }
        return file
    }

    /// - Parameter used: Becomes the number of bytes that were read.
    private static func inflated(_ bytes: ArraySlice<UInt8>, _ used: inout Int) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        for size in bufferSizes {
            var result = LIBDEFLATE_BAD_DATA
            let text = [UInt8](unsafeUninitializedCapacity: size) { output, count in
                bytes.withUnsafeBufferPointer { input in
                    result = libdeflate_gzip_decompress_ex(
                        decompressor, input.baseAddress, input.count, output.baseAddress,
                        output.count, &used, &count)
                }
                if result != LIBDEFLATE_SUCCESS { count = 0 }
            }
            if result == LIBDEFLATE_SUCCESS { return text }
            if result != LIBDEFLATE_INSUFFICIENT_SPACE { return nil }
        }
        return nil
    }
}
