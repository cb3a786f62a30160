// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// GIF, decoded without a library.
enum GIFFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.gif]

    static func header(of file: FileBytes) -> PictureHeader {
        let blocks = GIFBlocks(Block(file))
        return PictureHeader(
            size: blocks.size, isAnimated: blocks.isAnimated, exif: nil, xmp: blocks.xmp?.metadata)
    }

    static func written(in file: FileBytes) -> WrittenMetadata {
        WrittenMetadata(xmp: GIFBlocks(Block(file)).xmp?.metadata)
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_gif_decode(request.number, &$0) }
    }
}
