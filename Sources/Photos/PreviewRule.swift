// SPDX-License-Identifier: MIT

/// How large a picture is that is sharp enough to look at and small enough to send.
///
/// Ordinary shapes fit in a square of 1280 pixels. Of a panorama the shorter side gets 1280
/// pixels, or it would be a thin line; where that would be very many pixels, fewer.
package enum PreviewRule {
    /// The side that decides.
    package static let side = 1280
    /// The most pixels: those of a panorama four times as wide as it is high.
    package static let maximumPixels = 4 * side * side

    /// The size of the preview of an upright picture, never larger than the picture.
    ///
    /// A shape counts as ordinary from 1:2 up to 2:1. Where only one side is longer than 1280,
    /// exactly 1:2 is left alone and exactly 2:1 is not.
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
    /// The same shape with this width.
    fileprivate func scaled(width: Int) -> PixelSize {
        PixelSize(
            width: width,
            height: max(1, Int((Double(height) * Double(width) / Double(self.width)).rounded())))
    }

    /// The same shape with this height.
    fileprivate func scaled(height: Int) -> PixelSize {
        transposed.scaled(width: height).transposed
    }

    /// The same shape with at most so many pixels, 1 or more; each side at least 1.
    package func reduced(to maximumPixels: Int) -> PixelSize {
        guard !isEmpty, pixelCount ?? .max > maximumPixels else { return self }
        let scale = (Double(maximumPixels) / (Double(width) * Double(height))).squareRoot()
        // Rounded down, and a side that would vanish leaves fewer pixels to the other one.
        let width = max(1, Int(Double(width) * scale))
        let height = max(1, Int(Double(height) * scale))
        return PixelSize(
            width: min(width, max(1, maximumPixels / height)),
            height: min(height, max(1, maximumPixels / width)))
    }
}
