// SPDX-License-Identifier: MIT

import Files
import Photos

/// PNG, by libpng.
enum PNGFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.png]

    static func header(of file: FileBytes) -> PictureHeader {
        let chunks = PNGChunks(file)
        // No viewer turns a picture because of a text.
        let textual = chunks.exif == nil ? chunks.textualEXIF : nil
        var header = PictureHeader(
            size: chunks.size, isAnimated: chunks.isAnimated, exif: chunks.exif,
            xmp: textual?.captured == nil ? chunks.xmp : nil)
        header.taken =
            textual?.captured ?? header.taken ?? chunks.created ?? textual?.changed
            ?? chunks.changed
        header.exif = header.exif ?? textual?.data
        header.texts = { PhotoTexts(WrittenMetadata(chunks)) }
        return header
    }

    static func written(in file: FileBytes) -> WrittenMetadata {
        WrittenMetadata(PNGChunks(file))
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.scaled(try PNGRows(request.file))
    }

    static func isStandard(_ file: Descriptor) -> Bool {
        // A file that cannot be decoded fails later, when it is decoded.
        guard let colour = (try? PNGRows(file))?.colour else { return true }
        return colour.isStandard
    }
}
