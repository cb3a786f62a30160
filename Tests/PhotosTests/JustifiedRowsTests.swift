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

    @Test func `each section begins with a heading and a row of its own`() {
        let layout = layOutSections([0..<7, 7..<8, 8..<30])
        #expect(layout.headingTops.count == 3)
        for (section, range) in [0..<7, 7..<8, 8..<30].enumerated() {
            let first = layout.rows[layout.row(of: range.lowerBound)]
            #expect(first.photos.lowerBound == range.lowerBound)
            #expect(first.top == layout.headingTops[section] + 32)
            #expect(layout.rows[layout.row(of: range.upperBound - 1)].height <= 180)
            guard section > 0 else { continue }
            let before = layout.rows[layout.row(of: range.lowerBound - 1)]
            #expect(layout.headingTops[section] == before.bottom + 12)
        }
        #expect(layout.rows.flatMap { Array($0.photos) } == Array(0..<30))
    }

    @Test func `the visible sections are those that intersect the visible area`() {
        let layout = layOutSections([0..<7, 7..<8, 8..<30])
        let second = layout.headingTops[1]
        let third = layout.headingTops[2]
        #expect(layout.sections(from: 0, to: 10) == 0..<1)
        #expect(layout.sections(from: second - 1, to: second + 1) == 0..<2)
        #expect(layout.sections(from: second, to: third) == 1..<2)
        #expect(layout.sections(from: third + 100, to: third + 200) == 2..<3)
        #expect(layOut([1.5], 729).sections(from: 0, to: 100).isEmpty)
    }

    @Test func `a heading stays in view until the next one pushes it out`() {
        let layout = layOutSections([0..<7, 7..<8, 8..<30])
        let second = layout.headingTops[1]
        #expect(layout.headingTop(of: 0, inViewFrom: -5) == 0)
        #expect(layout.headingTop(of: 0, inViewFrom: 40) == 40)
        #expect(layout.headingTop(of: 0, inViewFrom: second - 32) == second - 32)
        #expect(layout.headingTop(of: 0, inViewFrom: second - 10) == second - 32)
        #expect(layout.headingTop(of: 1, inViewFrom: second - 10) == second)
        #expect(layout.headingTop(of: 2, inViewFrom: 1_000_000) == 1_000_000)
    }

    @Test func `squares have as many columns as wanted, and the same size in short rows`() {
        let layout = JustifiedRows(
            aspectRatios: [3, 0.2, 1, 1, 1, 1, 1, 1], width: 361, rowHeight: 180, gap: 2,
            columns: 3, headings: .init(sections: [0..<7, 7..<8], height: 32, spacing: 12))
        #expect(layout.rows.map(\.photos) == [0..<3, 3..<6, 6..<7, 7..<8])
        #expect(layout.rows.allSatisfy { $0.height == 119 })
        #expect(layout.frames(inRow: 0).map(\.width) == [119, 119, 119])
        #expect(layout.frames(inRow: 1).map(\.x) == [0, 121, 242])
        #expect(layout.frames(inRow: 3).map(\.width) == [119])
        let narrow = JustifiedRows(
            aspectRatios: [1, 1], width: 1, rowHeight: 1, gap: 4, columns: 0)
        #expect(narrow.rows.count == 2)
    }

    private func layOutSections(_ sections: [Range<Int>]) -> JustifiedRows {
        JustifiedRows(
            aspectRatios: Array(repeating: 1.5, count: 30), width: 729, rowHeight: 180, gap: 4,
            headings: .init(sections: sections, height: 32, spacing: 12))
    }

    private func layOut(_ ratios: [Float], _ width: Int) -> JustifiedRows {
        JustifiedRows(aspectRatios: ratios, width: width, rowHeight: 180, gap: 4)
    }
}
