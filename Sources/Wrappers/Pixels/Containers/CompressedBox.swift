// SPDX-License-Identifier: MIT

internal import CCodecs

/// A box of JPEG XL whose content is compressed.
///
/// - Source: ISO/IEC 18181-2, 9.6 (`brob`).
enum CompressedBox {
    /// The decompressed content, possibly cut off; nil if it is damaged or larger than a megabyte.
    ///
    /// - Parameter content: The content of the box: the type of the compressed box and a Brotli stream.
    static func decompressed(_ content: [UInt8]) -> [UInt8]? {
        let stream = Array(content.dropFirst(4))
        return try? output { pp_brotli_decompress(stream, stream.count, &$0) }
    }
}
