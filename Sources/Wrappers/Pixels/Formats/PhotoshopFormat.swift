// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// The merged picture of a Photoshop document.
enum PhotoshopFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.photoshop]

    static func header(of file: FileBytes) -> PictureHeader {
        let facts = CodecFacts { pp_psd_read_facts(file.number, &$0) }
        let resources = PhotoshopResources(document: Block(file))
        var header = PictureHeader(codec: facts)
        header.taken =
            PictureHeader(
                size: nil, exif: facts.exif,
                xmp: resources?.content(PhotoshopResources.xmp)?.metadata,
                iptc: resources?.content(PhotoshopResources.iptc)
            ).taken
        return header
    }

    static func texts(of file: FileBytes) -> PhotoTexts {
        let resources = PhotoshopResources(document: Block(file))
        return PhotoTexts(
            xmp: resources?.content(PhotoshopResources.xmp)?.metadata,
            iptc: resources?.content(PhotoshopResources.iptc))
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_psd_decode(request.number, &$0) }
    }
}
