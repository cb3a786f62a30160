// SPDX-License-Identifier: MIT

package import Photos

/// Makes a picture smaller row by row: each new pixel is the average of the area it covers.
///
/// Keeps a single row of sums, as wide as the source. Rows are added up first, in a loop that the
/// compiler vectorizes; columns are added up only once for each row of the result. Colour is
/// weighted by alpha, so that transparent pixels do not show through.
///
/// One owner; not thread-safe.
package struct AreaScaler: ~Copyable {
    private let source: PixelSize
    private let target: PixelSize
    private let format: Bitmap.Format
    private let columns: [Coverage]
    private let columnWeights: [Float]
    /// The weighted sum of the source rows that belong to the next target row.
    private var sums: [Float]
    /// The result; rows that have not been reached yet are zero.
    private var output: [UInt8]
    private var nextSourceRow = 0
    private var nextTargetRow = 0

    /// The source pixels that one target pixel covers: a range, and the index of their weights.
    private struct Coverage {
        let first: Int
        let count: Int
        let weights: Int
    }

    /// Prepares to scale.
    ///
    /// - Parameters:
    /// - source: The size of the source, not empty.
    /// - target: The size of the result, not empty and no larger than `source` on either side.
    package init(from source: PixelSize, to target: PixelSize, format: Bitmap.Format) {
        precondition(!source.isEmpty && !target.isEmpty)
        precondition(target.width <= source.width && target.height <= source.height)
        self.source = source
        self.target = target
        self.format = format
        (columns, columnWeights) = Self.coverage(of: target.width, over: source.width)
        sums = Array(repeating: 0, count: source.width * format.bytesPerPixel)
        output = Array(repeating: 0, count: target.width * format.bytesPerPixel * target.height)
    }

    /// Adds the next row, from top to bottom.
    ///
    /// - Parameter pixels: At least one source row of the scaler's format.
    package mutating func feed(_ pixels: UnsafeBufferPointer<UInt8>) {
        guard nextSourceRow < source.height else { return }
        // Source row y covers the range y..<y+1; target row t covers t*scale..<(t+1)*scale.
        let scale = Double(source.height) / Double(target.height)
        let top = Double(nextSourceRow)
        nextSourceRow += 1
        let isLast = nextSourceRow == source.height
        while nextTargetRow < target.height {
            let end = isLast ? top + 1 : Double(nextTargetRow + 1) * scale
            let begin = Double(nextTargetRow) * scale
            let weight = min(end, top + 1) - max(begin, top)
            if weight > 0 { add(pixels, Float(weight / scale)) }
            guard end <= top + 1 else { return }
            emit()
        }
    }

    /// The scaled picture, after every row was added; missing rows are black or transparent.
    package consuming func finish() -> Bitmap {
        Bitmap(size: target, format: format, bytes: output)
    }

    private mutating func add(_ pixels: UnsafeBufferPointer<UInt8>, _ weight: Float) {
        sums.withUnsafeMutableBufferPointer { sums in
            switch format {
            case .rgb:
                for index in sums.indices { sums[index] += weight * Float(pixels[index]) }
            case .rgba:
                for start in stride(from: 0, to: sums.count, by: 4) {
                    let alpha = weight * Float(pixels[start + 3])
                    sums[start] += alpha * Float(pixels[start])
                    sums[start + 1] += alpha * Float(pixels[start + 1])
                    sums[start + 2] += alpha * Float(pixels[start + 2])
                    sums[start + 3] += alpha
                }
            }
        }
    }

    /// Averages the finished row of sums horizontally into the output.
    private mutating func emit() {
        let stride = target.width * format.bytesPerPixel
        let row = nextTargetRow * stride
        // Moved out of `self`, because the rest of `self` is read meanwhile; nothing is copied.
        var result: [UInt8] = []
        swap(&result, &output)
        defer { swap(&result, &output) }
        result.withUnsafeMutableBufferPointer { result in
            let row = UnsafeMutableBufferPointer(rebasing: result[row..<row + stride])
            switch format {
            case .rgb: emitRGB(to: row)
            case .rgba: emitRGBA(to: row)
            }
        }
        sums.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        nextTargetRow += 1
    }

    private func emitRGB(to row: UnsafeMutableBufferPointer<UInt8>) {
        sums.withUnsafeBufferPointer { sums in
            columnWeights.withUnsafeBufferPointer { weights in
                for (x, column) in columns.enumerated() {
                    var red: Float = 0
                    var green: Float = 0
                    var blue: Float = 0
                    for index in 0..<column.count {
                        let weight = weights[column.weights + index]
                        let from = (column.first + index) * 3
                        red += weight * sums[from]
                        green += weight * sums[from + 1]
                        blue += weight * sums[from + 2]
                    }
                    row[x * 3] = Self.rounded(red)
                    row[x * 3 + 1] = Self.rounded(green)
                    row[x * 3 + 2] = Self.rounded(blue)
                }
            }
        }
    }

    private func emitRGBA(to row: UnsafeMutableBufferPointer<UInt8>) {
        sums.withUnsafeBufferPointer { sums in
            columnWeights.withUnsafeBufferPointer { weights in
                for (x, column) in columns.enumerated() {
                    var sum = SIMD4<Float>.zero
                    for index in 0..<column.count {
                        let weight = weights[column.weights + index]
                        let from = (column.first + index) * 4
                        sum +=
                            weight
                            * SIMD4(sums[from], sums[from + 1], sums[from + 2], sums[from + 3])
                    }
                    let alpha = sum[3]
                    for channel in 0..<3 {
                        row[x * 4 + channel] = Self.rounded(alpha > 0 ? sum[channel] / alpha : 0)
                    }
                    row[x * 4 + 3] = Self.rounded(alpha)
                }
            }
        }
    }

    @inline(__always)
    private static func rounded(_ value: Float) -> UInt8 {
        UInt8(min(max(value + 0.5, 0), 255))
    }

    /// The weight of each source pixel in each target pixel of a line; weights add up to 1.
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
