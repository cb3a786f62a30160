// SPDX-License-Identifier: MIT

import Photos

@testable import Pixels

extension Bitmap {
    /// The pixels turned to the right, one quarter at a time.
    func turned(_ quarters: Int) -> Bitmap {
        (0..<quarters).reduce(self) { bitmap, _ in
            let (size, pixel) = (bitmap.size, bitmap.format.bytesPerPixel)
            var bytes: [UInt8] = []
            for y in 0..<size.width {
                for x in 0..<size.height {
                    let place = ((size.height - 1 - x) * size.width + y) * pixel
                    bytes += bitmap.bytes[place..<place + pixel]
                }
            }
            return Bitmap(size: size.transposed, format: bitmap.format, bytes: bytes)
        }
    }
}
