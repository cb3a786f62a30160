// SPDX-License-Identifier: MIT

import Photos
import Testing

@testable import Pixels

/// Uncompressed pixels, for formats that need no library.
@Suite struct SampleRowsTests {
    private func rows(
        _ bytes: [UInt8], _ channels: SampleRows.Layout.Channels, _ maximum: Int, width: Int
    ) throws -> [[UInt8]] {
        let layout = SampleRows.Layout(channels: channels, maximum: maximum)
        let size = PixelSize(width: width, height: 2)
        var rows = try SampleRows(Block(bytes[...]), size: size, layout)
        var result: [[UInt8]] = []
        var row = [UInt8](repeating: 0, count: width * 3)
        while try row.withUnsafeMutableBufferPointer({ row in
            try row.baseAddress.map { try rows.read(into: $0) } ?? false
        }) { result.append(row) }
        return result
    }

    @Test func `grey and colour samples of one and two bytes are converted`() throws {
        #expect(
            try rows([0, 255, 128, 1], .grey, 255, width: 2)
                == [[0, 0, 0, 255, 255, 255], [128, 128, 128, 1, 1, 1]])
        #expect(try rows([1, 2, 3, 4, 5, 6], .rgb, 255, width: 1) == [[1, 2, 3], [4, 5, 6]])
        #expect(
            try rows([0, 0, 0xFF, 0xFF], .grey, 65_535, width: 1) == [[0, 0, 0], [255, 255, 255]])
        #expect(
            try rows([0, 0, 1, 0, 3, 0xFF, 3, 0xFF, 0, 0, 9, 9], .rgb, 1023, width: 1)
                == [[0, 64, 255], [255, 0, 255]])
    }

    @Test func `a truncated file gives the rows that exist`() {
        #expect(throws: PixelError.damaged) { try rows([1, 2, 3], .rgb, 255, width: 2) }
    }

    @Test(arguments: [0, -1, 65_536])
    func `an invalid value of white is an error`(maximum: Int) {
        #expect(throws: PixelError.damaged) { try rows([1, 2], .grey, maximum, width: 1) }
    }

    @Test func `a picture beyond the limits is refused before it is read`() {
        let size = PixelSize(width: 65_536, height: 1)
        let layout = SampleRows.Layout(channels: .grey, maximum: 255)
        #expect(throws: PixelError.tooLarge) {
            _ = try SampleRows(Block([0][...]), size: size, layout)
        }
    }
}
