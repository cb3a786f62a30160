// SPDX-License-Identifier: MIT

import Photos
import Pixels
import Testing

@Suite struct EnlargingTests {
    @Test func `pixels are interpolated, and constant beyond the edge`() {
        let bitmap = Bitmap(
            size: PixelSize(width: 2, height: 1), format: .rgb, bytes: [0, 100, 7, 200, 0, 7])
        let large = bitmap.enlarged(to: PixelSize(width: 4, height: 2))
        let row: [UInt8] = [0, 100, 7, 50, 75, 7, 150, 25, 7, 200, 0, 7]
        #expect(large.size == PixelSize(width: 4, height: 2))
        #expect(large.bytes == row + row)
    }

    @Test func `transparent pixels do not affect the colour`() {
        let bitmap = Bitmap(
            size: PixelSize(width: 1, height: 2), format: .rgba,
            bytes: [200, 10, 0, 255, 0, 255, 255, 0])
        let large = bitmap.enlarged(to: PixelSize(width: 1, height: 4))
        #expect(
            large.bytes == [
                200, 10, 0, 255, 200, 10, 0, 191, 200, 10, 0, 64, 0, 0, 0, 0,
            ])
    }

    @Test func `a side that would become shorter is unchanged`() {
        let bitmap = Bitmap(
            size: PixelSize(width: 2, height: 1), format: .rgb, bytes: [1, 2, 3, 4, 5, 6])
        #expect(bitmap.enlarged(to: PixelSize(width: 1, height: 1)).bytes == bitmap.bytes)
        #expect(
            bitmap.enlarged(to: PixelSize(width: 1, height: 2)).bytes
                == bitmap.bytes + bitmap.bytes)
    }
}
