// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct DerivationTests {
    /// Every branch of the rule, with sizes on both sides of each limit.
    @Test(
        arguments: [
            // Neither side is longer.
            (1280, 1280, 1280, 1280), (640, 480, 640, 480), (1, 1, 1, 1),
            // Both sides are longer.
            (1281, 1281, 1280, 1280), (4032, 3024, 1280, 960), (3024, 4032, 960, 1280),
            (4000, 2000, 1280, 640), (4001, 2000, 2561, 1280), (2000, 4000, 640, 1280),
            (2000, 4001, 1280, 2561), (8000, 2000, 5120, 1280),
            // One side is longer.
            (1920, 1080, 1280, 720), (1080, 1920, 720, 1280), (2000, 1000, 1280, 640),
            (1000, 2000, 1000, 2000), (2560, 1280, 1280, 640), (1280, 2560, 1280, 2560),
            (1280, 2559, 640, 1280), (1281, 640, 1281, 640), (640, 1281, 640, 1281),
            (3000, 1000, 3000, 1000), (1000, 3000, 1000, 3000),
            // Too many pixels.
            (12_000, 1400, 7494, 874), (1400, 12_000, 874, 7494), (65_000, 1280, 18_242, 359),
            (65_535, 1, 65_535, 1),
        ] as [(Int, Int, Int, Int)])
    func `previews have 1280 pixels on the side that decides`(
        width: Int, height: Int, previewWidth: Int, previewHeight: Int
    ) {
        let preview = PreviewRule.size(of: PixelSize(width: width, height: height))
        #expect(preview == PixelSize(width: previewWidth, height: previewHeight))
        #expect((preview.pixelCount ?? .max) <= PreviewRule.maximumPixels)
    }

    @Test(
        arguments: [
            (PixelRectangle(x: -5, y: -5, width: 20, height: 20), (0, 0, 15, 15)),
            (PixelRectangle(x: 90, y: 70, width: 50, height: 50), (90, 70, 10, 10)),
            (PixelRectangle(x: 10, y: 20, width: 30, height: 40), (10, 20, 30, 40)),
            (PixelRectangle(x: .min, y: .min, width: .max, height: .max), nil),
            (PixelRectangle(x: 1, y: 1, width: .max, height: .max), (1, 1, 99, 79)),
            (PixelRectangle(x: 100, y: 0, width: 10, height: 10), nil),
            (PixelRectangle(x: 0, y: 0, width: 0, height: 10), nil),
            (PixelRectangle(x: 0, y: 0, width: -1, height: 10), nil),
        ] as [(PixelRectangle, (Int, Int, Int, Int)?)])
    func `a clip is limited to the picture`(
        clip: PixelRectangle, inside: (Int, Int, Int, Int)?
    ) {
        let expected = inside.map { PixelRectangle(x: $0.0, y: $0.1, width: $0.2, height: $0.3) }
        #expect(clip.clamped(to: PixelSize(width: 100, height: 80)) == expected)
    }

    @Test(
        arguments: [
            (100, 80, 1, 1, 10, 0, 80, 80), (80, 100, 1, 1, 0, 10, 80, 80),
            (160, 90, 4, 3, 20, 0, 120, 90), (100, 100, 16, 9, 0, 22, 100, 56),
            (3, 3, 1000, 1, 0, 1, 3, 1), (50, 50, 0, 1, 0, 0, 50, 50),
            // The largest numbers of a PNG header and of an option.
            (1, 4_294_967_295, 4_294_967_295, 1, 0, 2_147_483_647, 1, 1),
            (.max, .max, .max, 1, 0, .max / 2, .max, 1), (.max, 1, .max, .max, .max / 2, 0, 1, 1),
        ] as [(Int, Int, Int, Int, Int, Int, Int, Int)])
    func `a shape is cropped from the middle`(
        width: Int, height: Int, aspectWidth: Int, aspectHeight: Int, x: Int, y: Int,
        clipWidth: Int, clipHeight: Int
    ) {
        let whole = PixelRectangle(PixelSize(width: width, height: height))
        #expect(
            whole.narrowed(to: PixelSize(width: aspectWidth, height: aspectHeight))
                == PixelRectangle(x: x, y: y, width: clipWidth, height: clipHeight))
    }

    /// The picture ABC/DEF; the test maps the upright clip BC to each stored form.
    @Test(
        arguments: [
            (1, 1, 0, 2, 1), (2, 0, 0, 2, 1), (3, 0, 1, 2, 1), (4, 1, 1, 2, 1),
            (5, 0, 1, 1, 2), (6, 0, 0, 1, 2), (7, 1, 0, 1, 2), (8, 1, 1, 1, 2),
        ] as [(UInt8, Int, Int, Int, Int)])
    func `an upright clip is mapped to the stored picture`(
        tag: UInt8, x: Int, y: Int, width: Int, height: Int
    ) throws {
        let orientation = try #require(Orientation(rawValue: tag))
        let stored = orientation.applied(to: PixelSize(width: 3, height: 2))
        #expect(
            orientation.storedRectangle(
                of: PixelRectangle(x: 1, y: 0, width: 2, height: 1), in: stored)
                == PixelRectangle(x: x, y: y, width: width, height: height))
    }

    @Test(
        arguments: [
            (.jpeg, [], .jpeg), (.png, [], .png), (.webp, [], .webP), (.heic, [], .jpeg),
            (.gif, [], .png), (.svg, [], .png), (.tiff, [], .jpeg), (.adobeDNG, [], .jpeg),
            (.jpeg, [.png, .jpeg], .jpeg), (.jpeg, [.png], .png), (.heic, [.webP, .png], .webP),
            (.gif, [.jpeg], .jpeg), (.png, [.webP, .jpeg], .webP),
        ] as [(MediaType, [OutputFormat], OutputFormat)])
    func `a format is kept if the app accepts it`(
        type: MediaType, accepted: [OutputFormat], format: OutputFormat
    ) {
        #expect(OutputFormat.for(type, accepting: accepted) == format)
    }

    private static func photo(
        _ type: MediaType = .jpeg, _ width: Int = 4000, _ height: Int = 3000
    ) -> ImageFacts {
        ImageFacts(mediaType: type, storedSize: PixelSize(width: width, height: height))
    }

    private static func options(_ change: (inout OutputOptions) -> Void) -> OutputOptions {
        var options = OutputOptions()
        change(&options)
        return options
    }

    @Test(
        arguments: [
            (photo(), options { _ in }), (photo(.heic), options { $0.quality = 10 }),
            (photo(), options { $0.maximumSide = 4000 }),
            (photo(), options { $0.maximumByteCount = 1000 }),
            (photo(), options { $0.formats = [.png, .jpeg] }),
            (photo(.mp4), options { $0.representation = .preview }),
            (photo(.mp4), options { $0.formats = [.png] }),
            (ImageFacts(mediaType: .jpeg), options { _ in }),
        ] as [(ImageFacts, OutputOptions)])
    func `a file that meets the requirements is delivered unchanged`(
        facts: ImageFacts, options: OutputOptions
    ) {
        #expect(
            Derivation(of: facts, byteCount: 1000, options: options, removesLocation: false) == nil)
    }

    /// Making the file is an error then; delivering the original would be a silent one.
    @Test func `a size that was asked for is not ignored if that of the photo is unknown`() {
        let facts = ImageFacts(mediaType: .jpeg)
        #expect(
            Derivation(
                of: facts, byteCount: 1000, options: Self.options { $0.maximumSide = 10 },
                removesLocation: false) != nil)
        #expect(
            Derivation(
                of: facts, byteCount: 1000, options: OutputOptions(),
                clip: Clip(area: PixelRectangle(x: 0, y: 0, width: 5, height: 5)),
                removesLocation: false) != nil)
    }

    @Test func `a location is removed without touching the picture`() {
        let derivation = Derivation(
            of: Self.photo(.heic), byteCount: 1000, options: OutputOptions(), removesLocation: true)
        #expect(derivation == Derivation(removesLocation: true))
    }

    @Test(
        arguments: [
            (photo(.heic), options { $0.representation = .compatible }, .jpeg, 4000, 3000),
            (photo(), options { $0.representation = .compatible }, .jpeg, 4000, 3000),
            (photo(), options { $0.representation = .preview }, .jpeg, 1280, 960),
            (photo(.png, 100, 50), options { $0.formats = [.webP] }, .webP, 100, 50),
            (photo(), options { $0.maximumSide = 100 }, .jpeg, 100, 75),
            (photo(), options { $0.maximumByteCount = 999 }, .jpeg, 4000, 3000),
            (
                photo(),
                options {
                    $0.representation = .preview
                    $0.maximumSide = 640
                }, .jpeg, 640, 480
            ),
            (photo(.jpeg, 20_000, 1000), options { $0.formats = [.webP] }, .webP, 16_383, 819),
            (photo(.heic, 12_000, 9000), options { $0.formats = [.jpeg] }, .jpeg, 8164, 6123),
        ] as [(ImageFacts, OutputOptions, OutputFormat, Int, Int)])
    func `a picture gets the requested format and size`(
        facts: ImageFacts, options: OutputOptions, format: OutputFormat, width: Int, height: Int
    ) throws {
        let derivation = try #require(
            Derivation(of: facts, byteCount: 1000, options: options, removesLocation: false))
        let picture = try #require(derivation.picture)
        #expect(picture.format == format)
        #expect(picture.size == PixelSize(width: width, height: height))
        #expect(picture.isStandard == (options.representation != .original))
    }

    @Test func `a clip of the whole photo changes nothing`() {
        let whole = Clip(area: PixelRectangle(x: 0, y: 0, width: 4000, height: 3000))
        #expect(
            Derivation(
                of: Self.photo(), byteCount: 1, options: OutputOptions(), clip: whole,
                removesLocation: false) == nil)
    }

    @Test(arguments: [PixelSize(width: 64, height: 64), PixelSize(width: 5000, height: 5000)])
    func `an exact size takes precedence over limits`(size: PixelSize) throws {
        var options = OutputOptions()
        options.representation = .preview
        options.maximumSide = 500
        let clip = Clip(area: PixelRectangle(x: 500, y: 0, width: 3000, height: 3000), size: size)
        let derivation = try #require(
            Derivation(
                of: Self.photo(), byteCount: 1, options: options, clip: clip,
                removesLocation: false))
        #expect(derivation.picture?.clip == clip.area)
        #expect(derivation.picture?.size == size)
    }

    @Test func `a clip is measured on the upright picture`() throws {
        var facts = Self.photo()
        facts.orientation = .turnedRight
        let clip = PixelRectangle(x: 2000, y: 3000, width: 2000, height: 2000)
        let derivation = try #require(
            Derivation(
                of: facts, byteCount: 1, options: OutputOptions(), clip: Clip(area: clip),
                removesLocation: false))
        #expect(
            derivation.picture?.clip == PixelRectangle(x: 2000, y: 3000, width: 1000, height: 1000))
        #expect(derivation.picture?.size == PixelSize(width: 1000, height: 1000))
    }

    @Test(
        arguments: [
            (.jpeg, "jpg"), (.webp, "webp"), (.heic, "heic"), (.jpegXL, "jxl"), (.svg, "svg"),
            (.tiff, "tif"), (.icon, "ico"), (.canonRaw2, "cr2"), (.adobeDNG, "dng"), (.mp4, "mp4"),
            (.avi, "avi"), (.webm, "webm"),
        ] as [(MediaType, String)])
    func `file names get the usual extension`(type: MediaType, ending: String) {
        #expect(type.fileExtension == ending)
        #expect(MediaType.recognized.allSatisfy { $0.fileExtension != nil })
        #expect(MediaType("text/plain")?.fileExtension == nil)
    }
}
