// SPDX-License-Identifier: MIT

/// A layout of photos in full rows, in which each photo keeps its own shape.
///
/// Sections, if there are any, each begin with a heading and a row of their own.
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

    /// The room for headings above the sections of a layout.
    package struct Headings: Hashable, Sendable {
        /// The indices of each section's photos; together they are all photos, in order.
        package let sections: [Range<Int>]
        package let height: Int
        /// The distance from the last row of the section before.
        package let spacing: Int

        package static let none = Headings(sections: [], height: 0, spacing: 0)

        package init(sections: [Range<Int>], height: Int, spacing: Int) {
            self.sections = sections
            self.height = height
            self.spacing = spacing
        }
    }

    package let rows: [Row]
    /// The distance of each section's heading from the top of the layout.
    package let headingTops: [Int]
    /// The height of a heading; 0 if there are none.
    package let headingHeight: Int
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
    ///     last one of a section never becomes higher.
    ///   - gap: The space between photos and between rows.
    ///   - columns: The number of squares in a row, 1 or more; nil for photos that keep their shape.
    package init(
        aspectRatios: [Float], width: Int, rowHeight: Int, gap: Int, columns: Int? = nil,
        headings: Headings = .none
    ) {
        self.width = width
        self.gap = gap
        let ratios =
            columns == nil
            ? aspectRatios.map { min(max($0, Self.shapes.lowerBound), Self.shapes.upperBound) }
            : Array(repeating: 1, count: aspectRatios.count)
        self.aspectRatios = ratios
        var rows: [Row] = []
        rows.reserveCapacity(aspectRatios.count / 4 + headings.sections.count + 1)
        var headingTops: [Int] = []
        headingTops.reserveCapacity(headings.sections.count)
        var top = 0
        let wanted = Float(max(width, 1)) / Float(max(rowHeight, 1))

        /// Adds the row of some photos; the last one of a section need not be full.
        func add(_ photos: Range<Int>, ratio: Float, isLast: Bool) {
            let gaps = gap * (photos.count - 1)
            let filling = Int((Float(max(width - gaps, 1)) / ratio).rounded())
            let height = max(isLast ? min(filling, rowHeight) : filling, 1)
            let isFull = height == max(filling, 1)
            let rowWidth = isFull ? width : Int((Float(height) * ratio).rounded()) + gaps
            rows.append(Row(photos: photos, top: top, height: height, width: rowWidth))
            top += height + gap
        }

        /// Adds the rows of squares of a section.
        func add(_ section: Range<Int>, columns: Int) {
            let side = max((width - gap * (columns - 1)) / columns, 1)
            for first in stride(from: section.lowerBound, to: section.upperBound, by: columns) {
                let photos = first..<min(first + columns, section.upperBound)
                let isFull = photos.count == columns
                let rowWidth = isFull ? width : (side + gap) * photos.count - gap
                rows.append(Row(photos: photos, top: top, height: side, width: rowWidth))
                top += side + gap
            }
        }

        /// Adds the rows of a section.
        func add(_ section: Range<Int>) {
            if let columns { return add(section, columns: max(columns, 1)) }
            var first = section.lowerBound
            var total: Float = 0
            for index in section {
                let ratio = ratios[index]
                let grown = total + ratio
                // The row with this photo is too low by as much as the one without is too high, or
                // more.
                if index > first, grown > wanted, grown - wanted > wanted - total {
                    add(first..<index, ratio: total, isLast: false)
                    first = index
                    total = ratio
                } else {
                    total = grown
                }
                if total >= wanted {
                    add(first..<index + 1, ratio: total, isLast: index + 1 == section.upperBound)
                    first = index + 1
                    total = 0
                }
            }
            if first < section.upperBound {
                add(first..<section.upperBound, ratio: total, isLast: true)
            }
        }

        if headings.sections.isEmpty { add(aspectRatios.indices) }
        for section in headings.sections {
            if !headingTops.isEmpty { top += headings.spacing - gap }
            headingTops.append(top)
            top += headings.height
            add(section)
        }
        self.rows = rows
        self.headingTops = headingTops
        headingHeight = headingTops.isEmpty ? 0 : headings.height
        height = max(top - gap, 0)
    }

    /// The sections whose headings or photos are at least partly between two heights of the layout.
    package func sections(from top: Int, to bottom: Int) -> Range<Int> {
        let end = Self.first(headingTops) { $0 >= bottom }
        // The heading of the section that reaches into the area may be above it.
        let first = max(Self.first(headingTops) { $0 > top } - 1, 0)
        return first..<max(first, end)
    }

    /// The position of a section's heading while the area from `top` downwards is in view.
    ///
    /// The heading of the topmost section stays in view until the next one pushes it out.
    package func headingTop(of section: Int, inViewFrom top: Int) -> Int {
        let own = headingTops[section]
        guard own < top else { return own }
        guard section + 1 < headingTops.count else { return top }
        return max(own, min(top, headingTops[section + 1] - headingHeight))
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
        Self.first(rows, where: predicate)
    }

    /// The index of the first element that satisfies a condition, which all after it satisfy too.
    private static func first<Element>(
        _ elements: [Element], where predicate: (Element) -> Bool
    ) -> Int {
        var low = 0
        var high = elements.count
        while low < high {
            let middle = (low + high) / 2
            if predicate(elements[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
