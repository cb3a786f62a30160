// SPDX-License-Identifier: MIT

/// Limits that are checked before memory is allocated for a picture.
package enum PixelLimits {
    /// The maximum side in pixels, which is JPEG's.
    package static let maximumSide = 65_535
    /// The maximum number of pixels, well above the largest panoramas.
    package static let maximumPixels = 400_000_000

    /// The maximum side that is believed of a header.
    ///
    /// A picture beyond the limits above is listed but not decoded; no picture is beyond this one.
    package static let maximumStatedSide = 1 << 24

    /// Whether a size claimed by a file is not empty and within the limits.
    package static func allow(_ size: PixelSize) -> Bool {
        guard !size.isEmpty, max(size.width, size.height) <= maximumSide,
            let count = size.pixelCount
        else { return false }
        return count <= maximumPixels
    }
}
