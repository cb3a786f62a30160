// SPDX-License-Identifier: MIT

import Photos

/// Raw files based on TIFF; we show a JPEG that the camera embedded.
enum RawTIFFFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [
        .canonRaw2, .adobeDNG, .nikonRaw, .sonyRaw, .pentaxRaw, .olympusRaw, .panasonicRaw,
    ]

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(RawFile(tiff: Block(file)))
    }

    static func metadata(of file: FileBytes) -> EXIFSource? { EXIFSource(Block(file)) }

    static func decode(_ request: DecodeRequest) throws(PixelError) -> Bitmap {
        try request.preview(of: RawFile(tiff: Block(request.bytes)))
    }
}

/// Canon's third raw format, CR3.
enum CanonRawFormat: PictureFormat {
    static let mediaTypes: [MediaType] = [.canonRaw3]

    static func header(of file: FileBytes) -> PictureHeader {
        PictureHeader(RawFile(canon: Block(file)))
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
        PictureHeader(RawFile(fujifilm: Block(file)))
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
    /// The preview that a camera embedded in its raw file; it is turned like the raw data.
    fileprivate func preview(of raw: RawFile) throws(PixelError) -> Bitmap {
        guard let preview = raw.preview(fitting: side) else { throw .unsupported }
        return try scaled(try JPEGRows(file, in: preview.range, atLeast: side, .exact))
    }
}

extension PictureHeader {
    init(_ raw: RawFile) {
        self.init(
            size: raw.size, orientation: raw.orientation ?? .upright, taken: raw.taken,
            mediaType: raw.mediaType)
    }
}
