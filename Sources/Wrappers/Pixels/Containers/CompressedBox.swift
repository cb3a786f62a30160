// SPDX-License-Identifier: MIT

internal import CCodecs

/// A box of JPEG XL whose content is compressed.
///
/// - Source: ISO/IEC 18181-2, 9.6 (`brob`).
enum CompressedBox {
    /// The decompressed content, as far as it is there; nil if it is damaged, or more than a megabyte.
    ///
    /// - Parameter content: What the box contains: the type of what is compressed, and a stream.
    static func decompressed(_ content: [UInt8]) -> [UInt8]? {
        try? output { pp_jxl_decompress(content, content.count, &$0) }
    }
}
