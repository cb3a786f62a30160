// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Photos

/// Chooses which part of a JPEG file to decode for a size.
enum JPEGPicture {
    /// The largest size for which an embedded preview is good enough: the smallest of the desktop's
    /// thumbnail sizes.
    private static let largestPreviewUse = ThumbnailSize.normal.pixels
    /// Previews are small; for a large one it is better to decode the picture itself.
    private static let largestPreviewSide = 1024
    /// If the aspect ratio of a preview differs by more, it is letterboxed, cropped, or of another
    /// picture.
    static let shapeTolerance = 0.02

    /// The preview in the EXIF data, if it shows the same picture and has enough pixels.
    ///
    /// - Returns: Nil if the picture itself must be decoded; damage is not an error.
    static func preview(of file: FileBytes, fitting side: Int) -> JPEGRows? {
        guard side <= largestPreviewUse else { return nil }
        let header = JPEGHeader(Block(file))
        guard let size = header.size, !size.isEmpty, let stream = header.preview,
            let preview = JPEGHeader(stream).size, !preview.isEmpty,
            max(preview.width, preview.height) >= side,
            max(preview.width, preview.height) <= largestPreviewSide,
            abs(preview.aspectRatio / size.aspectRatio - 1) <= shapeTolerance
        else { return nil }
        // The preview has the colours of the picture and does not repeat its profile.
        let colour = header.hasProfile ? JPEGRows.colour(of: file.file) : nil
        // If the preview cannot be decoded, show the picture anyway.
        return try? JPEGRows(file.file, in: stream.range, atLeast: side, .exact, colour: colour)
    }

    /// Whether the picture is stored in several scans of increasing quality.
    static func isProgressive(_ file: Descriptor) -> Bool {
        guard let jpeg = pp_jpeg_make(file.rawValue, 0, Int.max) else { return false }
        defer { pp_jpeg_free(jpeg) }
        var info = pp_jpeg_info()
        return pp_jpeg_read_header(jpeg, &info) == PP_OK && info.is_progressive != 0
    }
}
