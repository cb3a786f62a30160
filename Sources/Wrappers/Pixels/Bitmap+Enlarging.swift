// SPDX-License-Identifier: MIT

package import Photos

extension Bitmap {
    /// The enlarged picture, in which each pixel is interpolated between the four nearest ones.
    ///
    /// Colour is weighted by alpha, so that transparent pixels do not show through.
    ///
    /// - Parameter wanted: The size; a side that would become shorter is unchanged.
    package func enlarged(to wanted: PixelSize) -> Bitmap {
        let target = PixelSize(
            width: max(wanted.width, size.width), height: max(wanted.height, size.height))
        guard target != size, !size.isEmpty else { return self }
        let columns = Self.positions(of: target.width, over: size.width)
        let rows = Self.positions(of: target.height, over: size.height)
        let pixel = format.bytesPerPixel
        let count = target.width * target.height * pixel
        let enlarged = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            bytes.withUnsafeBufferPointer { input in
                var place = 0
                for row in rows {
                    for column in columns {
                        let mixed = mix(input, column, row)
                        for channel in 0..<pixel {
                            output[place + channel] = UInt8(
                                min(max(mixed[channel] + 0.5, 0), 255))
                        }
                        place += pixel
                    }
                }
            }
            initialized = count
        }
        return Bitmap(size: target, format: format, bytes: enlarged)
    }

    /// Two pixels of a line, and the weight of the second one.
    private struct Position {
        let first: Int
        let second: Int
        let share: Float
    }

    /// The positions of the new pixels' centres in a line; beyond the outermost centres, values are
    /// constant.
    private static func positions(of target: Int, over source: Int) -> [Position] {
        let scale = Double(source) / Double(target)
        return (0..<target).map { index in
            let place = min(max((Double(index) + 0.5) * scale - 0.5, 0), Double(source - 1))
            let first = Int(place)
            return Position(
                first: first, second: min(first + 1, source - 1),
                share: Float(place - Double(first)))
        }
    }

    @inline(__always)
    private func mix(
        _ input: UnsafeBufferPointer<UInt8>, _ column: Position, _ row: Position
    ) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        for (y, vertical) in [(row.first, 1 - row.share), (row.second, row.share)] {
            for (x, horizontal) in [
                (column.first, 1 - column.share), (column.second, column.share),
            ] {
                let from = y * stride + x * format.bytesPerPixel
                let alpha = format == .rgba ? Float(input[from + 3]) : 1
                let weight = vertical * horizontal * alpha
                sum +=
                    weight
                    * SIMD4(Float(input[from]), Float(input[from + 1]), Float(input[from + 2]), 0)
                sum[3] += weight
            }
        }
        // The sum of the weights is the alpha of the new pixel.
        let alpha = sum[3]
        return alpha > 0 ? SIMD4(sum[0] / alpha, sum[1] / alpha, sum[2] / alpha, alpha) : .zero
    }
}
