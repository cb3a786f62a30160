// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// TGA.
enum TargaFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.targa]

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(codec: CodecFacts { pp_tga_read_facts(file.number, &$0) })
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_tga_decode(request.number, &$0) }
    }
}

/// PCX.
enum PCXFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.pcx]

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(codec: CodecFacts { pp_pcx_read_facts(file.number, &$0) })
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_pcx_decode(request.number, &$0) }
    }
}

/// QOI.
enum QOIFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.qoi]

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(codec: CodecFacts { pp_qoi_read_facts(file.number, &$0) })
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_qoi_decode(request.number, &$0) }
    }
}
