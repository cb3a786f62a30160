// SPDX-License-Identifier: MIT

import CCodecs
import TestSupport
import Testing

/// A JPEG that was turned without being decoded is compared with what it must be, block by block.
@Suite struct BlockMeansTests {
    /// Baseline and progressive, grey and coloured, with colour at full and half resolution.
    private static let files = [
        "jpeg/baseline.jpg", "jpeg/grey.jpg", "jpeg/progressive.jpg", "orientation/1.jpg",
        "colour/profile-of-cmyk.jpg", "formats/blocks.jpg",
    ]

    @Test(arguments: files, 1...8)
    func `a turned picture has its blocks, and no others`(name: String, orientation: UInt32) throws
    {
        let file = try Fixtures.bytes(name)
        var (output, means) = (pp_output(), pp_block_means())
        defer {
            pp_output_free(&output)
            pp_block_means_free(&means)
        }
        var clip = pp_clip(x: 0, y: 0, width: 16, height: 16)
        try #require(
            pp_jpeg_turn(file, file.count, orientation, &clip, &output, &means) == PP_OK)
        let bytes = Array(UnsafeBufferPointer(start: output.bytes, count: output.count))
        #expect(pp_jpeg_check_means(bytes, bytes.count, &means) == PP_OK)
        // The original has another size; the half of the file has not all blocks.
        #expect(pp_jpeg_check_means(file, file.count, &means) == PP_DAMAGED)
        #expect(pp_jpeg_check_means(bytes, bytes.count / 2, &means) == PP_DAMAGED)
        #expect(means.component_count > 0)
        let first = means.components.0
        let last = Int(first.width * first.height) - 1
        for place in [0, last] {
            first.values?[place] ^= 1
            #expect(pp_jpeg_check_means(bytes, bytes.count, &means) == PP_DAMAGED)
            first.values?[place] ^= 1
        }
        #expect(pp_jpeg_check_means(bytes, bytes.count, &means) == PP_OK)
    }
}
