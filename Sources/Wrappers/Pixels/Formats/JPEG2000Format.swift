// SPDX-License-Identifier: MIT

import Photos

/// JPEG 2000, by OpenJPEG in `photo-portal-rare`.
enum JPEG2000Format: PictureFormat {
    static let mediaTypes: [MediaType] = [.jpeg2000]

    static func decodes(_ type: MediaType) -> Bool { ExtraCodec.jpeg2000.isInstalled }

    /// “JpgTiffExif->JP2”.
    static let exifUUID = Array("JpgTiffExif->JP2".utf8)

    /// - Source: ITU-T T.800, A.5.1 (SIZ) and I.5.3.1 (`ihdr`); for EXIF, Adobe, “XMP Specification
    ///   Part 3”, and ExifTool's table `Jpeg2000::Main`.
    static func header(of file: FileBytes) -> PictureHeader {
        let file = Block(file)
        let codestream = file.reader(count: 24, .bigEndian)
        if codestream.uint32(at: 0) == 0xFF4F_FF51 {
            return PictureHeader(size: size(codestream))
        }
        let boxes = ISOBox.boxes(in: file)
        var size: PixelSize?
        if let header = boxes.first(where: { $0.name == "jp2h" }),
            let main = ISOBox.boxes(in: header.content).first(where: { $0.name == "ihdr" })
        {
            let fields = main.content.reader(count: 8, .bigEndian)
            if let height = fields.uint32(at: 0), let width = fields.uint32(at: 4) {
                size = PixelSize(width: Int(width), height: Int(height))
            }
        }
        let exif = boxes.first { $0.name == "uuid" && $0.uuid == exifUUID }
        let data = exif?.content.loaded(upTo: maximumEXIF).bytes(count: maximumEXIF)
        return PictureHeader(
            size: size, exif: data.map { EXIF(tiff: $0) }, xmp: packet(in: boxes))
    }

    static func written(in file: FileBytes) -> WrittenMetadata {
        WrittenMetadata(xmp: packet(in: ISOBox.boxes(in: Block(file))))
    }

    private static func packet(in boxes: [ISOBox]) -> ArraySlice<UInt8>? {
        boxes.first { $0.uuid == ISOBox.xmpID }?.content.metadata
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.extra(.jpeg2000)
    }

    private static let maximumEXIF = 1 << 20

    /// The size in a codestream's header: the area between two corners.
    private static func size(_ header: ByteReader) -> PixelSize? {
        guard let right = header.uint32(at: 8), let bottom = header.uint32(at: 12),
            let left = header.uint32(at: 16), let top = header.uint32(at: 20),
            right > left, bottom > top
        else { return nil }
        return PixelSize(width: Int(right - left), height: Int(bottom - top))
    }
}
