// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Photos

/// WebP, by libwebp.
enum WebPFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.webp]

    static func header(of file: FileBytes) -> PictureHeader {
        let chunks = WebPChunks(Block(file))
        var header = PictureHeader(
            size: chunks.size, isAnimated: chunks.isAnimated, exif: chunks.exif,
            xmp: chunks.xmp.map { $0.bytes(count: $0.count) })
        header.texts = { PhotoTexts(WrittenMetadata(xmp: chunks.xmp?.metadata)) }
        return header
    }

    static func written(in file: FileBytes) -> WrittenMetadata {
        WrittenMetadata(xmp: WebPChunks(Block(file)).xmp?.metadata)
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        let target = try request.target()
        return try request.whole {
            pp_webp_decode(request.number, target.width, target.height, &$0)
        }
    }

    static func isStandard(_ file: Descriptor) -> Bool {
        // A file that cannot be decoded fails later, when it is decoded.
        let colour = (try? WholePicture { pp_webp_decode(file.rawValue, 1, 1, &$0) })?.colour
        guard let colour else { return true }
        return colour.isStandard
    }
}
