// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

extension Bitmap {
    /// The picture as a file.
    ///
    /// JPEG has no alpha: what is transparent becomes white.
    ///
    /// - Parameters:
    ///   - quality: Of lossy compression, 1…100.
    ///   - exif: EXIF data from the byte order on, empty for none; left out where the format has
    ///     no room for it.
    /// - Throws: ``PixelError/tooLarge`` when the format cannot hold the picture, or memory not the
    ///   file.
    func encoded(
        as format: OutputFormat, quality: Int, exif: [UInt8]
    ) throws(PixelError) -> [UInt8] {
        guard max(size.width, size.height) <= format.maximumSide else { throw .tooLarge }
        let width = UInt32(size.width)
        let height = UInt32(size.height)
        switch format {
        case .png:
            return png(exif: exif, effort: Self.effort)
        case .jpeg:
            let pixels = flattened.bytes
            let segment = exif.isEmpty ? [] : JPEGSegments.Segment.exifName + exif
            let content = segment.count <= Self.largestSegment ? segment : []
            return try output {
                pp_jpeg_encode(
                    pixels, width, height, UInt32(quality), content, content.count, &$0)
            }
        case .webP:
            return try output {
                pp_webp_encode(
                    bytes, width, height, UInt32(self.format.bytesPerPixel), UInt32(quality), exif,
                    exif.count, &$0)
            }
        }
    }

    /// What a segment of JPEG holds beside its length.
    private static let largestSegment = 65_533
    /// What libdeflate calls its default.
    private static let effort: Int32 = 6
}

/// What an encoder made.
func output(_ encode: (inout pp_output) -> pp_status) throws(PixelError) -> [UInt8] {
    var output = pp_output()
    defer { pp_output_free(&output) }
    try check(encode(&output))
    guard let bytes = output.bytes else { throw .tooLarge }
    return Array(UnsafeBufferPointer(start: bytes, count: output.count))
}
