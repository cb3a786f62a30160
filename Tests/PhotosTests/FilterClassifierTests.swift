// SPDX-License-Identifier: MIT

import Testing

@testable import Photos

/// Requests that real programs make to a file dialog.
///
/// The filters of GTK, Qt and libportal were recorded from their programs behind xdg-desktop-portal
/// 1.16; those of Firefox and Chromium follow from their sources.
@Suite struct FilterClassifierTests {
    /// A request, and the types that the dialog shows for it; nil if a file dialog is needed.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let filters: [FileFilter]
        var current: Int?
        let shows: [MediaType]?
    }

    static let cases: [Case] = [
        Case(
            testDescription: "Firefox, accept=image/*",
            filters: [.everything, .firefoxImages], current: 1,
            shows: [
                .jpeg, .gif, .png, .bmp, .icon, .svg, .compressedSVG, .tiff, .photoshop, .webp,
                .heic, .heif,
            ]),
        Case(
            testDescription: "Firefox, accept=video/*",
            filters: [.everything, .firefoxVideos], current: 1,
            shows: [.avi, .mp4, .quickTime, .matroska, .mpeg, .webm]),
        Case(
            testDescription: "Firefox, accept=image/*,video/*: all supported types are chosen",
            filters: [
                .everything,
                FileFilter(
                    name: "All Supported Types",
                    rules: FileFilter.firefoxImages.rules + FileFilter.firefoxVideos.rules),
                .firefoxImages, .firefoxVideos,
            ], current: 1,
            shows: [
                .jpeg, .gif, .png, .bmp, .icon, .svg, .compressedSVG, .tiff, .photoshop, .webp,
                .heic, .heif,
                .avi, .mp4, .quickTime, .matroska, .mpeg, .webm,
            ]),
        Case(
            testDescription: "Firefox, a type that it does not know: all files are chosen",
            filters: [.everything, .firefoxImages], current: 0, shows: nil),
        Case(testDescription: "Firefox, no accept", filters: [.everything], current: 0, shows: nil),
        Case(
            testDescription: "Chromium, accept=image/*",
            filters: [
                FileFilter(
                    name: "Image Files",
                    rules: [
                        "avif", "gif", "jpeg", "jpg", "png", "apng", "svg", "svgz", "webp",
                        "ico", "bmp", "jfif", "pjpeg", "pjp", "tiff", "tif", "xbm",
                    ].map { .glob($0.bracketed) }),
                FileFilter(name: "All Files", rules: [.glob("*.*")]),
            ], current: 0,
            shows: [.avif, .gif, .jpeg, .png, .svg, .compressedSVG, .webp, .icon, .bmp, .tiff]),
        Case(
            testDescription: "Chromium, accept=.jpg without all files",
            filters: [FileFilter(name: "*.jpg", rules: [.glob("*.[jJ][pP][gG]")])], current: 0,
            shows: [.jpeg]),
        Case(
            testDescription: "Chromium, accept=image/*,.pdf",
            filters: [
                FileFilter(
                    name: "Custom Files",
                    rules: ["gif", "jpg", "png", "pdf"].map { .glob($0.bracketed) }),
                FileFilter(name: "All Files", rules: [.glob("*.*")]),
            ], current: 0, shows: nil),
        Case(
            testDescription: "GTK, pixbuf formats",
            filters: [.gtkPixbufs, .everything],
            shows: [
                .png, .jpeg, .bmp, .gif, .icon, .netpbm, .svg, .compressedSVG, .targa, .tiff, .webp,
            ]),
        Case(
            testDescription: "GTK, image/*",
            filters: [FileFilter(name: "Pictures", rules: [.mediaType("image/*")]), .everything],
            shows: MediaFilter.images.recognizedTypes),
        Case(
            testDescription: "GTK 4, suffixes",
            filters: [
                FileFilter(
                    name: "Pictures",
                    rules: [
                        .glob("*.[jJ][pP][gG]"), .glob("*.[jJ][pP][eE][gG]"),
                        .glob("*.[pP][nN][gG]"),
                    ]), .everything,
            ], shows: [.jpeg, .png]),
        Case(
            testDescription: "Qt, types: one filter each, one chosen",
            filters: [
                FileFilter(name: "JPEG image", rules: [.mediaType("image/jpeg")]),
                FileFilter(name: "PNG image", rules: [.mediaType("image/png")]),
            ], current: 0, shows: [.jpeg]),
        Case(
            testDescription: "Qt, types: one filter each, none chosen",
            filters: [
                FileFilter(name: "JPEG image", rules: [.mediaType("image/jpeg")]),
                FileFilter(name: "PNG image", rules: [.mediaType("image/png")]),
            ], shows: [.jpeg, .png]),
        Case(
            testDescription: "Qt, names",
            filters: [
                FileFilter(
                    name: "Images ", rules: [.glob("*.png"), .glob("*.xpm"), .glob("*.jpg")]),
                FileFilter(name: "All files ", rules: [.glob("*")]),
            ], shows: [.png, .jpeg]),
        Case(
            testDescription: "Qt, names of a document among those of pictures",
            filters: [
                FileFilter(name: "Images ", rules: [.glob("*.png")]),
                FileFilter(name: "Text ", rules: [.glob("*.txt")]),
            ], shows: nil),
        Case(
            testDescription: "a picture is chosen where documents are offered, too",
            filters: [
                FileFilter(name: "Text", rules: [.glob("*.txt")]),
                FileFilter(name: "Images", rules: [.glob("*.png")]),
            ], current: 1, shows: [.png]),
        Case(
            testDescription: "libportal, the filter is not among others",
            filters: [FileFilter(name: "Pictures", rules: [.mediaType("image/*")])], current: 0,
            shows: MediaFilter.images.recognizedTypes),
        Case(
            testDescription: "pictures and a text in one filter",
            filters: [
                FileFilter(name: "a", rules: [.mediaType("image/*"), .mediaType("text/plain")])
            ], shows: nil),
        Case(
            testDescription: "a picture beside a rule for everything",
            filters: [FileFilter(name: "a", rules: [.glob("*.png"), .glob("*")])], shows: nil),
        Case(
            testDescription: "nothing but companions of pictures",
            filters: [FileFilter(name: "a", rules: [.glob("*.ai")])], shows: nil),
        Case(
            testDescription: "pictures that the library does not know",
            filters: [FileFilter(name: "a", rules: [.glob("*.xcf")])], shows: nil),
        Case(
            testDescription: "an extension that nobody knows",
            filters: [FileFilter(name: "a", rules: [.glob("*.png"), .glob("*.qqq")])], shows: nil),
        Case(
            testDescription: "upper case, and types with other names",
            filters: [
                FileFilter(
                    name: "a",
                    rules: [.glob("*.PNG"), .mediaType("image/JPG"), .mediaType("video/x-msvideo")])
            ], shows: [.png, .jpeg, .avi]),
        Case(testDescription: "no filters", filters: [], shows: nil),
        Case(
            testDescription: "a filter without rules",
            filters: [FileFilter(name: "a", rules: [])], shows: nil),
        Case(
            testDescription: "empty rules",
            filters: [FileFilter(name: "a", rules: [.glob(""), .mediaType("")])], shows: nil),
        Case(
            testDescription: "*/* and octets are everything",
            filters: [
                FileFilter(name: "a", rules: [.mediaType("*/*")]),
                FileFilter(name: "b", rules: [.mediaType("application/octet-stream")]),
                FileFilter(name: "c", rules: [.mediaType("image/png")]),
            ], shows: [.png]),
        Case(
            testDescription: "a thousand filters",
            filters: (0..<1000).map {
                FileFilter(
                    name: "\($0)",
                    rules: [.glob("*.png"), .glob("*.jpg")])
            }, shows: [.png, .jpeg]),
        Case(
            testDescription:
                "an editor's own pictures, which the library does not know, beside PNG",
            filters: [FileFilter(name: "a", rules: [.glob("*.xcf"), .glob("*.png")])],
            shows: nil),
        Case(
            testDescription: "the same filter, selected",
            filters: [
                FileFilter(name: "a", rules: [.glob("*.xcf"), .glob("*.png")]), .everything,
            ], current: 0, shows: nil),
        Case(
            testDescription: "more rules than anybody reads",
            filters: [FileFilter(name: "a", rules: Array(repeating: .glob("*.png"), count: 5000))],
            shows: nil),
    ]

    @Test(arguments: cases) func `the photo dialog shows the accepted types`(testCase: Case) {
        let pictures = Self.classifier.pictures(
            testCase.filters, current: testCase.current.map { testCase.filters[$0] })
        #expect(
            pictures.map { Set($0.mediaTypes.recognizedTypes) } == testCase.shows.map { Set($0) })
    }

    @Test func `the app's choice is found among the filters for pictures`() throws {
        let filters: [FileFilter] = [.everything, .firefoxVideos, .firefoxImages]
        let pictures = try #require(
            Self.classifier.pictures(filters, current: .firefoxImages))
        #expect(pictures.all.map(\.filter) == [.firefoxVideos, .firefoxImages])
        #expect(pictures.current == 1)
    }

    @Test func `a selected filter that is not offered needs a file dialog`() {
        let pictures = Self.classifier.pictures([.firefoxVideos], current: .firefoxImages)
        #expect(pictures == nil)
    }

    @Test func `a selected filter is enough without a list of filters`() {
        #expect(Self.classifier.pictures([], current: .firefoxImages)?.current == 0)
    }

    @Test(
        arguments: [
            ("*.jpg", "jpg"), ("*.[jJ][pP][gG]", "jpg"), ("*.[jJ][pP]2", "jp2"),
            ("*.[Jj]P[gG]", "jpg"),
            ("*.tar.gz", "tar.gz"), ("*.[7]z", "7z"), ("*.[jp]g", nil), ("*.[0-9]", nil),
            ("*.jp?", nil), ("*.jp*", nil), ("IMG_*.jpg", nil), ("*.", nil), ("*.[", nil),
            ("*.[]", nil), ("*.]", nil), ("*.a/b", nil), ("*.[!j]pg", nil), ("*jpg", nil),
            ("", nil),
            ("*.[ıI]", nil),
        ] as [(String, String?)])
    func `extensions of globs`(glob: String, suffix: String?) {
        #expect(FilterClassifier.suffix(of: glob) == suffix)
    }

    @Test(
        arguments: [
            ("_Insert", "Insert"), ("In_sert", "Insert"), ("Save __all", "Save _all"),
            ("Send", "Send"),
            ("_", nil), ("", nil), ("___x", "_x"), ("x_", "x"),
        ] as [(String, String?)])
    func `labels without their mnemonic`(label: String, text: String?) {
        #expect(label.withoutMnemonic == text)
    }

    /// A part of shared-mime-info, with its names for types.
    private static let classifier = FilterClassifier { suffix in
        [
            "jpg": "image/jpeg", "jpeg": "image/jpeg", "jpe": "image/jpeg", "png": "image/png",
            "gif": "image/gif", "bmp": "image/bmp", "ico": "image/vnd.microsoft.icon",
            "svg": "image/svg+xml", "svgz": "image/svg+xml-compressed", "tif": "image/tiff",
            "tiff": "image/tiff", "pct": "image/x-pict", "xcf": "image/x-xcf",
            "psd": "image/vnd.adobe.photoshop", "webp": "image/webp", "heic": "image/heif",
            "heif": "image/heif", "xbm": "image/x-xbitmap", "xpm": "image/x-xpixmap",
            "avif": "image/avif", "ai": "application/illustrator", "pdf": "application/pdf",
            "txt": "text/plain", "avi": "video/x-msvideo", "divx": "video/x-msvideo",
            "flv": "video/x-flv", "m4v": "video/mp4", "mkv": "video/x-matroska",
            "mov": "video/quicktime", "mp4": "video/mp4", "mpeg": "video/mpeg",
            "mpg": "video/mpeg", "ogm": "video/x-ogm+ogg", "ogv": "video/ogg",
            "webm": "video/webm", "wmv": "video/x-ms-wmv",
        ][suffix].flatMap { MediaType($0) }
    }
}

