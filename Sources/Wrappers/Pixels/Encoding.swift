// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

extension Bitmap {
    /// Encodes the picture.
    ///
    /// JPEG has no alpha, so transparent pixels become white.
    ///
    /// - Parameters:
    /// - quality: The quality of lossy compression, 1…100.
    /// - metadata: What the format has room for.
    /// - isSmall: Whether to spend time on a smaller file.
    /// - Throws: ``PixelError/tooLarge`` if the format cannot hold the picture, or memory cannot
    ///   hold the file.
    func encoded(
        as format: OutputFormat, quality: Int, metadata: FileMetadata, isSmall: Bool
    ) throws(PixelError) -> [UInt8] {
        guard max(size.width, size.height) <= format.maximumSide else { throw .tooLarge }
        let width = UInt32(size.width)
        let height = UInt32(size.height)
        switch format {
        case .png:
            return png(metadata: metadata, effort: Self.effort)
        case .jpeg:
            let pixels = flattened.bytes
            let exif =
                metadata.exif.isEmpty ? [] : JPEGSegments.Segment.exifName + metadata.exif
            let xmp = metadata.xmp.isEmpty ? [] : JPEGSegments.Segment.xmpName + metadata.xmp
            return try output {
                pp_jpeg_encode(
                    pixels, width, height, UInt32(quality), isSmall ? 1 : 0, exif, exif.count, xmp,
                    xmp.count, &$0)
            }
        case .webP:
            return try output {
                pp_webp_encode(
                    bytes, width, height, UInt32(self.format.bytesPerPixel), UInt32(quality),
                    metadata.exif, metadata.exif.count, metadata.xmp, metadata.xmp.count, &$0)
            }
        }
    }

    /// The default of libdeflate.
    private static let effort: Int32 = 6
}

/// The output of an encoder.
func output(_ encode: (inout pp_output) -> pp_status) throws(PixelError) -> [UInt8] {
    var output = pp_output()
    defer { pp_output_free(&output) }
    try check(encode(&output))
    guard let bytes = output.bytes else { throw .tooLarge }
    return Array(UnsafeBufferPointer(start: bytes, count: output.count))
}
