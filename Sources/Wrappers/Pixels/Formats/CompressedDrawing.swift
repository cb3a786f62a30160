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
        guard let drawing = inflated(file.bytes(at: 0, count: maximumByteCount)),
            MediaType.sniffed(from: drawing) == .svg
        else { throw .unsupported }
        do {
            return try FileBytes(try MemoryFile.make(named: "drawing", holding: drawing))
        } catch {
            throw error as? PixelError ?? .tooLarge
        }
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

    private static func inflated(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        for size in bufferSizes {
            var result = LIBDEFLATE_BAD_DATA
            let text = [UInt8](unsafeUninitializedCapacity: size) { output, count in
                bytes.withUnsafeBufferPointer { input in
                    result = libdeflate_gzip_decompress(
                        decompressor, input.baseAddress, input.count, output.baseAddress,
                        output.count, &count)
                }
                if result != LIBDEFLATE_SUCCESS { count = 0 }
            }
            if result == LIBDEFLATE_SUCCESS { return text }
            if result != LIBDEFLATE_INSUFFICIENT_SPACE { return nil }
        }
        return nil
    }
}
