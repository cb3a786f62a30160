// SPDX-License-Identifier: MIT

/// The size of a preview: sharp enough to look at and small enough to send.
///
/// Ordinary shapes fit in a square of 1280 pixels. The shorter side of a panorama gets 1280 pixels,
/// because it would be a thin line otherwise, or fewer if the preview would have too many pixels.
package enum PreviewRule {
    /// The side that the rule is named after, in pixels.
    package static let side = 1280
    /// The maximum number of pixels: a panorama four times as wide as it is high.
    package static let maximumPixels = 4 * side * side

    /// Returns the preview size of an upright picture, never larger than the picture.
    ///
    /// Shapes from 1:2 to 2:1 are ordinary. If only one side is longer than 1280, a picture of exactly
    /// 1:2 keeps its size and one of exactly 2:1 does not.
    package static func size(of picture: PixelSize) -> PixelSize {
        guard !picture.isEmpty else { return picture }
        return ruled(picture).reduced(to: maximumPixels)
    }

    private static func ruled(_ picture: PixelSize) -> PixelSize {
        let shape = picture.aspectRatio
        let isWideBeyond = picture.width > side
        let isHighBeyond = picture.height > side
        switch (isWideBeyond, isHighBeyond) {
        case (false, false): return picture
        case (true, true):
            if shape > 2 || (shape <= 1 && shape >= 0.5) { return picture.scaled(height: side) }
            return picture.scaled(width: side)
        case (true, false), (false, true):
            if shape > 1 && shape <= 2 { return picture.scaled(width: side) }
            if shape > 0.5 && shape <= 1 { return picture.scaled(height: side) }
            return picture
        }
    }
}

extension PixelSize {
    /// Returns the same shape with the given width.
    fileprivate func scaled(width: Int) -> PixelSize {
        PixelSize(
            width: width,
            height: max(1, Int((Double(height) * Double(width) / Double(self.width)).rounded())))
    }

    /// Returns the same shape with the given height.
    fileprivate func scaled(height: Int) -> PixelSize {
        transposed.scaled(width: height).transposed
    }

    /// Returns the same shape with at most the given number of pixels, each side at least 1.
    package func reduced(to maximumPixels: Int) -> PixelSize {
        guard !isEmpty, pixelCount ?? .max > maximumPixels else { return self }
        let scale = (Double(maximumPixels) / (Double(width) * Double(height))).squareRoot()
        // Rounded down. If one side would become 0, it gets 1 and the other side fewer pixels.
        let width = max(1, Int(Double(width) * scale))
        let height = max(1, Int(Double(height) * scale))
        return PixelSize(
            width: min(width, max(1, maximumPixels / height)),
            height: min(height, max(1, maximumPixels / width)))
    }
}
