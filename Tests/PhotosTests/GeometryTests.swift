// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct GeometryTests {
    /// The picture ABC/DEF, stored in each orientation with the EXIF value that turns it upright.
    @Test(
        arguments: [
            (1, ["ABC", "DEF"]), (2, ["CBA", "FED"]), (3, ["FED", "CBA"]), (4, ["DEF", "ABC"]),
            (5, ["AD", "BE", "CF"]), (6, ["CF", "BE", "AD"]), (7, ["FC", "EB", "DA"]),
            (8, ["DA", "EB", "FC"]),
        ] as [(UInt8, [String])])
    func `each orientation is turned upright`(tag: UInt8, rows: [String]) throws {
        let orientation = try #require(Orientation(rawValue: tag))
        let stored = rows.map(Array.init)
        let size = PixelSize(width: stored[0].count, height: stored.count)
        let upright = orientation.applied(to: size)
        #expect(upright == PixelSize(width: 3, height: 2))
        let picture = (0..<upright.height).map { y in
            String(
                (0..<upright.width).map { x in
                    let position = orientation.storedPosition(x: x, y: y, in: size)
                    return stored[position.y][position.x]
                })
        }
        #expect(picture == ["ABC", "DEF"])
    }

    @Test(arguments: [
        (4000, 3000, 256, 256, 192), (3000, 4000, 256, 192, 256), (100, 50, 256, 100, 50),
        (256, 256, 256, 256, 256), (10_000, 10, 256, 256, 1), (1, 100_000, 128, 1, 128),
        (257, 256, 256, 256, 255),
    ])
    func `a size is reduced to fit a square`(
        width: Int, height: Int, side: Int, fittedWidth: Int, fittedHeight: Int
    ) {
        let fitted = PixelSize(width: width, height: height).fitted(in: side)
        #expect(fitted == PixelSize(width: fittedWidth, height: fittedHeight))
    }

    @Test func `huge sizes do not overflow`() {
        #expect(PixelSize(width: .max, height: .max).pixelCount == nil)
        #expect(!PixelLimits.allow(PixelSize(width: .max, height: .max)))
        #expect(!PixelLimits.allow(PixelSize(width: 65_536, height: 65_536)))
        #expect(!PixelLimits.allow(PixelSize(width: 0, height: 100)))
        #expect(PixelLimits.allow(PixelSize(width: 20_000, height: 14_000)))
    }

    @Test(arguments: [
        (1, ThumbnailSize.normal), (128, .normal), (129, .large), (257, .xLarge),
        (1024, .xxLarge), (5000, .xxLarge),
    ])
    func `the smallest sufficient thumbnail size is used`(pixels: Int, size: ThumbnailSize) {
        #expect(ThumbnailSize.covering(pixels) == size)
    }
}
