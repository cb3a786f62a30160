// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct GridStyleTests {
    @Test(arguments: [(-3, 0), (0, 0), (2, 2), (4, 4), (99, 4), (Int.max, 4), (Int.min, 0)])
    func `a size that does not exist becomes the nearest one`(step: Int, found: Int) {
        #expect(GridStyle(step: step).step == found)
    }

    @Test func `zooming ends at the smallest and at the largest size`() {
        #expect(GridStyle().zoomed(by: 1).step == 3)
        #expect(GridStyle().zoomed(by: .max).step == 4)
        #expect(GridStyle().zoomed(by: .min).step == 0)
        #expect(GridStyle(step: 1, isSquare: true).zoomed(by: 1).isSquare == true)
    }

    @Test func `headings stand for longer times where photos are small`() {
        #expect((0...4).map { GridStyle(step: $0).dateUnit } == [.year, .month, .day, .day, .day])
    }

    @Test(arguments: [352, 736, 2400])
    func `each step is larger than the one before`(width: Int) {
        let heights = GridStyle.steps.map { GridStyle(step: $0).rowHeight(inWidth: width) }
        #expect(heights == heights.sorted() && Set(heights).count == 5)
        #expect(heights[2] == JustifiedRows.usualHeight(inWidth: width))
        let columns = GridStyle.steps.map {
            GridStyle(step: $0, isSquare: true).columns(inWidth: width) ?? 0
        }
        #expect(columns == columns.sorted().reversed() && Set(columns).count == 5)
    }

    @Test func `a narrow grid has three columns of squares, unless the person decides otherwise`() {
        #expect(GridStyle().columns(inWidth: 352) == 3)
        #expect(GridStyle().gap(inWidth: 352) == 2)
        #expect(GridStyle(isSquare: false).columns(inWidth: 352) == nil)
        #expect(GridStyle().columns(inWidth: 736) == nil)
        #expect(GridStyle(isSquare: true).columns(inWidth: 736) == 4)
        #expect(GridStyle().gap(inWidth: 736) == 4)
    }
}
