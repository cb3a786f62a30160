// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// The merged picture of a Photoshop document.
enum PhotoshopFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.photoshop]

    static func header(of file: FileBytes) -> PictureHeader {
        let facts = CodecFacts { pp_psd_read_facts(file.number, &$0) }
        let written = written(in: file)
        var header = PictureHeader(codec: facts)
        header.taken =
            PictureHeader(size: nil, exif: facts.exif, xmp: written.xmp, iptc: written.iptc).taken
        return header
    }

    static func written(in file: FileBytes) -> WrittenMetadata {
        WrittenMetadata(PhotoshopResources(document: Block(file)))
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_psd_decode(request.number, &$0) }
    }
}
