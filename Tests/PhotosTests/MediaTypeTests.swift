// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("image/jpeg", "image/jpeg"), ("IMAGE/PNG", "image/png"),
        ("application/vnd.ms-excel.sheet+x", "application/vnd.ms-excel.sheet+x"),
    ])
    func `a type is read and put in lower case`(text: String, expected: String) {
        #expect(MediaType(text)?.rawValue == expected)
    }

    @Test(arguments: [
        "", "image", "image/", "/png", "image/png/x", "image/ png", "image/*", "image/png;q=1",
        "bild/ä", "image/" + String(repeating: "a", count: 128),
    ])
    func `invalid types are rejected`(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
            (Array("GIF89a".utf8), "image/gif"),
            (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), "image/webp"),
            (Array("RIFF\0\0\0\0AVI LIST".utf8), "video/vnd.avi"),
            ([0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1heic".utf8), "image/heic"),
            ([0, 0, 0, 28] + Array("ftypmif1\0\0\0\0mif1avifmiaf".utf8), "image/avif"),
            ([0, 0, 0, 20] + Array("ftypmif1\0\0\0\0miaf".utf8), "image/heif"),
            ([0, 0, 0, 20] + Array("ftypisom\0\0\u{2}\0mp41".utf8), "video/mp4"),
            ([0, 0, 0, 20] + Array("ftypqt  \0\0\u{2}\0qt  ".utf8), "video/quicktime"),
            ([0, 0, 0, 24] + Array("ftypcrx \0\0\0\u{1}crx isom".utf8), "image/x-canon-cr3"),
            ([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0], "image/tiff"),
            ([0x49, 0x49, 0x2A, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0], "image/x-canon-cr2"),
            (
                Array("<?xml version=\"1.0\"?>\n<!-- a > b -->\n<svg xmlns=\"x\">".utf8),
                "image/svg+xml"
            ),
            (Array("\u{FEFF} <svg:svg>".utf8), "image/svg+xml"),
            ([0x1F, 0x8B, 8, 0, 0, 0], "image/svg+xml-compressed"),
            ([0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84] + Array("webm".utf8), "video/webm"),
            (
                [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x88] + Array("matroska".utf8),
                "video/x-matroska"
            ),
            ([0xFF, 0x0A, 0, 0], "image/jxl"),
            (Array("BM".utf8) + [0, 0, 0, 0], "image/bmp"),
        ] as [([UInt8], String)])
    func `content is recognized by its first bytes`(head: [UInt8], type: String) {
        #expect(MediaType.sniffed(from: head)?.rawValue == type)
    }

    @Test(
        arguments: [
            [], [0xFF], [0xFF, 0xD8], Array("hello".utf8), Array("<html><svg>".utf8),
            Array("<!-- svg".utf8), Array("RIFF".utf8), Array("RIFF\0\0\0\0WAVE".utf8),
            [0, 0, 0, 255] + Array("ftyp".utf8), [255, 255, 255, 255] + Array("ftypxxxx".utf8),
            Array("<svg\0>".utf8), [0x49, 0x49, 0x2A],
        ] as [[UInt8]])
    func `other content is not recognized`(head: [UInt8]) {
        #expect(MediaType.sniffed(from: head) == nil)
    }

    @Test func `the filter for images accepts images and no video`() {
        #expect(MediaFilter.images.accepts(.jpeg))
        #expect(MediaFilter.images.accepts(.heic))
        #expect(!MediaFilter.images.accepts(.mp4))
    }

    @Test func `a filter accepts a type that any of its patterns accepts`() throws {
        let png = try #require(MediaFilter.Pattern("image/PNG"))
        let video = try #require(MediaFilter.Pattern("video/*"))
        let filter = try #require(MediaFilter([png, video]))
        #expect(filter.accepts(.png))
        #expect(filter.accepts(.webm))
        #expect(!filter.accepts(.jpeg))
    }

    @Test(arguments: ["text/plain", "*/*", "image", "audio/*", ""])
    func `only patterns for images and videos are accepted`(text: String) {
        #expect(MediaFilter.Pattern(text) == nil)
    }

    @Test func `a filter has at least one pattern`() {
        #expect(MediaFilter([]) == nil)
    }
}
