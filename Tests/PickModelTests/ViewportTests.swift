// SPDX-License-Identifier: MIT

import Photos
import PickModel
import Testing

/// Where the preview shows a picture.
@Suite struct ViewportTests {
    private func viewport(
        _ width: Int, _ height: Int, density: Double = 1
    ) -> Viewport {
        var viewport = Viewport(of: PixelSize(width: width, height: height))
        viewport.resize(width: 800, height: 600, density: density)
        return viewport
    }

    @Test func `a large picture fits into the view, in the middle`() {
        let frame = viewport(4000, 2000).frame
        #expect(frame.x == 0 && frame.y == 100)
        #expect(frame.width == 800 && frame.height == 400)
    }

    @Test func `a small picture is not enlarged`() {
        let frame = viewport(16, 16).frame
        #expect(frame.width == 16 && frame.x == 392)
        // On a screen of twice the density a pixel is half as large.
        #expect(viewport(16, 16, density: 2).frame.width == 8)
    }

    @Test func `a zoom keeps what is under the pointer`() {
        var viewport = viewport(4000, 3000)
        let point = Viewport.Point(x: 200, y: 150)
        let before = viewport.point(at: point)
        for _ in 0..<4 { viewport.zoom(by: Viewport.step, at: point) }
        let after = viewport.point(at: point)
        #expect(abs(before.x - after.x) < 0.001 && abs(before.y - after.y) < 0.001)
        #expect(!viewport.isFitting)
    }

    @Test func `a double click shows pixel for pixel, and the next one the whole picture`() {
        var viewport = viewport(4000, 3000)
        viewport.toggle(at: Viewport.Point(x: 400, y: 300))
        #expect(viewport.scale == 1)
        #expect(viewport.shownSide == 4000)
        viewport.toggle()
        #expect(viewport.isFitting)
        #expect(viewport.shownSide == 800)
    }

    @Test func `a key shows pixel for pixel from any zoom`() {
        var viewport = viewport(4000, 3000, density: 2)
        viewport.zoom(by: 10)
        viewport.showPixels()
        #expect(viewport.scale == 0.5)
    }

    @Test func `a picture in a view that it fills is enlarged`() {
        var viewport = Viewport(of: PixelSize(width: 300, height: 300), enlarges: true)
        viewport.resize(width: 800, height: 600, density: 1)
        #expect(viewport.frame.width == 600 && viewport.frame.x == 100)
    }

    @Test func `a zoom ends at eight pixels of the screen, and at the whole picture`() {
        var viewport = viewport(4000, 3000, density: 2)
        for _ in 0..<100 { viewport.zoom(by: Viewport.step) }
        #expect(viewport.scale == 4)
        for _ in 0..<100 { viewport.zoom(by: 1 / Viewport.step) }
        #expect(viewport.isFitting)
    }

    @Test func `a zoomed picture cannot be moved out of the view`() {
        var viewport = viewport(4000, 3000)
        viewport.toggle()
        viewport.move(x: 1_000_000, y: -1_000_000)
        #expect(viewport.frame.x == 0)
        #expect(viewport.frame.y == 600 - 3000)
        // The other way it goes at once.
        viewport.move(x: -10, y: 10)
        #expect(viewport.frame.x == -10)
        #expect(viewport.frame.y == 610 - 3000)
    }

    @Test func `a panorama of one row remains visible`() {
        var viewport = viewport(30_000, 1)
        #expect(viewport.frame.height == 1 && viewport.frame.width == 800)
        viewport.toggle(at: Viewport.Point(x: 0, y: 300))
        #expect(viewport.frame.width == 30_000 && viewport.frame.x == 0)
    }

    @Test func `a size that becomes known later changes nothing on the screen`() {
        var viewport = viewport(400, 300)
        viewport.resize(width: 100, height: 75, density: 1)
        viewport.zoom(by: 2, at: Viewport.Point(x: 10, y: 10))
        let before = viewport.frame
        viewport.setPicture(PixelSize(width: 4000, height: 3000))
        #expect(abs(viewport.frame.x - before.x) < 0.001)
        #expect(abs(viewport.frame.width - before.width) < 0.001)
    }
}
