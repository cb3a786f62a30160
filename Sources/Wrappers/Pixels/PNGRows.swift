// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Glibc
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

    /// - Parameter offset: Where the PNG begins, if it is a part of another file.
    init(_ file: Descriptor, at offset: Int = 0) throws(PixelError) {
        guard let png = pp_png_make(file.rawValue, off_t(offset)) else { throw .tooLarge }
        var info = pp_png_info()
        var hasAlpha: Int32 = 0
        do throws(PixelError) {
            try check(pp_png_read_header(png, &info))
            let size = PixelSize(width: Int(info.width), height: Int(info.height))
            guard PixelLimits.allow(size) else { throw .tooLarge }
            try check(pp_png_start(png, &hasAlpha))
        } catch {
            pp_png_free(png)
            throw error
        }
        self.png = png
        self.file = file
        size = PixelSize(width: Int(info.width), height: Int(info.height))
        format = hasAlpha != 0 ? .rgba : .rgb
        colour = Self.colour(info)
        isInterlaced = info.is_interlaced != 0
    }

    deinit {
        pp_png_free(png)
    }

    private static func colour(_ info: pp_png_info) -> ColourDescription? {
        if info.primaries != 0 {
            return .numbers(primaries: info.primaries, transfer: info.transfer)
        }
        if let profile = ColourDescription(
            info.profile, count: info.profile_size, isGrey: info.model == PP_GREY)
        {
            return profile
        }
        guard info.gamma > 0 || info.has_chromaticities != 0 else { return nil }
        let chromaticities = withUnsafeBytes(of: info.chromaticities) {
            Array($0.bindMemory(to: Double.self))
        }
        return .values(
            gamma: info.gamma,
            chromaticities: info.has_chromaticities != 0 ? chromaticities : [])
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
        try PixelError.expectMemory(for: stride * size.height)
        all = [UInt8](repeating: 0, count: stride * size.height)
        all.withUnsafeMutableBufferPointer { all in
            guard let start = all.baseAddress else { return }
            status = pp_png_read_all(png, start, stride)
        }
        try check(status)
    }
}
