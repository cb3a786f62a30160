// SPDX-License-Identifier: MIT

package import Photos

/// Pixels in memory: rows top to bottom, 8 bits per channel, no padding.
package struct Bitmap: Sendable {
    /// The channels of a pixel, in memory order.
    package enum Format: UInt8, Sendable {
        case rgb = 3
        /// Alpha is not premultiplied.
        case rgba = 4

        package var bytesPerPixel: Int { Int(rawValue) }
    }

    package let size: PixelSize
    package let format: Format
    package private(set) var bytes: [UInt8]

    package var stride: Int { size.width * format.bytesPerPixel }

    /// Makes a bitmap.
    ///
    /// - Parameter bytes: Exactly `stride * height` bytes.
    package init(size: PixelSize, format: Format, bytes: [UInt8]) {
        precondition(bytes.count == size.width * format.bytesPerPixel * size.height)
        self.size = size
        self.format = format
        self.bytes = bytes
    }

    /// The picture turned upright.
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

// MARK: - Parts and sizes

extension Bitmap {
    /// A part of the picture.
    ///
    /// - Parameter part: A rectangle inside the picture, not empty.
    package func cropped(to part: PixelRectangle) -> Bitmap {
        guard part != PixelRectangle(size) else { return self }
        precondition(part.clamped(to: size) == part)
        let pixel = format.bytesPerPixel
        var rows: [UInt8] = []
        rows.reserveCapacity(part.width * part.height * pixel)
        for y in part.y..<part.y + part.height {
            let start = y * stride + part.x * pixel
            rows.append(contentsOf: bytes[start..<start + part.width * pixel])
        }
        return Bitmap(size: part.size, format: format, bytes: rows)
    }

    /// The picture made smaller; a side that would become longer is unchanged.
    package func scaled(to wanted: PixelSize) -> Bitmap {
        let target = PixelSize(
            width: min(max(wanted.width, 1), size.width),
            height: min(max(wanted.height, 1), size.height))
        guard target != size else { return self }
        var scaler = AreaScaler(from: size, to: target, format: format)
        bytes.withUnsafeBufferPointer { bytes in
            for y in 0..<size.height {
                scaler.feed(UnsafeBufferPointer(rebasing: bytes[y * stride..<(y + 1) * stride]))
            }
        }
        return scaler.finish()
    }

    /// The picture without alpha, drawn on white.
    package var flattened: Bitmap {
        guard format == .rgba else { return self }
        let count = size.width * size.height
        let opaque = [UInt8](unsafeUninitializedCapacity: count * 3) { output, initialized in
            bytes.withUnsafeBufferPointer { input in
                for pixel in 0..<count {
                    let alpha = Int(input[pixel * 4 + 3])
                    for channel in 0..<3 {
                        let colour = Int(input[pixel * 4 + channel])
                        output[pixel * 3 + channel] = UInt8(
                            (colour * alpha + 255 * (255 - alpha) + 127) / 255)
                    }
                }
            }
            initialized = count * 3
        }
        return Bitmap(size: size, format: .rgb, bytes: opaque)
    }
}