extension String {
    /// Turns `jpg` into `*.[jJ][pP][gG]`.
    fileprivate var bracketed: String {
        "*." + map { $0.isLetter ? "[\($0.lowercased())\($0.uppercased())]" : "\($0)" }.joined()
    }
}

extension FileFilter {
    fileprivate static let everything = FileFilter(name: "All files", rules: [.glob("*")])

    fileprivate static let firefoxImages = FileFilter(
        name: "Image Files",
        rules: [
            "jpe", "jpg", "jpeg", "gif", "png", "bmp", "ico", "svg", "svgz", "tif", "tiff", "ai",
            "drw", "pct", "psp", "xcf", "psd", "raw", "webp", "heic",
        ].map { .glob($0.bracketed) })

    fileprivate static let firefoxVideos = FileFilter(
        name: "Video Files",
        rules: [
            "avi", "divx", "flv", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "ogm", "ogv", "ogx",
            "rm", "rmvb", "smil", "webm", "wmv", "xvid",
        ].map { .glob($0.bracketed) })

    fileprivate static let gtkPixbufs = FileFilter(
        name: "Pictures",
        rules: [
            "image/png", "image/jpeg", "application/x-navi-animation", "image/bmp", "image/x-bmp",
            "image/x-MS-bmp", "image/gif", "image/x-icns", "image/x-icon", "image/x-ico",
            "image/x-win-bitmap", "image/vnd.microsoft.icon", "application/ico", "image/ico",
            "image/icon", "text/ico", "image/x-portable-anymap", "image/x-portable-bitmap",
            "image/x-portable-graymap", "image/x-portable-pixmap", "image/x-quicktime",
            "image/qtif", "image/svg+xml", "image/svg", "image/svg-xml",
            "image/vnd.adobe.svg+xml", "text/xml-svg", "image/svg+xml-compressed", "image/x-tga",
            "image/tiff", "image/x-xbitmap", "image/x-xpixmap",
            // If the loader for WebP is installed.
            "image/webp", "audio/x-riff",
        ].map { .mediaType($0) })
}
