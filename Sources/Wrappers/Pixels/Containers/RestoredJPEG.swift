// SPDX-License-Identifier: MIT

internal import CCodecs

/// A JPEG that is stored in JPEG XL so that every byte of it can be restored.
///
/// - Source: ISO/IEC 18181-2, 9.10 (`jbrd`) and Annex A.
enum RestoredJPEG {
    /// Whether this program can restore pictures; one that cannot knows nothing of what they contain.
    static var isPossible: Bool { pp_has_heif_codecs() != 0 }

    /// The JPEG of which a file was made; nil if there is none, or it cannot be restored.
    static func bytes(of file: [UInt8]) -> [UInt8]? {
        // Without its metadata, or with other metadata, it cannot be restored.
        try? output { pp_jxl_restore_jpeg(file, file.count, &$0) }
    }
}
