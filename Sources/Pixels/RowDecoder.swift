// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos
import Platform

/// Decodes a file row by row.
protocol RowDecoder: ~Copyable {
    /// The size of what is decoded.
    var size: PixelSize { get }
    var format: Bitmap.Format { get }
    /// Decodes the next row; false when there are no more.
    ///
    /// - Parameter row: At least one row of `format`.
    mutating func read(into row: UnsafeMutablePointer<UInt8>) throws(PixelError) -> Bool
}

/// Turns the C calls' results into Swift's.
func check(_ status: pp_status) throws(PixelError) {
    switch status {
    case PP_OK, PP_END: return
    case PP_TOO_LARGE: throw .tooLarge
    case PP_UNSUPPORTED: throw .unsupported
    default: throw .damaged
    }
}

/// A JPEG at a fraction of its size.
///
/// - Source: libjpeg-turbo, `jpeg_read_scanlines` with `scale_num`.
struct JPEGRows: RowDecoder, ~Copyable {
    let size: PixelSize
    let format = Bitmap.Format.rgb
    private let jpeg: OpaquePointer
    private let file: Descriptor

    /// Begins to decode.
    ///
    /// - Parameter longerSide: The result's longer side has at least this many pixels, unless
    ///   the picture has fewer.
    init(_ file: Descriptor, atLeast longerSide: Int) throws(PixelError) {
        guard let jpeg = pp_jpeg_make(file.rawValue) else { throw .tooLarge }
        var width: UInt32 = 0
        var height: UInt32 = 0
        do throws(PixelError) {
            var info = pp_jpeg_info()
            try check(pp_jpeg_read_header(jpeg, &info))
            let full = PixelSize(width: Int(info.width), height: Int(info.height))
            guard PixelLimits.allow(full) else { throw .tooLarge }
            let side = max(full.width, full.height)
            // libjpeg rounds up: ceil(side * eighths / 8).
            let eighths = (1...8).first { (side * $0 + 7) / 8 >= longerSide } ?? 8
            try check(pp_jpeg_start(jpeg, UInt32(eighths), &width, &height))
        } catch {
            pp_jpeg_free(jpeg)
            throw error
        }
        self.jpeg = jpeg
        self.file = file
        size = PixelSize(width: Int(width), height: Int(height))
    }

    deinit {
        pp_jpeg_free(jpeg)
    }

    mutating func read(into row: UnsafeMutablePointer<UInt8>) throws(PixelError) -> Bool {
        let status = pp_jpeg_read_row(jpeg, row)
        try check(status)
        return status == PP_OK
    }
}

/// A PNG, 8 bits per channel whatever it has.
///
/// - Source: libpng, `png_read_row`.
struct PNGRows: RowDecoder, ~Copyable {
    let size: PixelSize
    let format: Bitmap.Format
    private let png: OpaquePointer
    private let file: Descriptor
    private let isInterlaced: Bool
    /// All rows of an interlaced picture, which arrive in seven passes.
    private var all: [UInt8] = []
    private var next = 0

    init(_ file: Descriptor) throws(PixelError) {
        guard let png = pp_png_make(file.rawValue) else { throw .tooLarge }
        var info = pp_png_info()
        do throws(PixelError) {
            try check(pp_png_read_header(png, &info))
            let size = PixelSize(width: Int(info.width), height: Int(info.height))
            guard PixelLimits.allow(size) else { throw .tooLarge }
            try check(pp_png_start(png))
        } catch {
            pp_png_free(png)
            throw error
        }
        self.png = png
        self.file = file
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        format = info.has_alpha != 0 ? .rgba : .rgb
        isInterlaced = info.is_interlaced != 0
    }

    deinit {
        pp_png_free(png)
    }

    mutating func read(into row: UnsafeMutablePointer<UInt8>) throws(PixelError) -> Bool {
        guard next < size.height else { return false }
        if isInterlaced && all.isEmpty { try readAll() }
        if all.isEmpty {
            try check(pp_png_read_row(png, row))
        } else {
            let stride = size.width * format.bytesPerPixel
            all.withUnsafeBufferPointer { all in
                guard let start = all.baseAddress else { return }
                row.update(from: start + next * stride, count: stride)
            }
        }
        next += 1
        return true
    }

    private mutating func readAll() throws(PixelError) {
        let stride = size.width * format.bytesPerPixel
        var status = PP_OK
        all = [UInt8](repeating: 0, count: stride * size.height)
        all.withUnsafeMutableBufferPointer { all in
            guard let start = all.baseAddress else { return }
            status = pp_png_read_all(png, start, stride)
        }
        try check(status)
    }
}
