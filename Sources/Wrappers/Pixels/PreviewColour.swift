// SPDX-License-Identifier: MIT

import Files
import Photos

/// Finds out the dominant colour of a picture from the small one that its camera embedded.
///
/// It is read for every file of a library, so that nothing larger is decoded for it.
enum PreviewColour {
    /// The longest side of what is decoded, in pixels; cameras embed 160 × 120.
    private static let largestSide = 512
    /// The most bytes of it: as many as there is room for in EXIF data.
    private static let mostBytes = 0xFFFF

    /// Reads the colour of a preview.
    ///
    /// - Parameters:
    ///   - stream: A part of the file that is a complete JPEG.
    ///   - size: The size of the picture. A preview of another shape has bars, which do not count.
    ///   - hasProfile: Whether the file has a profile, which applies to the preview as well.
    /// - Returns: Nil if the preview is too large, or cannot be decoded; neither is an error.
    static func read(
        _ stream: Block, in file: FileBytes, shapedAs size: PixelSize?, hasProfile: Bool = false
    ) -> PhotoColour? {
        guard isSmall(stream) else { return nil }
        let colour = hasProfile ? JPEGRows.colour(of: file.file) : nil
        guard
            let rows = try? JPEGRows(
                file.file, in: stream.range, atLeast: 1, .fast, colour: colour),
            let bitmap = try? DecodeRequest.converted(rows)
        else { return nil }
        let whole = PixelRectangle(bitmap.size)
        return bitmap.cropped(to: size.map { whole.narrowed(to: $0) } ?? whole).dominantColour
    }

    /// Whether a preview is worth decoding for this, whatever its own header says later.
    static func isSmall(_ stream: Block) -> Bool {
        guard stream.count <= mostBytes else { return false }
        let header = JPEGHeader(stream)
        guard let size = header.size, !size.isEmpty, header.isDecodable else { return false }
        return max(size.width, size.height) <= largestSide
    }
}
