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
    static func preview(_ file: Descriptor, fitting side: Int) -> JPEGRows? {
        guard side <= largestPreviewUse, let bytes = try? FileBytes(file) else { return nil }
        let header = JPEGHeader(bytes)
        guard let size = header.size, !size.isEmpty, let range = header.preview,
            let preview = JPEGHeader(bytes, in: range).size, !preview.isEmpty,
            max(preview.width, preview.height) >= side,
            max(preview.width, preview.height) <= largestPreviewSide,
            abs(preview.aspectRatio / size.aspectRatio - 1) <= shapeTolerance
        else { return nil }
        // The preview is in the picture's colours and does not repeat its profile.
        let colour = header.hasProfile ? JPEGRows.colour(of: file) : nil
        return try? JPEGRows(file, in: range, atLeast: side, .exact, colour: colour)
    }

    /// Whether the picture comes in several scans that each make it better.
    static func isProgressive(_ file: Descriptor) -> Bool {
        guard let jpeg = pp_jpeg_make(file.rawValue, 0, Int.max) else { return false }
        defer { pp_jpeg_free(jpeg) }
        var info = pp_jpeg_info()
        return pp_jpeg_read_header(jpeg, &info) == PP_OK && info.is_progressive != 0
    }
}
