// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// The first page of a TIFF file, by libtiff.
enum TIFFFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.tiff]

    /// - Source: TIFF 6.0, sections 2 and 8.
    static func header(of file: FileBytes) -> PictureHeader {
        let content = Block(file)
        // Most raw files are based on TIFF.
        let raw = RawFile(tiff: content)
        guard raw.mediaType == nil else { return PictureHeader(raw, of: file) }
        guard let main = TIFFDirectory.first(in: content) else { return PictureHeader(size: nil) }
        var size: PixelSize?
        if let width = main.number(Tag.width), let height = main.number(Tag.height) {
            size = PixelSize(width: width, height: height)
        }
        return PictureHeader(
            size: size, exif: EXIF(content), xmp: main.bytes(Tag.xmp),
            iptc: main.entry(Tag.iptc).flatMap { main.longValue(of: $0) })
    }

    static func metadata(of file: FileBytes) -> EXIFSource? { EXIFSource(Block(file)) }

    static func written(in file: FileBytes) -> WrittenMetadata {
        WrittenMetadata(tiff: Block(file))
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.whole { pp_tiff_decode(request.number, &$0) }
    }
}
