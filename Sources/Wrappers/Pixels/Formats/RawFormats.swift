// SPDX-License-Identifier: MIT

import Files
import Photos

/// Raw files based on TIFF; we show a JPEG that the camera embedded, or develop the sensor's data.
enum RawTIFFFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [
        .canonRaw2, .adobeDNG, .nikonRaw, .sonyRaw, .pentaxRaw, .olympusRaw, .panasonicRaw,
    ]

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(RawFile(tiff: Block(file)), of: file)
    }

    static func metadata(of file: FileBytes) -> EXIFSource? { EXIFSource(Block(file)) }

    static func written(in file: FileBytes) -> WrittenMetadata {
        WrittenMetadata(tiff: Block(file))
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.preview(of: RawFile(tiff: Block(request.bytes)))
    }
}

/// Canon's third raw format, CR3.
enum CanonRawFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.canonRaw3]

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(RawFile(canon: Block(file)), of: file)
    }

    /// Its directories are in boxes of their own.
    static func metadata(of file: FileBytes) -> EXIFSource? {
        let boxes = CanonBoxes.metadata(in: Block(file))
        func directory(_ name: String) -> TIFFDirectory? {
            boxes.first { $0.name == name }.flatMap { CanonBoxes.directory($0.content) }
        }
        return directory("CMT1").map {
            EXIFSource($0, exif: directory("CMT2"), gps: directory("CMT4"))
        }
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.preview(of: RawFile(canon: Block(request.bytes)))
    }
}

/// Fujifilm's raw files.
enum FujifilmRawFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.fujiRaw]

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(RawFile(fujifilm: Block(file)), of: file)
    }

    /// The data of the preview, which is a complete JPEG file.
    static func metadata(of file: FileBytes) -> EXIFSource? {
        RawFile.fujifilmPreview(Block(file)).flatMap { JPEGHeader($0).exif?.data }
            .flatMap { EXIFSource(Block($0)) }
    }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.preview(of: RawFile(fujifilm: Block(request.bytes)))
    }
}

extension DecodeRequest {
    /// A preview that is smaller is good for a thumbnail only.
    private static let thumbnailSide = 512

    /// The preview that a camera embedded in its raw file, or the developed data of the sensor; both
    /// are turned like the raw data.
    fileprivate func preview(of raw: RawFile) throws(PixelError) -> Bitmap {
        guard let preview = raw.preview(fitting: side) else { return try extra(.raw) }
        if isMuchSmaller(JPEGHeader(preview).size, than: raw.size) {
            do throws(PixelError) {
                return try extra(.raw)
            } catch {
                // Where the codec is missing, another program is asked.
                guard ExtraCodec.raw.isInstalled else { throw error }
            }
        }
        return try scaled(try JPEGRows(file, in: preview.range, atLeast: side, .exact))
    }

    /// Whether a preview shows less than a quarter of the wanted detail that the sensor saw.
    private func isMuchSmaller(_ preview: PixelSize?, than sensor: PixelSize?) -> Bool {
        guard let preview, let sensor else { return false }
        let shown = max(preview.width, preview.height)
        let wanted = min(side, max(sensor.width, sensor.height))
        return shown < Self.thumbnailSide && wanted > Self.thumbnailSide && shown < wanted / 2
    }
}

extension PictureHeader {
    init(_ raw: RawFile, of file: FileBytes) {
        self.init(
            size: raw.size, orientation: raw.orientation ?? .upright, taken: raw.taken,
            mediaType: raw.mediaType)
        colour = {
            raw.smallPreview.flatMap { PreviewColour.read($0, in: file, shapedAs: raw.size) }
        }
    }
}
