// SPDX-License-Identifier: MIT

import Files
import Photos

/// PNG, by libpng.
enum PNGFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.png]

    static func header(of file: FileBytes) -> PictureHeader {
        let chunks = PNGChunks(file)
        return PictureHeader(size: chunks.size, isAnimated: chunks.isAnimated, exif: chunks.exif)
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.scaled(try PNGRows(request.file))
    }

    static func hasOtherColours(_ file: Descriptor) -> Bool {
        // A file that cannot be decoded fails later, when it is decoded.
        guard let colour = (try? PNGRows(file))?.colour else { return false }
        return !colour.isStandard
    }
}
