// SPDX-License-Identifier: MIT

/// How stored pixels must be rotated or mirrored to be upright.
///
/// The raw values are those of the EXIF tag. Each case names the operation on the stored picture.
///
/// - Source: EXIF 2.32, 4.6.4, tag 0x0112.
package enum Orientation: UInt8, CaseIterable, Sendable {
    case upright = 1
    case mirrored = 2
    case turnedAround = 3
    case flipped = 4
    case transposed = 5
    case turnedRight = 6
    case transversed = 7
    case turnedLeft = 8

    /// Whether width and height are exchanged.
    package var swapsSides: Bool { rawValue >= 5 }

    /// The size of a stored picture once it is upright.
    package func applied(to stored: PixelSize) -> PixelSize {
        swapsSides ? stored.transposed : stored
    }

    /// Returns the stored position of a pixel of the upright picture.
    ///
    /// - Parameters:
    ///   - x: The upright column.
    ///   - y: The upright row.
    ///   - stored: The size as stored.
    package func storedPosition(x: Int, y: Int, in stored: PixelSize) -> (x: Int, y: Int) {
        let right = stored.width - 1
        let bottom = stored.height - 1
        return switch self {
        case .upright: (x, y)
        case .mirrored: (right - x, y)
        case .turnedAround: (right - x, bottom - y)
        case .flipped: (x, bottom - y)
        case .transposed: (y, x)
        case .turnedRight: (y, bottom - x)
        case .transversed: (right - y, bottom - x)
        case .turnedLeft: (right - y, x)
        }
    }
}
