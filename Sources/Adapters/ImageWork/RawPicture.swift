// SPDX-License-Identifier: MIT

package import Files
package import Photos
package import SystemPackage

/// A decoded picture as a sealed memory file.
package struct RawPicture: Sendable {
    package let size: PixelSize
    /// Whether pixels are RGBA, with alpha not premultiplied; otherwise they are RGB.
    package let hasAlpha: Bool
    /// Rows from top to bottom, `size.width * (hasAlpha ? 4 : 3)` bytes each.
    package let file: Descriptor

    /// The longest side of a picture in a reply.
    package static let maximumSide = 16_384

    package init(size: PixelSize, hasAlpha: Bool, file: Descriptor) {
        self.size = size
        self.hasAlpha = hasAlpha
        self.file = file
    }

    package var stride: Int { size.width * (hasAlpha ? 4 : 3) }

    /// The number of bytes of a picture that is within the limits.
    static func byteCount(_ size: PixelSize, hasAlpha: Bool) -> Int64 {
        // Cannot overflow, because it is at most 16384 × 16384 × 4.
        Int64(size.width * size.height * (hasAlpha ? 4 : 3))
    }

    /// Maps the pixels.
    ///
    /// - Throws: `Errno`, also `.permissionDenied` or `.invalidArgument` if the file is not sealed or
    ///   is too short, which a picture from ``DecoderPool`` never is.
    package func mapped() throws(Errno) -> MappedMemory {
        let memory = try MappedMemory(sealed: file)
        guard memory.bytes.count == Self.byteCount(size, hasAlpha: hasAlpha) else {
            throw .invalidArgument
        }
        return memory
    }
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
