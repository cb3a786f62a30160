// SPDX-License-Identifier: MIT

internal import CCodecs
import Files
import Photos

/// Decodes a file row by row.
protocol RowDecoder: ~Copyable {
    /// The size of the decoded picture.
    var size: PixelSize { get }
    var format: Bitmap.Format { get }
    /// The colour space; nil for sRGB.
    var colour: ColourDescription? { get }
    /// Decodes the next row; false when there are no more.
    ///
    /// - Parameter row: At least one row of `format`.
    mutating func read(into row: UnsafeMutablePointer<UInt8>) throws(PixelError) -> Bool
}

/// Converts the result of a C call to an error.
func check(_ status: pp_status) throws(PixelError) {
    switch status {
    case PP_OK, PP_END: return
    case PP_TOO_LARGE: throw .tooLarge
    case PP_UNSUPPORTED: throw .unsupported
    default: throw .damaged
    }
}

/// Decodes a JPEG at a fraction of its size; it may be a part of another file.
///
/// - Source: libjpeg-turbo, `jpeg_read_scanlines` with `scale_num`.
struct JPEGRows: RowDecoder, ~Copyable {
    let size: PixelSize
    let format = Bitmap.Format.rgb
    let colour: ColourDescription?
    private let jpeg: OpaquePointer
    private let file: Descriptor

    /// Starts decoding.
    ///
    /// - Parameters:
    /// - range: The range of the JPEG in the file.
    /// - longerSide: The least pixels of the longer side of the result, if the picture has as many.
    /// - colour: The colour space to use if the JPEG does not specify one.
    init(
        _ file: Descriptor, in range: Range<Int> = 0..<Int.max, atLeast longerSide: Int,
        _ fidelity: Fidelity, colour: ColourDescription? = nil
    ) throws(PixelError) {
        guard let jpeg = pp_jpeg_make(file.rawValue, range.lowerBound, range.count) else {
            throw .tooLarge
        }
        var width: UInt32 = 0
        var height: UInt32 = 0
        var info = pp_jpeg_info()
        do throws(PixelError) {
            try check(pp_jpeg_read_header(jpeg, &info))
            let full = PixelSize(width: Int(info.width), height: Int(info.height))
            guard PixelLimits.allow(full) else { throw .tooLarge }
            let side = max(full.width, full.height)
            // libjpeg rounds up: ceil(side * eighths / 8).
            let eighths =
                Self.fastEighths.first { (side * $0 + 7) / 8 >= longerSide } ?? 8
            let isFast: Int32 = fidelity == .fast ? 1 : 0
            try check(pp_jpeg_start(jpeg, UInt32(eighths), isFast, &width, &height))
        } catch {
            pp_jpeg_free(jpeg)
            throw error
        }
        self.jpeg = jpeg
        self.file = file
        size = PixelSize(width: Int(width), height: Int(height))
        self.colour = Self.colour(info) ?? colour
    }

    /// The scales for which libjpeg-turbo has vector code; 5/8 takes longer than the full size.
    private static let fastEighths = [1, 2, 4, 8]

    /// The colour space of a file that is not decoded; nil for sRGB.
    static func colour(of file: Descriptor) -> ColourDescription? {
        guard let jpeg = pp_jpeg_make(file.rawValue, 0, Int.max) else { return nil }
        defer { pp_jpeg_free(jpeg) }
        var info = pp_jpeg_info()
        return pp_jpeg_read_header(jpeg, &info) == PP_OK ? colour(info) : nil
    }

    /// Whether the picture is neither RGB nor grey.
    static func isCMYK(_ file: Descriptor) -> Bool {
        guard let jpeg = pp_jpeg_make(file.rawValue, 0, Int.max) else { return false }
        defer { pp_jpeg_free(jpeg) }
        var info = pp_jpeg_info()
        return pp_jpeg_read_header(jpeg, &info) == PP_OK
            && (info.model == PP_CMYK || info.model == PP_CMYK_INVERTED)
    }

    /// CMYK is converted during decoding, so its profile does not apply to the result.
    private static func colour(_ info: pp_jpeg_info) -> ColourDescription? {
        guard info.model == PP_RGB || info.model == PP_GREY else { return nil }
        return ColourDescription(
            info.profile, count: info.profile_size, isGrey: info.model == PP_GREY)
    }

    /// Whether details were skipped because they do not show at 1/8; the pixels are unaffected.
    var isShort: Bool { pp_jpeg_is_short(jpeg) != 0 }

    deinit {
        pp_jpeg_free(jpeg)
    }

    mutating func read(into row: UnsafeMutablePointer<UInt8>) throws(PixelError) -> Bool {
        let status = pp_jpeg_read_row(jpeg, row)
        try check(status)
        return status == PP_OK
    }
}
