// SPDX-License-Identifier: MIT

internal import Glibc
import Photos

extension Bitmap {
    /// A part of the picture after it was turned around its middle.
    ///
    /// Each pixel is interpolated between the sixteen nearest ones with the cubic curve of Catmull and Rom,
    /// which keeps what is sharp. Colour is weighted by alpha; beyond the edges, values are constant.
    ///
    /// - Parameters:
    ///   - part: A rectangle of the turned picture, which has the same size, not empty.
    ///   - degrees: Clockwise.
    func straightened(by degrees: Double, part: PixelRectangle) -> Bitmap {
        let angle = degrees * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let (halfWidth, halfHeight) = (Double(size.width) / 2, Double(size.height) / 2)
        let pixel = format.bytesPerPixel
        let count = part.width * part.height * pixel
        let turned = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            bytes.withUnsafeBufferPointer { input in
                var place = 0
                for y in part.y..<part.y + part.height {
                    let down = Double(y) + 0.5 - halfHeight
                    for x in part.x..<part.x + part.width {
                        let right = Double(x) + 0.5 - halfWidth
                        // Back to where the pixel's centre was before the turn.
                        let mixed = mix(
                            input, right * cosine + down * sine + halfWidth - 0.5,
                            down * cosine - right * sine + halfHeight - 0.5)
                        for channel in 0..<pixel { output[place + channel] = mixed[channel] }
                        place += pixel
                    }
                }
            }
            initialized = count
        }
        return Bitmap(size: part.size, format: format, bytes: turned)
    }

    /// The pixel at a position between the centres of pixels.
    @inline(__always)
    private func mix(
        _ input: UnsafeBufferPointer<UInt8>, _ column: Double, _ row: Double
    ) -> SIMD4<UInt8> {
        // No further away than the curve reaches.
        let x = min(max(column, -1), Double(size.width))
        let y = min(max(row, -1), Double(size.height))
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let across = Self.weights(Float(x - Double(left)))
        let along = Self.weights(Float(y - Double(top)))
        var sum = SIMD4<Float>(repeating: 0)
        for j in 0..<4 {
            let line = min(max(top - 1 + j, 0), size.height - 1) * size.width
            var part = SIMD4<Float>(repeating: 0)
            for i in 0..<4 {
                let place =
                    (line + min(max(left - 1 + i, 0), size.width - 1)) * Int(format.rawValue)
                let alpha = format == .rgba ? Float(input[place + 3]) : 255
                let colour = SIMD4(
                    Float(input[place]), Float(input[place + 1]), Float(input[place + 2]), 255)
                part += colour * (across[i] * alpha)
            }
            sum += part * along[j]
        }
        // The last one is 255 times the alpha, by which the others are weighted.
        let alpha = sum.w / 255
        guard alpha > 0 else { return SIMD4(repeating: 0) }
        sum /= alpha
        sum.w = alpha
        return SIMD4<UInt8>(
            clamping: SIMD4<Int32>(
                (sum + 0.5).clamped(
                    lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 255))))
    }

    /// The weights of the four nearest pixels of a line.
    ///
    /// - Parameter share: How far the position is beyond the second one, 0…1.
    /// - Source: Catmull and Rom, “A class of local interpolating splines”, 1974; Keys, 1981, for a = -1/2.
    @inline(__always)
    private static func weights(_ share: Float) -> SIMD4<Float> {
        let (square, cube) = (share * share, share * share * share)
        return SIMD4(
            -0.5 * cube + square - 0.5 * share,
            1.5 * cube - 2.5 * square + 1,
            -1.5 * cube + 2 * square + 0.5 * share,
            0.5 * cube - 0.5 * square)
    }
}
