// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct JustifiedRowsTests {
    private static let shapes: [[Float]] = [
        [1.5, 1.5, 0.66, 1, 1.78, 4, 0.3, 1.33, 1.33, 1.5], [1.5], [], [10, 10, 10],
        [0.1, 0.1, 0.1, 0.1], Array(repeating: 1.5, count: 1000),
        (0..<500).map { 0.5 + Float($0 % 7) * 0.3 },
    ]

    @Test(arguments: [(0, 96), (352, 96), (736, 163), (980, 217), (2400, 220)])
    func `rows are lower in a narrow window`(width: Int, height: Int) {
        #expect(JustifiedRows.usualHeight(inWidth: width) == height)
    }

    @Test func `the narrowest window has ordinary photos side by side`() {
        let rows = JustifiedRows(
            aspectRatios: Array(repeating: 1.5, count: 100), width: 352,
            rowHeight: JustifiedRows.usualHeight(inWidth: 352), gap: 4)
        #expect(rows.rows.allSatisfy { $0.photos.count >= 2 })
    }

    @Test(arguments: shapes, [360, 729, 1200, 3840])
    func `every photo occurs once, in order`(ratios: [Float], width: Int) {
        let layout = layOut(ratios, width)
        #expect(layout.rows.flatMap { Array($0.photos) } == Array(ratios.indices))
    }

    @Test(arguments: shapes, [360, 729, 1200, 3840])
    func `rows but the last fill the width, and photos do not touch`(ratios: [Float], width: Int) {
        let layout = layOut(ratios, width)
        for row in layout.rows.indices {
            let frames = layout.frames(inRow: row)
            #expect(frames.first?.x == 0)
            for (left, right) in zip(frames, frames.dropFirst()) {
                #expect(right.x == left.x + left.width + 4)
            }
            let end = frames.last.map { $0.x + $0.width } ?? 0
            #expect(end <= width)
            if row < layout.rows.count - 1 { #expect(end == width) }
        }
    }

    @Test(arguments: shapes, [360, 729, 1200, 3840])
    func `rows follow one another from top to bottom`(ratios: [Float], width: Int) {
        let layout = layOut(ratios, width)
        for (upper, lower) in zip(layout.rows, layout.rows.dropFirst()) {
            #expect(lower.top == upper.bottom + 4)
        }
        #expect(layout.height == layout.rows.last?.bottom ?? 0)
    }

    @Test func `photos of ordinary shape have about the preferred height`() {
        let layout = layOut(Array(repeating: 1.5, count: 200), 729)
        for row in layout.rows { #expect((120...260).contains(row.height)) }
    }

    @Test func `a single photo is not enlarged to the full width`() throws {
        let layout = layOut([0.66], 729)
        #expect(layout.rows[0].height == 180)
        #expect(layout.frames(inRow: 0)[0].width == 119)
    }

    @Test func `the visible rows are those that intersect the visible area`() {
        let layout = layOut(Array(repeating: 1.5, count: 1000), 729)
        let second = layout.rows[1]
        #expect(layout.rows(from: second.top, to: second.bottom) == 1..<2)
        #expect(layout.rows(from: second.top - 5, to: second.bottom + 5) == 0..<3)
        #expect(layout.rows(from: -1000, to: -10).isEmpty)
        #expect(layout.rows(from: layout.height, to: layout.height + 500).isEmpty)
    }

    @Test func `the row of a photo contains it`() {
        let layout = layOut(Self.shapes[6], 729)
        for photo in Self.shapes[6].indices {
            #expect(layout.rows[layout.row(of: photo)].photos.contains(photo))
        }
    }

    private func layOut(_ ratios: [Float], _ width: Int) -> JustifiedRows {
        JustifiedRows(aspectRatios: ratios, width: width, rowHeight: 180, gap: 4)
    }
}
