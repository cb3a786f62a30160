// SPDX-License-Identifier: MIT

import Files
import Photos
import Pixels
import SystemPackage
import TestSupport
import Testing

/// The picture of six blocks that `scripts/make-fixtures` draws in every format.
enum LabelledPicture {
    static let size = PixelSize(width: 48, height: 32)

    /// The centres of the blocks, and their colours.
    static let blocks: [(x: Int, y: Int, colour: [Int])] = [
        (8, 8, [230, 30, 30]), (24, 8, [30, 200, 30]), (40, 8, [30, 30, 230]),
        (8, 24, [230, 230, 30]), (24, 24, [230, 30, 230]), (40, 24, [30, 230, 230]),
    ]

    /// Decodes a fixture and compares its colours, or the red channel of a grey picture.
    ///
    /// - Parameter tolerance: The largest difference between two values.
    @discardableResult
    static func expect(
        _ name: String, isGrey: Bool = false, tolerance: Int = 2,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Bitmap {
        let (bitmap, facts) = try PictureFile.decode(try Fixtures.open(name), fitting: 256)
        #expect(facts.size == size, sourceLocation: sourceLocation)
        #expect(bitmap.size == size, sourceLocation: sourceLocation)
        for (x, y, colour) in blocks {
            let expected = isGrey ? [colour[0], colour[0], colour[0]] : colour
            for (found, expected) in zip(bitmap.pixel(x, y), expected) {
                #expect(
                    abs(Int(found) - expected) <= tolerance, "\(name) at \(x), \(y)",
                    sourceLocation: sourceLocation)
            }
        }
        return bitmap
    }

    /// The names of the fixtures in a folder.
    static func names(in folder: String) -> [String] {
        TestSupport.names(in: Fixtures.path(folder)).map { "\(folder)/\($0.string)" }.sorted()
    }
}

extension Bitmap {
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let start = y * stride + x * format.bytesPerPixel
        return Array(bytes[start..<start + format.bytesPerPixel])
    }
}
