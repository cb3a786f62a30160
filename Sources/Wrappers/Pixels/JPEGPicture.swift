// SPDX-License-Identifier: MIT

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

    /// How many times as large as the result the other pictures in a file must be: cameras compress
    /// them more than the picture itself.
    private static let sharpness = 2

    /// A preview that shows the same picture and has enough pixels.
    ///
    /// - Returns: Nil if the picture itself must be decoded; damage is not an error.
    static func preview(of file: FileBytes, fitting side: Int) -> JPEGRows? {
        let header = JPEGHeader(Block(file))
        guard let size = header.size, !size.isEmpty,
            let stream = exifPreview(header, side, size) ?? secondPicture(header, side, size)
        else { return nil }
        // The preview has the colours of the picture and does not repeat its profile.
        let colour = header.hasProfile ? JPEGRows.colour(of: file.file) : nil
        // If the preview cannot be decoded, show the picture anyway.
        return try? JPEGRows(file.file, in: stream.range, atLeast: side, .exact, colour: colour)
    }

    /// The preview in the EXIF data.
    private static func exifPreview(
        _ header: JPEGHeader, _ side: Int, _ size: PixelSize
    ) -> Block? {
        guard side <= largestPreviewUse, let stream = header.preview,
            let longer = longerSide(of: stream, shapedAs: size),
            (side...largestPreviewSide).contains(longer)
        else { return nil }
        return stream
    }

    /// The smallest of the other pictures in the file that is sharp enough, if that saves work.
    private static func secondPicture(
        _ header: JPEGHeader, _ side: Int, _ size: PixelSize
    ) -> Block? {
        let most = max(size.width, size.height) / sharpness
        let pictures = header.multiPicture?.thumbnails.compactMap { stream in
            longerSide(of: stream, shapedAs: size).map { (stream: stream, side: $0) }
        }
        return pictures?.filter { $0.side / sharpness >= side && $0.side <= most }
            .min { $0.side < $1.side }?.stream
    }

    /// The longer side of a preview; nil if it has bars, is cropped, or shows another picture.
    private static func longerSide(of stream: Block, shapedAs size: PixelSize) -> Int? {
        let header = JPEGHeader(stream)
        guard let preview = header.size, !preview.isEmpty, header.isDecodable,
            abs(preview.aspectRatio / size.aspectRatio - 1) <= shapeTolerance
        else { return nil }
        return max(preview.width, preview.height)
    }
}
