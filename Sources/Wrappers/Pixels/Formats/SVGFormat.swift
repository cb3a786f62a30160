// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// SVG, by librsvg; a compressed one has been decompressed.
enum SVGFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.svg, .compressedSVG]

    static func prepare() { pp_svg_prepare() }

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(codec: CodecFacts { pp_svg_read_facts(file.number, &$0) })
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        // Fonts cost memory and time that only one program spends.
        if pp_svg_draws_text() == 0, pp_svg_has_text(request.number) != 0 { throw .unsupported }
        let target = try request.target()
        return try request.whole {
            pp_svg_decode(request.number, target.width, target.height, &$0)
        }
    }
}
