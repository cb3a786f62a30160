// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// What a file says of the meaning of its colours; without one they are sRGB.
enum ColourDescription: Hashable, Sendable {
    /// An ICC profile, and whether the picture is grey.
    case profile([UInt8], isGrey: Bool)
    /// Colour primaries and transfer characteristics.
    ///
    /// - Source: ITU-T H.273, 8.1 and 8.2.
    case numbers(primaries: UInt16, transfer: UInt16)

    /// The profile that a codec lends; nil without one.
    init?(_ profile: UnsafePointer<UInt8>?, count: Int, isGrey: Bool) {
        guard let profile, count > 0 else { return nil }
        self = .profile(
            Array(UnsafeBufferPointer(start: profile, count: count)), isGrey: isGrey)
    }
}

extension Bitmap {
    /// The picture in the colours of sRGB.
    ///
    /// A profile that is damaged or belongs to another kind of picture is ignored: the colours
    /// stay what they are.
    func converted(from colour: ColourDescription?) -> Bitmap {
        guard let colour, let conversion = colour.conversion(channels: format.bytesPerPixel)
        else { return self }
        defer { pp_colour_free(conversion) }
        var converted = bytes
        converted.withUnsafeMutableBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            for y in 0..<size.height {
                let row = start + y * stride
                pp_colour_convert(conversion, row, row, UInt32(size.width))
            }
        }
        return Bitmap(size: size, format: format, bytes: converted)
    }
}

extension ColourDescription {
    /// The codec's conversion, owned by the caller; nil when there is nothing to convert.
    fileprivate func conversion(channels: Int) -> OpaquePointer? {
        switch self {
        case .profile(let bytes, let isGrey):
            pp_colour_from_profile(
                bytes, bytes.count, isGrey ? PP_GREY : PP_RGB, UInt32(channels))
        case .numbers(let primaries, let transfer):
            pp_colour_from_numbers(primaries, transfer, UInt32(channels))
        }
    }
}
