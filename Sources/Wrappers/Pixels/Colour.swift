// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos
import Synchronization

/// The colour space of a file; without one, colours are sRGB.
enum ColourDescription: Hashable, Sendable {
    /// An ICC profile, and whether the picture is grey.
    case profile([UInt8], isGrey: Bool)
    /// Colour primaries and transfer characteristics.
    ///
    /// - Source: ITU-T H.273, 8.1 and 8.2.
    case numbers(primaries: UInt16, transfer: UInt16)
    /// The exponent of the curve, or 0 for that of sRGB; x and y of white, red, green and blue, or
    /// nothing for those of sRGB.
    case values(gamma: Double, chromaticities: [Double])

    /// The profile that a codec provides; nil if there is none.
    init?(_ profile: UnsafePointer<UInt8>?, count: Int, isGrey: Bool) {
        guard let profile, count > 0 else { return nil }
        self = .profile(
            Array(UnsafeBufferPointer(start: profile, count: count)), isGrey: isGrey)
    }

    /// Whether the colours are sRGB, or the profile is unusable.
    var isStandard: Bool {
        ColourConversion.to(sRGB: self, channels: Bitmap.Format.rgb.bytesPerPixel) == nil
    }
}

extension Bitmap {
    /// The picture converted to sRGB.
    ///
    /// A profile that is damaged or belongs to another kind of picture is ignored, and the colours
    /// are unchanged.
    func converted(from colour: ColourDescription?) -> Bitmap {
        guard let colour,
            let conversion = ColourConversion.to(sRGB: colour, channels: format.bytesPerPixel)
        else { return self }
        var converted = bytes
        converted.withUnsafeMutableBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            for y in 0..<size.height {
                conversion.convert(start + y * stride, count: size.width)
            }
        }
        return Bitmap(size: size, format: format, bytes: converted)
    }
}

/// A conversion of pixels to sRGB.
private final class ColourConversion: Sendable {
    /// The most recent conversions, latest first, including those that turned out to change nothing.
    ///
    /// Making one takes milliseconds, and a person's photos come from a few cameras.
    private static let recent = Mutex<[Entry]>([])
    private static let capacity = 4

    private struct Entry {
        let colour: ColourDescription
        let channels: Int
        let conversion: ColourConversion?
    }

    // lcms's transforms are immutable while they convert.
    private nonisolated(unsafe) let transform: OpaquePointer

    private init(_ transform: OpaquePointer) {
        self.transform = transform
    }

    deinit {
        pp_colour_free(transform)
    }

    /// The conversion from a colour space; nil if there is nothing to convert.
    static func to(sRGB colour: ColourDescription, channels: Int) -> ColourConversion? {
        recent.withLock { recent in
            let index = recent.firstIndex { $0.channels == channels && $0.colour == colour }
            let entry =
                index.map { recent.remove(at: $0) }
                ?? Entry(
                    colour: colour, channels: channels,
                    conversion: make(colour, channels: channels))
            recent.insert(entry, at: 0)
            if recent.count > capacity { recent.removeLast() }
            return entry.conversion
        }
    }

    private static func make(_ colour: ColourDescription, channels: Int) -> ColourConversion? {
        let transform =
            switch colour {
            case .profile(let bytes, let isGrey):
                pp_colour_from_profile(
                    bytes, bytes.count, isGrey ? PP_GREY : PP_RGB, UInt32(channels))
            case .numbers(let primaries, let transfer):
                pp_colour_from_numbers(primaries, transfer, UInt32(channels))
            case .values(let gamma, let chromaticities):
                chromaticities.withUnsafeBufferPointer {
                    pp_colour_from_values(
                        gamma, $0.count == 8 ? $0.baseAddress : nil, UInt32(channels))
                }
            }
        return transform.map { ColourConversion($0) }
    }

    /// Converts a row in place.
    func convert(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
        pp_colour_convert(transform, row, row, UInt32(count))
    }
}
