// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Photos

/// Decodes a PNG to 8 bits per channel, whatever its own depth.
///
/// - Source: libpng, `png_read_row`.
struct PNGRows: RowDecoder, ~Copyable {
    let size: PixelSize
    let format: Bitmap.Format
    let colour: ColourDescription?
    private let png: OpaquePointer
    private let file: Descriptor
    private let isInterlaced: Bool
    /// All rows of an interlaced picture, which is stored in seven passes.
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
        colour = ColourDescription(
            info.profile, count: info.profile_size, isGrey: info.model == PP_GREY)
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
