// SPDX-License-Identifier: MIT

import Photos
import Testing

@Suite struct ClipOptionsTests {
    private static let picture = PixelSize(width: 400, height: 300)
    private static let chosen = PixelRectangle(x: 10, y: 20, width: 200, height: 100)

    private func options(
        _ mode: ClipOptions.Mode, aspect: PixelSize? = nil, size: PixelSize? = nil
    ) -> ClipOptions {
        var options = ClipOptions()
        options.mode = mode
        options.aspect = aspect
        options.size = size
        return options
    }

    @Test func `without a mode nothing is cropped, whatever was chosen`() throws {
        let options = options(.none, aspect: PixelSize(width: 1, height: 1))
        #expect(try options.clip(of: Self.picture, chosen: Self.chosen) == nil)
    }

    @Test func `an optional part is the chosen part, or none`() throws {
        #expect(try options(.optional).clip(of: Self.picture, chosen: nil) == nil)
        #expect(
            try options(.optional).clip(of: Self.picture, chosen: Self.chosen)
                == Clip(area: Self.chosen))
    }

    @Test func `without a choice, a required part is the middle square`() throws {
        #expect(
            try options(.required).clip(of: Self.picture, chosen: nil)
                == Clip(area: PixelRectangle(x: 50, y: 0, width: 300, height: 300)))
    }

    @Test(arguments: [ClipOptions.Mode.optional, .required])
    func `a part of another shape is reduced to the requested shape`(
        mode: ClipOptions.Mode
    ) throws {
        let square = options(mode, aspect: PixelSize(width: 5, height: 5))
        #expect(
            try square.clip(of: Self.picture, chosen: Self.chosen)
                == Clip(area: PixelRectangle(x: 60, y: 20, width: 100, height: 100)))
    }

    @Test func `an exact size determines the shape, whatever the aspect is`() throws {
        let size = PixelSize(width: 64, height: 128)
        let exact = options(.required, aspect: PixelSize(width: 1, height: 1), size: size)
        #expect(
            try exact.clip(of: Self.picture, chosen: nil)
                == Clip(area: PixelRectangle(x: 125, y: 0, width: 150, height: 300), size: size))
    }

    @Test func `a part is limited to the picture, and a part outside it is an error`() throws {
        let options = options(.optional)
        let over = PixelRectangle(x: 300, y: 200, width: .max, height: 50)
        #expect(
            try options.clip(of: Self.picture, chosen: over)
                == Clip(area: PixelRectangle(x: 300, y: 200, width: 100, height: 50)))
        for outside in [
            PixelRectangle(x: 400, y: 0, width: 10, height: 10),
            PixelRectangle(x: 0, y: 0, width: 0, height: 10),
        ] {
            #expect(throws: ClipOptions.Outside()) {
                try options.clip(of: Self.picture, chosen: outside)
            }
        }
    }

    @Test func `a circle is inside a square, unless the app says otherwise`() throws {
        var options = ClipOptions()
        options.mode = .optional
        options.outline = .circle
        #expect(options.shape == PixelSize(width: 1, height: 1))
        options.aspect = PixelSize(width: 3, height: 2)
        #expect(options.shape == PixelSize(width: 3, height: 2))
        let clip = try options.clip(of: Self.picture, chosen: Self.chosen)
        #expect(clip?.isRound == true)
    }

    @Test func `a circle is cut out only where the app names PNG`() throws {
        let facts = ImageFacts(mediaType: .jpeg, storedSize: PixelSize(width: 100, height: 80))
        let clip = Clip(area: PixelRectangle(x: 0, y: 0, width: 80, height: 80), isRound: true)
        for (formats, expected) in [
            ([], OutputFormat.jpeg), ([.jpeg], .jpeg), ([.jpeg, .png], .png), ([.webP], .webP),
        ] as [([OutputFormat], OutputFormat)] {
            var output = OutputOptions()
            output.formats = formats
            let change = try #require(
                Derivation(
                    of: facts, byteCount: 1, options: output, clip: clip, removesLocation: false)?
                    .picture)
            #expect(change.format == expected && change.isRound == (expected == .png))
            let small = Derivation(
                .thumbnail(side: 40), of: facts, part: clip, options: output)
            #expect(small?.picture?.isRound == (expected == .png))
        }
    }
}
