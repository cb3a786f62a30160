// SPDX-License-Identifier: MIT

/// A layout of photos in full rows, in which each photo keeps its own shape.
///
/// Lengths have the unit of `width`, for example layout pixels. Rows are ordered top to bottom.
package struct JustifiedRows: Sendable {
    /// Consecutive photos side by side.
    package struct Row: Hashable, Sendable {
        /// Indices of the photos, left to right.
        package let photos: Range<Int>
        /// The distance from the top of the layout.
        package let top: Int
        package let height: Int
        /// The width of the photos and the gaps between them.
        package let width: Int

        package var bottom: Int { top + height }
    }

    /// The position and size of one photo.
    package struct Frame: Hashable, Sendable {
        package let x: Int
        package let y: Int
        package let width: Int
        package let height: Int

        /// The frame in a view that begins so far below the top of the layout.
        package func scrolled(by distance: Int) -> Frame {
            Frame(x: x, y: y - distance, width: width, height: height)
        }
    }

    package let rows: [Row]
    /// The height of the whole layout.
    package let height: Int
    private let aspectRatios: [Float]
    private let width: Int
    private let gap: Int

    /// The height of rows that suits a width, in layout pixels: between two and five ordinary photos side by
    /// side, and more where there is a lot of room.
    package static func usualHeight(inWidth width: Int) -> Int {
        min(max(width * 2 / 9, 96), 220)
    }

    /// Photos that are wider or taller than this are cropped in the grid.
    private static let shapes: ClosedRange<Float> = 0.4...3.2

    /// Lays out photos.
    ///
    /// - Parameters:
    ///   - aspectRatios: Width divided by height of each photo.
    ///   - width: The width of a row, at least 1.
    ///   - rowHeight: The preferred height. Rows become higher or lower to fill their width, but the
    ///     last one never becomes higher.
    ///   - gap: The space between photos and between rows.
    package init(aspectRatios: [Float], width: Int, rowHeight: Int, gap: Int) {
        self.width = width
        self.gap = gap
        self.aspectRatios = aspectRatios.map {
            min(max($0, Self.shapes.lowerBound), Self.shapes.upperBound)
        }
        var rows: [Row] = []
        rows.reserveCapacity(aspectRatios.count / 4 + 1)
        var top = 0
        var first = 0
        var total: Float = 0
        let wanted = Float(max(width, 1)) / Float(max(rowHeight, 1))

        func close(before end: Int) {
            let gaps = gap * (end - first - 1)
            let filling = Int((Float(max(width - gaps, 1)) / total).rounded())
            let isLast = end == aspectRatios.count
            let height = max(isLast ? min(filling, rowHeight) : filling, 1)
            let isFull = height == max(filling, 1)
            let rowWidth = isFull ? width : Int((Float(height) * total).rounded()) + gaps
            rows.append(Row(photos: first..<end, top: top, height: height, width: rowWidth))
            top += height + gap
            first = end
        }

        for (index, ratio) in self.aspectRatios.enumerated() {
            let grown = total + ratio
            // The row with this photo is too low by as much as the one without is too high, or more.
            if index > first, grown > wanted, grown - wanted > wanted - total {
                close(before: index)
                total = ratio
            } else {
                total = grown
            }
            if total >= wanted {
                close(before: index + 1)
                total = 0
            }
        }
        if first < aspectRatios.count { close(before: aspectRatios.count) }
        self.rows = rows
        height = max(top - gap, 0)
    }

    /// The rows that are at least partly between two heights of the layout.
    package func rows(from top: Int, to bottom: Int) -> Range<Int> {
        let first = firstRow { $0.bottom > top }
        let end = firstRow { $0.top >= bottom }
        return first..<max(first, end)
    }

    /// The index of the row that contains a photo.
    package func row(of photo: Int) -> Int {
        firstRow { $0.photos.upperBound > photo }
    }

    /// The frames of a row's photos, left to right.
    package func frames(inRow index: Int) -> [Frame] {
        let row = rows[index]
        let total = row.photos.reduce(Float(0)) { $0 + aspectRatios[$1] }
        let usable = Float(row.width - gap * (row.photos.count - 1))
        var x = 0
        var passed: Float = 0
        return row.photos.enumerated().map { position, photo in
            passed += aspectRatios[photo]
            let end = Int((usable * passed / total).rounded()) + gap * position
            defer { x = end + gap }
            return Frame(x: x, y: row.top, width: max(end - x, 1), height: row.height)
        }
    }

    private func firstRow(where predicate: (Row) -> Bool) -> Int {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if predicate(rows[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
