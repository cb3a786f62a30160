// SPDX-License-Identifier: MIT

/// What a picture may claim before anything is allocated for it.
package enum PixelLimits {
    /// The longest side in pixels: that of a JPEG.
    package static let maximumSide = 65_535
    /// The most pixels, well above the largest panoramas.
    package static let maximumPixels = 400_000_000

    /// Whether a size that a file claims is neither empty nor beyond the limits.
    package static func allow(_ size: PixelSize) -> Bool {
        guard !size.isEmpty, max(size.width, size.height) <= maximumSide,
            let count = size.pixelCount
        else { return false }
        return count <= maximumPixels
    }
}
