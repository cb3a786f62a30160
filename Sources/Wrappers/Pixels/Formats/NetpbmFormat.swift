// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// The formats of Netpbm (PBM, PGM, PPM, PAM), and PFM, which is like them.
enum NetpbmFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.netpbm]

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(codec: CodecFacts { pp_pnm_read_facts(file.number, &$0) })
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_pnm_decode(request.number, &$0) }
    }
}
