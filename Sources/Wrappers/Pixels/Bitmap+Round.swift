// SPDX-License-Identifier: MIT

import Photos

extension Bitmap {
    /// The circle, or ellipse, that touches all sides; what is outside is transparent, and black.
    ///
    /// A pixel at the edge is as transparent as about the share of it that is outside.
    var round: Bitmap {
        let (radiusX, radiusY) = (Double(size.width) / 2, Double(size.height) / 2)
        let pixel = format.bytesPerPixel
        let count = size.width * size.height * 4
        let cut = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            bytes.withUnsafeBufferPointer { input in
                var (from, to) = (0, 0)
                for y in 0..<size.height {
                    let down = (Double(y) + 0.5 - radiusY) / radiusY
                    for x in 0..<size.width {
                        let right = (Double(x) + 0.5 - radiusX) / radiusX
                        let distance = (right * right + down * down).squareRoot()
                        // In pixels, from the edge inwards.
                        let inside = (1 - distance) * min(radiusX, radiusY) + 0.5
                        let alpha = pixel == 4 ? Double(input[from + 3]) : 255
                        let shown = UInt8((min(max(inside, 0), 1) * alpha).rounded())
                        for channel in 0..<3 {
                            output[to + channel] = shown == 0 ? 0 : input[from + channel]
                        }
                        output[to + 3] = shown
                        (from, to) = (from + pixel, to + 4)
                    }
                }
            }
            initialized = count
        }
        return Bitmap(size: size, format: .rgba, bytes: cut)
    }
}
