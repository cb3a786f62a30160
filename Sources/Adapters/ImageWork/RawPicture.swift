// SPDX-License-Identifier: MIT

package import Files
package import Photos

/// A decoded picture as a sealed memory file.
package struct RawPicture: Sendable {
    package let size: PixelSize
    /// Whether pixels are RGBA, with alpha not premultiplied; otherwise they are RGB.
    package let hasAlpha: Bool
    /// Rows from top to bottom, `size.width * (hasAlpha ? 4 : 3)` bytes each.
    package let file: Descriptor

    /// The longest side of a picture in a reply.
    static let maximumSide = 16_384

    package init(size: PixelSize, hasAlpha: Bool, file: Descriptor) {
        self.size = size
        self.hasAlpha = hasAlpha
        self.file = file
    }

    package var stride: Int { size.width * (hasAlpha ? 4 : 3) }
}

/// A thumbnail that was just made.
package struct MadeThumbnail: Sendable {
    package let picture: RawPicture
    package let entry: CacheEntry

    package init(picture: RawPicture, entry: CacheEntry) {
        self.picture = picture
        self.entry = entry
    }
}

/// A cache entry that is not yet on disk.
package struct CacheEntry: Sendable {
    /// The PNG file, as a sealed memory file.
    package let png: Descriptor

    package init(png: Descriptor) {
        self.png = png
    }
}
