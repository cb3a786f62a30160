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
        let count = part.width * part.height * format.bytesPerPixel
        let turned = [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            bytes.withUnsafeBufferPointer { input in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                let turn = Turn(of: size, by: degrees)
                // Each kind of pixel has its own loop, without questions inside.
                switch format {
                case .rgb: turn.fill(to, with: part, of: from, hasAlpha: false)
                case .rgba: turn.fill(to, with: part, of: from, hasAlpha: true)
                }
                initialized = count
            }
        }
        return Bitmap(size: part.size, format: format, bytes: turned)
    }
}

/// A turn of a picture around its middle.
private struct Turn {
    private let width: Int
    private let height: Int
    private let sine: Double
    private let cosine: Double

    init(of size: PixelSize, by degrees: Double) {
        (width, height) = (size.width, size.height)
        (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
    }

    /// Writes a part of the turned picture.
    ///
    /// - Parameters:
    ///   - output: Room for its pixels.
    ///   - input: The pixels of the picture.
    @inline(__always)
    func fill(
        _ output: UnsafeMutablePointer<UInt8>, with part: PixelRectangle,
        of input: UnsafePointer<UInt8>, hasAlpha: Bool
    ) {
        let (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
        var to = output
        for y in part.y..<part.y + part.height {
            let down = Double(y) + 0.5 - halfHeight
            for x in part.x..<part.x + part.width {
                let right = Double(x) + 0.5 - halfWidth
                // Back to where the pixel's centre was before the turn, no further away than the curve reaches.
                let column = min(
                    max(right * cosine + down * sine + halfWidth - 0.5, -1), Double(width))
                let row = min(
                    max(down * cosine - right * sine + halfHeight - 0.5, -1), Double(height))
                write(mix(input, column, row, hasAlpha), to: &to, hasAlpha)
            }
        }
    }

    /// The pixel at a position between the centres of pixels; the colours are not weighted.
    @inline(__always)
    private func mix(
        _ input: UnsafePointer<UInt8>, _ x: Double, _ y: Double, _ hasAlpha: Bool
    ) -> SIMD4<Float> {
        // Rounded down; neither is less than -1.
        let (left, top) = (Int(x + 2) - 2, Int(y + 2) - 2)
        let across = Self.weights(Float(x - Double(left)))
        let along = Self.weights(Float(y - Double(top)))
        let isInner = left >= 1 && left + 2 < width && top >= 1 && top + 2 < height
        let pixel = hasAlpha ? 4 : 3
        var sum = SIMD4<Float>(repeating: 0)
        for j in 0..<4 {
            let line = (isInner ? top - 1 + j : min(max(top - 1 + j, 0), height - 1)) * width
            var part = SIMD4<Float>(repeating: 0)
            for i in 0..<4 {
                let column = isInner ? left - 1 + i : min(max(left - 1 + i, 0), width - 1)
                let from = input + (line + column) * pixel
                let colour = SIMD4(Float(from[0]), Float(from[1]), Float(from[2]), 255)
                part += colour * (hasAlpha ? across[i] * Float(from[3]) : across[i])
            }
            sum += part * along[j]
        }
        guard hasAlpha else { return sum }
        // The last one is 255 times the alpha, by which the others are weighted.
        let alpha = sum.w / 255
        guard alpha > 0 else { return SIMD4(repeating: 0) }
        sum /= alpha
        sum.w = alpha
        return sum
    }

    @inline(__always)
    private func write(
        _ pixel: SIMD4<Float>, to output: inout UnsafeMutablePointer<UInt8>, _ hasAlpha: Bool
    ) {
        for channel in 0..<(hasAlpha ? 4 : 3) {
            output[channel] = UInt8(min(max(pixel[channel] + 0.5, 0), 255))
        }
        output += hasAlpha ? 4 : 3
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
