// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// Radiance's pictures of light, which are brighter than a screen.
enum RadianceFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.radiance]

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(codec: CodecFacts { pp_radiance_read_facts(file.number, &$0) })
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_radiance_decode(request.number, &$0) }
    }
}
