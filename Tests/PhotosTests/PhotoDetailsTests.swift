// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct PhotoDetailsTests {
    @Test func `what is too long is left out, and nothing else`() {
        let long = String(repeating: "x", count: PhotoDetails.longestLine)
        let details = PhotoDetails(
            title: long, caption: String(repeating: "y", count: PhotoDetails.longestCaption),
            camera: long + "x", lens: "A lens", hasPlace: true)
        #expect(!details.isBounded)
        let bounded = details.bounded
        #expect(bounded.isBounded)
        #expect(bounded.title == long)
        #expect(bounded.caption?.count == PhotoDetails.longestCaption)
        #expect(bounded.camera == nil)
        #expect(bounded.lens == "A lens")
        #expect(bounded.hasPlace)
    }

    @Test func `keywords are limited, and each is there once`() {
        let many = PhotoDetails(keywords: (0..<100).map { "\($0)" }).bounded.keywords
        #expect(many == (0..<PhotoDetails.mostKeywords).map { "\($0)" })
        let large = PhotoDetails(
            keywords: (0..<60).map { "\($0)" + String(repeating: "x", count: 300) })
        #expect(large.bounded.keywords.count == 27)
        #expect(PhotoDetails(keywords: ["a", " a ", "", "b"]).bounded.keywords == ["a", "b"])
    }

    @Test func `control characters and line breaks go`() {
        let details = PhotoDetails(
            title: "one\ntwo\u{1B}[2J", caption: " a\r\nb\u{7} ", keywords: ["\u{0}x\u{85}"],
            rating: 6)
        #expect(
            details.bounded
                == PhotoDetails(title: "one two[2J", caption: "a\n\nb", keywords: ["x"]))
        #expect(PhotoDetails(title: " \n\t").bounded.isEmpty)
    }

    @Test func `a sidecar file counts more, but for the camera`() {
        let photo = PhotoDetails(
            title: "a", caption: "b", keywords: ["c"], rating: 1, camera: "d")
        #expect(photo.overlaid(by: PhotoDetails()) == photo)
        let sidecar = PhotoDetails(
            title: "A", keywords: ["C"], rating: 5, camera: "D", lens: "E", hasPlace: true)
        #expect(
            photo.overlaid(by: sidecar)
                == PhotoDetails(
                    title: "A", caption: "b", keywords: ["C"], rating: 5, camera: "d", lens: "E",
                    hasPlace: true))
    }
}
