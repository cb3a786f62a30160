// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Photos

/// Chooses what of a JPEG file is decoded for a size.
enum JPEGPicture {
    /// The largest size for which a preview inside the file is good enough: the smallest one of
    /// the desktop's thumbnails.
    private static let largestPreviewUse = ThumbnailSize.normal.pixels
    /// Previews are small; one that is not is no reason to decode it instead of the picture.
    private static let largestPreviewSide = 1024
    /// Previews whose shape differs by more are letterboxed or cropped, or of another picture.
    static let shapeTolerance = 0.02

    /// The preview in the EXIF data, where it shows the same picture and has enough pixels.
    ///
    /// - Returns: Nil when the picture itself must be decoded; damage is not an error.
    static func preview(of file: FileBytes, fitting side: Int) -> JPEGRows? {
        guard side <= largestPreviewUse else { return nil }
        let header = JPEGHeader(Block(file))
        guard let size = header.size, !size.isEmpty, let stream = header.preview,
            let preview = JPEGHeader(stream).size, !preview.isEmpty,
            max(preview.width, preview.height) >= side,
            max(preview.width, preview.height) <= largestPreviewSide,
            abs(preview.aspectRatio / size.aspectRatio - 1) <= shapeTolerance
        else { return nil }
        // The preview is in the picture's colours and does not repeat its profile.
        let colour = header.hasProfile ? JPEGRows.colour(of: file.file) : nil
        // A preview that cannot be decoded is no reason not to show the picture.
        return try? JPEGRows(file.file, in: stream.range, atLeast: side, .exact, colour: colour)
    }

    /// Whether the picture comes in several scans that each make it better.
    static func isProgressive(_ file: Descriptor) -> Bool {
        guard let jpeg = pp_jpeg_make(file.rawValue, 0, Int.max) else { return false }
        defer { pp_jpeg_free(jpeg) }
        var info = pp_jpeg_info()
        return pp_jpeg_read_header(jpeg, &info) == PP_OK && info.is_progressive != 0
    }
}
