// SPDX-License-Identifier: MIT

import Photos
import Pixels
import Testing

@Suite struct AreaScalerTests {
    @Test func `halving averages four pixels`() {
        let scaled = scale(
            [[10, 20, 30, 40], [30, 40, 50, 60]], to: PixelSize(width: 2, height: 1))
        #expect(scaled == [25, 45])
    }

    @Test func `a pixel on an edge counts partly on both sides`() {
        // Three become two: 1/3 of the middle one goes to each.
        let scaled = scale([[0, 90, 180]], to: PixelSize(width: 2, height: 1))
        #expect(scaled == [30, 150])
    }

    @Test func `scaling to the same size changes nothing`() {
        #expect(scale([[1, 2], [3, 4]], to: PixelSize(width: 2, height: 2)) == [1, 2, 3, 4])
    }

    @Test(arguments: [(97, 31), (1000, 7), (255, 254), (640, 1)])
    func `one colour stays that colour at any size`(from: Int, to: Int) {
        let rows = Array(repeating: [UInt8](repeating: 201, count: from), count: from)
        let scaled = scale(rows, to: PixelSize(width: to, height: to))
        #expect(scaled.allSatisfy { $0 == 201 })
        #expect(scaled.count == to * to)
    }

    @Test func `transparent pixels do not show through`() {
        // A white transparent pixel beside a black opaque one: half covered black, not grey.
        var scaler = AreaScaler(
            from: PixelSize(width: 2, height: 1), to: PixelSize(width: 1, height: 1),
            format: .rgba)
        [255, 255, 255, 0, 0, 0, 0, 255].withUnsafeBufferPointer { scaler.feed($0) }
        #expect(scaler.finish().bytes == [0, 0, 0, 128])
    }

    @Test func `missing rows are black`() {
        var scaler = AreaScaler(
            from: PixelSize(width: 1, height: 2), to: PixelSize(width: 1, height: 2), format: .rgb)
        [9, 9, 9].withUnsafeBufferPointer { scaler.feed($0) }
        #expect(scaler.finish().bytes == [9, 9, 9, 0, 0, 0])
    }

    /// Scales a grey picture.
    private func scale(_ rows: [[UInt8]], to target: PixelSize) -> [UInt8] {
        let source = PixelSize(width: rows[0].count, height: rows.count)
        var scaler = AreaScaler(from: source, to: target, format: .rgb)
        for row in rows {
            row.flatMap { [$0, $0, $0] }.withUnsafeBufferPointer { scaler.feed($0) }
        }
        let bytes = scaler.finish().bytes
        return stride(from: 0, to: bytes.count, by: 3).map { bytes[$0] }
    }
}
