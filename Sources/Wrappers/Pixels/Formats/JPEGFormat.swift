// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Photos

/// JPEG, by libjpeg-turbo; lossless JPEG without a library.
enum JPEGFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.jpeg]

    static func header(of file: FileBytes) -> PictureHeader {
        let found = JPEGHeader(Block(file))
        var header = PictureHeader(
            size: found.size, exif: found.exif,
            xmp: found.xmp.map { $0.bytes(count: $0.count) }, iptc: found.iptc,
            settings: oldDate(in: found.settings))
        header.texts = { PhotoTexts(WrittenMetadata(found)) }
        header.motionVideo = { source in
            MotionVideo.range(inJPEG: file, xmp: found.xmp?.metadata, source)
        }
        header.colour = {
            found.preview.flatMap {
                PreviewColour.read(
                    $0, in: file, shapedAs: found.size, hasProfile: found.hasProfile)
            }
        }
        return header
    }

    static func written(in file: FileBytes) -> WrittenMetadata {
        WrittenMetadata(JPEGHeader(Block(file)))
    }

    private static let dateName = Array("TimeDate=".utf8)

    /// The date in the settings that cameras without EXIF data wrote, some as text: seconds since 1970,
    /// by their clock.
    ///
    /// - Source: ExifTool's table `APP12::PictureInfo`.
    private static func oldDate(in settings: [Block]) -> CaptureDate? {
        for content in settings {
            if let date = CameraDate.canon(content) { return date }
            let text = content.bytes(count: content.count)
            guard let start = text.firstIndex(of: dateName, from: text.startIndex) else { continue }
            let digits = text[(start + dateName.count)...].prefix { (0x30...0x39).contains($0) }
            let date = Int64(String(decoding: digits.prefix(12), as: UTF8.self))
                .flatMap { CaptureDate(secondsInUTC: $0) }
            return date.flatMap { CaptureDate(exif: $0.exif) }
        }
        return nil
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

    static func isStandard(_ file: Descriptor) -> Bool {
        hasCommonFrame(file) && !JPEGRows.isCMYK(file)
            && JPEGRows.colour(of: file)?.isStandard ?? true
    }

    /// Whether the picture is compressed by one of the processes that every program knows: baseline,
    /// extended or progressive, with Huffman codes and 8 bits.
    ///
    /// - Source: ITU-T T.81, B.2.2.
    private static func hasCommonFrame(_ file: Descriptor) -> Bool {
        guard let bytes = try? FileBytes(file),
            let frame = JPEGSegments(Block(bytes), skipsStrayBytes: true).first(where: \.isFrame)
        else { return false }
        return (0xC0...0xC2).contains(frame.marker) && frame.content.starts(with: [8])
    }
}

extension WrittenMetadata {
    fileprivate init(_ header: JPEGHeader) {
        self.init(xmp: header.xmp?.metadata, iptc: header.iptc)
    }
}
