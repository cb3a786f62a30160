// SPDX-License-Identifier: MIT

package import Photos

/// Makes a picture smaller row by row: each new pixel is the average of the area it covers.
///
/// Only one row of sums is kept, so that memory depends on the result alone. Colour is weighted by
/// alpha, so that what is transparent does not shine through.
///
/// One owner; not thread-safe.
package struct AreaScaler: ~Copyable {
    private let source: PixelSize
    private let target: PixelSize
    private let format: Bitmap.Format
    private let columns: [Coverage]
    private let columnWeights: [Float]
    private var sums: [Float]
    private var row: [Float]
    private var output: [UInt8]
    private var nextSourceRow = 0
    private var nextTargetRow = 0

    /// Which source pixels one target pixel covers: a range, and where its weights are.
    private struct Coverage {
        let first: Int
        let count: Int
        let weights: Int
    }

    /// Prepares to scale.
    ///
    /// - Parameters:
    ///   - source: The size of what is fed, not empty.
    ///   - target: The size of the result, not empty and on no side larger than `source`.
    package init(from source: PixelSize, to target: PixelSize, format: Bitmap.Format) {
        precondition(!source.isEmpty && !target.isEmpty)
        precondition(target.width <= source.width && target.height <= source.height)
        self.source = source
        self.target = target
        self.format = format
        (columns, columnWeights) = Self.coverage(of: target.width, over: source.width)
        sums = Array(repeating: 0, count: target.width * format.bytesPerPixel)
        row = sums
        output = []
        output.reserveCapacity(sums.count * target.height)
    }

    /// Takes the next row, top to bottom.
    ///
    /// - Parameter pixels: At least one source row of the scaler's format.
    package mutating func feed(_ pixels: UnsafeBufferPointer<UInt8>) {
        guard nextSourceRow < source.height else { return }
        reduce(pixels)
        // Source row y covers the band y..<y+1; target row t covers t*scale..<(t+1)*scale.
        let scale = Double(source.height) / Double(target.height)
        let top = Double(nextSourceRow)
        nextSourceRow += 1
        let isLast = nextSourceRow == source.height
        while nextTargetRow < target.height {
            let end = isLast ? top + 1 : Double(nextTargetRow + 1) * scale
            let begin = Double(nextTargetRow) * scale
            let weight = min(end, top + 1) - max(begin, top)
            if weight > 0 { add(Float(weight / scale)) }
            guard end <= top + 1 else { return }
            emit()
        }
    }

    /// The scaled picture, once every row was fed; rows that never came are black or transparent.
    package consuming func finish() -> Bitmap {
        output.append(
            contentsOf: repeatElement(0, count: sums.count * target.height - output.count))
        return Bitmap(size: target, format: format, bytes: output)
    }

    /// Averages one source row horizontally into `row`.
    private mutating func reduce(_ pixels: UnsafeBufferPointer<UInt8>) {
        switch format {
        case .rgb: reduceRGB(pixels)
        case .rgba: reduceRGBA(pixels)
        }
    }

    private mutating func reduceRGB(_ pixels: UnsafeBufferPointer<UInt8>) {
        columnWeights.withUnsafeBufferPointer { weights in
            row.withUnsafeMutableBufferPointer { row in
                for (x, column) in columns.enumerated() {
                    var red: Float = 0
                    var green: Float = 0
                    var blue: Float = 0
                    for index in 0..<column.count {
                        let weight = weights[column.weights + index]
                        let from = (column.first + index) * 3
                        red += weight * Float(pixels[from])
                        green += weight * Float(pixels[from + 1])
                        blue += weight * Float(pixels[from + 2])
                    }
                    row[x * 3] = red
                    row[x * 3 + 1] = green
                    row[x * 3 + 2] = blue
                }
            }
        }
    }

    private mutating func reduceRGBA(_ pixels: UnsafeBufferPointer<UInt8>) {
        columnWeights.withUnsafeBufferPointer { weights in
            row.withUnsafeMutableBufferPointer { row in
                for (x, column) in columns.enumerated() {
                    var sum = SIMD4<Float>.zero
                    for index in 0..<column.count {
                        let from = (column.first + index) * 4
                        let alpha = weights[column.weights + index] * Float(pixels[from + 3])
                        sum += SIMD4(
                            alpha * Float(pixels[from]), alpha * Float(pixels[from + 1]),
                            alpha * Float(pixels[from + 2]), alpha)
                    }
                    for channel in 0..<4 { row[x * 4 + channel] = sum[channel] }
                }
            }
        }
    }

    private mutating func add(_ weight: Float) {
        sums.withUnsafeMutableBufferPointer { sums in
            row.withUnsafeBufferPointer { row in
                for index in sums.indices { sums[index] += weight * row[index] }
            }
        }
    }

    /// Rounds the finished row of sums into the output.
    private mutating func emit() {
        switch format {
        case .rgb:
            for sum in sums { output.append(UInt8(min(max(sum + 0.5, 0), 255))) }
        case .rgba:
            for start in stride(from: 0, to: sums.count, by: 4) {
                let alpha = sums[start + 3]
                for channel in 0..<3 {
                    let value = alpha > 0 ? sums[start + channel] / alpha : 0
                    output.append(UInt8(min(max(value + 0.5, 0), 255)))
                }
                output.append(UInt8(min(max(alpha + 0.5, 0), 255)))
            }
        }
        for index in sums.indices { sums[index] = 0 }
        nextTargetRow += 1
    }

    /// The share of each source pixel in each target pixel of a line; shares add up to 1.
    private static func coverage(of target: Int, over source: Int) -> ([Coverage], [Float]) {
        let scale = Double(source) / Double(target)
        var weights: [Float] = []
        let coverages = (0..<target).map { index in
            let begin = Double(index) * scale
            let end = index == target - 1 ? Double(source) : Double(index + 1) * scale
            let first = Int(begin)
            let last = min(Int(end.rounded(.up)), source) - 1
            let position = weights.count
            for pixel in first...max(first, last) {
                let share = min(end, Double(pixel + 1)) - max(begin, Double(pixel))
                weights.append(Float(max(share, 0) / (end - begin)))
            }
            return Coverage(
                first: first, count: weights.count - position, weights: position)
        }
        return (coverages, weights)
    }
}
