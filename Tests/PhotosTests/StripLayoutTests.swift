// SPDX-License-Identifier: MIT

import Photos
import Testing

/// The photos of the sheet, side by side.
@Suite struct StripLayoutTests {
    @Test(
        arguments: [
            (1, 155), (1.5, 233), (2.0 / 3, 103), (5, 775),
            // A picture of one row or one column can be seen and hit.
            (30_000, 1550), (1.0 / 30_000, 40),
            // Nobody knows the size.
            (0, 155), (-1, 155), (.nan, 155), (.infinity, 1550),
        ] as [(Float, Int)])
    func `S1.9 a photo is 155 pixels high, and as wide as its shape wants`(
        ratio: Float, width: Int
    ) {
        #expect(StripLayout.height == 165)
        #expect(StripLayout.photoHeight == 155)
        let layout = StripLayout(aspectRatios: [ratio])
        #expect(layout.range(of: 0) == 5..<5 + width)
        #expect(layout.width == width + 10)
    }

    @Test func `S1.9 there are 5 pixels around the photos and between them`() {
        let layout = StripLayout(aspectRatios: [1, 2, 0.5])
        #expect((0..<3).map { layout.range(of: $0) } == [5..<160, 165..<475, 480..<558])
        #expect(layout.width == 563)
        #expect(StripLayout(aspectRatios: []).width == 10)
    }

    @Test func `the photos in a part of the strip are those that can be seen there`() {
        let layout = StripLayout(aspectRatios: [1, 2, 0.5])
        #expect(layout.photos(from: 0, to: 1000) == 0..<3)
        #expect(layout.photos(from: 0, to: 5) == 0..<0)
        #expect(layout.photos(from: 0, to: 6) == 0..<1)
        #expect(layout.photos(from: 159, to: 165) == 0..<1)
        #expect(layout.photos(from: 160, to: 165) == 1..<1)
        #expect(layout.photos(from: 160, to: 166) == 1..<2)
        #expect(layout.photos(from: 474, to: 481) == 1..<3)
        #expect(layout.photos(from: 558, to: .max) == 3..<3)
        #expect(layout.photos(from: -500, to: -5).isEmpty)
        #expect(StripLayout(aspectRatios: []).photos(from: 0, to: 100).isEmpty)
    }
}
