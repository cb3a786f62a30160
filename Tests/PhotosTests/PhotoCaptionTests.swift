// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct PhotoCaptionTests {
    @Test(arguments: [
        (0, "0:01"), (400, "0:01"), (12_499, "0:12"), (12_500, "0:13"), (59_999, "1:00"),
        (61_000, "1:01"), (3_599_000, "59:59"), (3_723_000, "1:02:03"), (36_000_000, "10:00:00"),
    ])
    func `a video says how long it is`(milliseconds: Int, text: String) {
        #expect(PhotoCaption(mediaType: .mp4, milliseconds: milliseconds).kindText == text)
    }

    @Test func `only pictures of special kinds say so`() {
        #expect(PhotoCaption(mediaType: .mp4).kindText == "")
        #expect(PhotoCaption(mediaType: .jpeg).kindText == nil)
        #expect(PhotoCaption(mediaType: .gif).kindText == nil)
        #expect(PhotoCaption(mediaType: .gif, isAnimated: true).kindText == "GIF")
        #expect(PhotoCaption(mediaType: .webp, isAnimated: true).kindText == "WEBP")
        #expect(PhotoCaption(mediaType: .adobeDNG).kindText == "RAW")
        #expect(PhotoCaption(mediaType: .jpeg, hasRaw: true).kindText == "RAW + JPEG")
        #expect(PhotoCaption(mediaType: .heic, hasRaw: true).kindText == "RAW + HEIC")
        #expect(PhotoCaption(mediaType: .heic, isLive: true).kindText == "LIVE")
        #expect(PhotoCaption(mediaType: .heic, frames: 12).kindText == "BURST 12")
        #expect(
            PhotoCaption(mediaType: .jpeg, hasRaw: true, isLive: true, frames: 2).kindText
                == "BURST 2 · LIVE · RAW + JPEG")
        #expect(
            PhotoCaption(mediaType: .jpeg, hasRaw: true, isLive: true).kindText
                == "LIVE · RAW + JPEG")
    }
}
