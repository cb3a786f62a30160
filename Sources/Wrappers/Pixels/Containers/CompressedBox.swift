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
        try? output { pp_jxl_decompress(content, content.count, &$0) }
    }
}
