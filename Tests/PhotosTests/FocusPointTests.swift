// SPDX-License-Identifier: MIT

import Photos
import Testing

/// Where the sensor sees what a person has touched.
@Suite struct FocusPointTests {
    private static let sensor = PixelSize(width: 1920, height: 1080)

    @Test(arguments: [(0.0, 0.0), (1080, 1920), (540, 960), (270, 480), (1080, 0)])
    func `S5.17 in a portrait view the point is y over height and one less x over width`(
        x: Double, y: Double
    ) {
        let point = FocusPoint(
            x: x, y: y, inViewOf: 1080, by: 1920, filledWith: Self.sensor, .turnedRight)
        #expect(abs(point.x - y / 1920) < 1e-9)
        #expect(abs(point.y - (1 - x / 1080)) < 1e-9)
    }

    @Test(arguments: Orientation.allCases)
    func `a touched pixel is the one that the view shows there`(orientation: Orientation) {
        let upright = orientation.applied(to: Self.sensor)
        for (x, y) in [(0, 0), (100, 900), (upright.width - 1, 7), (3, upright.height - 1)] {
            let point = FocusPoint(
                x: Double(x) + 0.5, y: Double(y) + 0.5, inViewOf: Double(upright.width),
                by: Double(upright.height), filledWith: Self.sensor, orientation)
            let stored = orientation.storedPosition(x: x, y: y, in: Self.sensor)
            #expect(abs(point.x * 1920 - Double(stored.x) - 0.5) < 1e-6)
            #expect(abs(point.y * 1080 - Double(stored.y) - 0.5) < 1e-6)
        }
    }

    @Test func `what the view cuts off counts`() {
        // A square shows the middle 1080 of 1920 columns, at half size.
        let left = FocusPoint(
            x: 0, y: 0, inViewOf: 540, by: 540, filledWith: Self.sensor, .upright)
        #expect(abs(left.x - 420.0 / 1920) < 1e-9)
        #expect(left.y == 0)
        let mirrored = FocusPoint(
            x: 0, y: 0, inViewOf: 540, by: 540, filledWith: Self.sensor, .mirrored)
        #expect(abs(mirrored.x - 1500.0 / 1920) < 1e-9)
        // A wide view shows the middle rows.
        let top = FocusPoint(
            x: 960, y: 0, inViewOf: 1920, by: 540, filledWith: Self.sensor, .upright)
        #expect(top == FocusPoint(x: 0.5, y: 0.25))
    }

    @Test func `points are inside, and the middle is the default`() {
        let outside = FocusPoint(
            x: -50, y: 5000, inViewOf: 1920, by: 1080, filledWith: Self.sensor, .upright)
        #expect(outside == FocusPoint(x: 0, y: 1))
        for width in [0, -1, Double.nan, .infinity] {
            let point = FocusPoint(
                x: 1, y: 1, inViewOf: width, by: 10, filledWith: Self.sensor, .upright)
            #expect(point == .middle)
        }
        let nothing = FocusPoint(
            x: 1, y: 1, inViewOf: 10, by: 10, filledWith: PixelSize(width: 0, height: 5), .upright)
        #expect(nothing == .middle)
        #expect(FocusPoint(x: .nan, y: .infinity) == FocusPoint(x: 0.5, y: 1))
    }
}
