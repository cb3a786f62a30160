// SPDX-License-Identifier: MIT

package import Photos

/// Pixels in memory: rows top to bottom, 8 bits per channel, no padding.
package struct Bitmap: Sendable {
    /// The channels of a pixel, in their order in memory.
    package enum Format: UInt8, Sendable {
        case rgb = 3
        /// Colour is not multiplied by alpha.
        case rgba = 4

        package var bytesPerPixel: Int { Int(rawValue) }
    }

    package let size: PixelSize
    package let format: Format
    package private(set) var bytes: [UInt8]

    package var stride: Int { size.width * format.bytesPerPixel }

    /// Makes a bitmap.
    ///
    /// - Parameter bytes: Exactly `stride * height` of them.
    package init(size: PixelSize, format: Format, bytes: [UInt8]) {
        precondition(bytes.count == size.width * format.bytesPerPixel * size.height)
        self.size = size
        self.format = format
        self.bytes = bytes
    }

    /// The picture with its pixels where they belong when it stands upright.
    package func upright(from orientation: Orientation) -> Bitmap {
        guard orientation != .upright else { return self }
        let target = orientation.applied(to: size)
        let pixel = format.bytesPerPixel
        let turned = [UInt8](unsafeUninitializedCapacity: bytes.count) { output, count in
            bytes.withUnsafeBufferPointer { input in
                for y in 0..<target.height {
                    for x in 0..<target.width {
                        let stored = orientation.storedPosition(x: x, y: y, in: size)
                        let from = (stored.y * size.width + stored.x) * pixel
                        let to = (y * target.width + x) * pixel
                        for channel in 0..<pixel { output[to + channel] = input[from + channel] }
                    }
                }
            }
            count = bytes.count
        }
        return Bitmap(size: target, format: format, bytes: turned)
    }
}
