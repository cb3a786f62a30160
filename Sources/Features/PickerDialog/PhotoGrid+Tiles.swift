// SPDX-License-Identifier: MIT

import GtkKit
import Photos
import PickModel

extension PhotoGrid {
    /// Loads larger thumbnails for tiles that have grown.
    func sharpenTiles() {
        for (index, tile) in tiles { stock.sharpen(tile, pixels: thumbnailPixels(index)) }
    }

    func thumbnailPixels(_ index: Int) -> Int {
        let row = rows.row(of: index)
        let frame = rows.frames(inRow: row)[index - rows.rows[row].photos.lowerBound]
        return Self.thumbnailPixels(frame, photos.aspectRatios[index], scale: canvas.scaleFactor)
    }

    /// The longer side of the thumbnail for a frame, in device pixels.
    ///
    /// The thumbnail covers the frame, in which a photo of another shape is cropped.
    ///
    /// Enlarging by a quarter is not visible; the next size of the cache costs four times more.
    private nonisolated static func thumbnailPixels(
        _ frame: JustifiedRows.Frame, _ aspectRatio: Float, scale: Int
    ) -> Int {
        // The cache has nothing longer than ten times a tile.
        let ratio = min(max(aspectRatio, 0.1), 10)
        let height = max(Float(frame.width) / ratio, Float(frame.height))
        return Int(height * max(ratio, 1)) * scale * 4 / 5
    }

    /// The thumbnails that a new window will probably show first.
    nonisolated static func firstThumbnails(
        of photos: PhotoList, _ style: GridStyle
    ) -> [(index: Int, pixels: Int)] {
        let rows = rows(
            of: photos, style, width: usualWidth, room(for: sections(of: photos, style)))
        return rows.rows(from: 0, to: usualHeight).flatMap { row in
            zip(rows.rows[row].photos, rows.frames(inRow: row)).map {
                ($0, thumbnailPixels($1, photos.aspectRatios[$0], scale: 1))
            }
        }
    }
}
