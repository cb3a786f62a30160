// SPDX-License-Identifier: MIT

import Photos

/// SVG, by librsvg in `photo-portal-rare`; a compressed one has been decompressed.
enum SVGFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.svg, .compressedSVG]

    static func decodes(_ type: MediaType) -> Bool { ExtraCodec.drawing.isInstalled }

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(size: DrawingHead(file.bytes(at: 0, count: DrawingHead.mostBytes))?.size)
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        guard request.facts.storedSize != nil else { throw .damaged }
        return try request.extra(.drawing)
    }
}
