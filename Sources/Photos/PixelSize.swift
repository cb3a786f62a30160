// SPDX-License-Identifier: MIT

/// A width and a height in pixels.
package struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var description: String { "\(width)×\(height)" }

    /// Whether the size has no pixels.
    package var isEmpty: Bool { width <= 0 || height <= 0 }

    /// The number of pixels; nil if it does not fit in an `Int`.
    package var pixelCount: Int? {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? nil : count
    }

    /// The size with width and height exchanged.
    package var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// The ratio of width to height; 1 for an empty size.
    package var aspectRatio: Double {
        isEmpty ? 1 : Double(width) / Double(height)
    }

    /// The largest size of the same shape that fits in a square box, never larger than this one.
    ///
    /// Each side is rounded to the nearest pixel and at least 1.
    ///
    /// - Parameter side: The side of the box in pixels, 1 or more.
    package func fitted(in side: Int) -> PixelSize {
        guard !isEmpty, width > side || height > side else { return self }
        let scale = Double(side) / Double(max(width, height))
        return PixelSize(
            width: max(1, Int((Double(width) * scale).rounded())),
            height: max(1, Int((Double(height) * scale).rounded())))
    }
}
