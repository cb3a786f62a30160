// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Photos

/// JPEG, by libjpeg-turbo; lossless JPEG without a library.
enum JPEGFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.jpeg]

    static func header(of file: FileBytes) -> PictureHeader {
        let header = JPEGHeader(Block(file))
        return PictureHeader(
            // libjpeg also finds a header behind bytes that belong to no segment.
            size: header.size ?? JPEGRows.size(of: file.file), exif: header.exif,
            xmp: header.xmp.map { $0.bytes(count: $0.count) })
    }

    static func texts(of file: FileBytes) -> PhotoTexts {
        let stream = Block(file)
        let resources = JPEGSegments(stream).first {
            $0.marker == 0xED && $0.content.starts(with: PhotoshopResources.segmentName)
        }.map { PhotoshopResources(segment: $0.content) }
        return PhotoTexts(
            xmp: JPEGHeader(stream).xmp?.metadata,
            iptc: resources?.content(PhotoshopResources.iptc))
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        if request.fidelity == .fast,
            let preview = JPEGPicture.preview(of: request.bytes, fitting: request.side),
            // If the preview is damaged, show the picture anyway.
            let bitmap = try? request.scaled(preview)
        {
            return bitmap
        }
        do throws(PixelError) {
            return try request.scaled(
                try JPEGRows(request.file, atLeast: request.side, request.fidelity))
        } catch {
            guard error == .unsupported else { throw error }
            return try request.whole { pp_jpeg_decode_lossless(request.number, &$0) }
        }
    }

    static func hasOtherColours(_ file: Descriptor) -> Bool {
        JPEGRows.isCMYK(file) || JPEGRows.colour(of: file).map { !$0.isStandard } ?? false
    }
}
