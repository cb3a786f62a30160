// SPDX-License-Identifier: MIT

/// One of the four sizes of the desktop's thumbnail cache.
///
/// - Source: Thumbnail Managing Standard 0.9.0, “Directory structure”.
package enum ThumbnailSize: Int, CaseIterable, Sendable {
    case normal = 128
    case large = 256
    case xLarge = 512
    case xxLarge = 1024

    /// The side of the square that a thumbnail fits in, in pixels.
    package var pixels: Int { rawValue }

    /// The cache folder for this size.
    package var folderName: String {
        switch self {
        case .normal: "normal"
        case .large: "large"
        case .xLarge: "x-large"
        case .xxLarge: "xx-large"
        }
    }

    /// Returns the smallest size whose longer side has at least the given number of pixels.
    ///
    /// - Returns: ``xxLarge`` if none is large enough.
    package static func covering(_ longerSide: Int) -> ThumbnailSize {
        allCases.first { $0.pixels >= longerSide } ?? .xxLarge
    }
}
