// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// JPEG XL, by libjxl in `photo-portal-heif`.
enum JPEGXLFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.jpegXL]

    static var isInstalled: Bool { pp_has_heif_codecs() != 0 }

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(codec: CodecFacts { pp_jxl_read_facts(file.number, &$0) })
    }

    /// - Source: ISO/IEC 18181-2, 9.5.
    static func written(in file: FileBytes) -> WrittenMetadata {
        let box = ISOBox.boxes(in: Block(file)).first { $0.name == "xml " }
        return WrittenMetadata(xmp: box?.content.metadata)
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_jxl_decode(request.number, &$0) }
    }
}
