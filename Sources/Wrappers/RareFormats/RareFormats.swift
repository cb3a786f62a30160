// SPDX-License-Identifier: MIT

internal import CRare
import Files
import Photos
import Pixels

/// The codecs that only `photo-portal-rare` contains: OpenJPEG, OpenEXR, LibRaw and librsvg.
package enum RareFormats {
    /// Makes Pixels use the codecs; call it before the first file is decoded.
    package static func install() {
        ReadFailures.add { pp_rare_take_read_failure() != 0 }
        pp_rare_prepare_drawings()
        ExtraCodec.drawing.install { file, size throws(PixelError) in
            try picture {
                pp_rare_decode_drawing(
                    file.rawValue, UInt32(clamping: size.width), UInt32(clamping: size.height), &$0)
            }
        }
        ExtraCodec.jpeg2000.install { file, size throws(PixelError) in
            try picture { pp_rare_decode_jpeg2000(file.rawValue, longestSide(size), &$0) }
        }
        ExtraCodec.openEXR.install { file, _ throws(PixelError) in
            try picture { pp_rare_decode_exr(file.rawValue, &$0) }
        }
        ExtraCodec.raw.install { file, size throws(PixelError) in
            try picture { pp_rare_decode_raw(file.rawValue, longestSide(size), &$0) }
        }
    }

    /// Chooses the fonts for texts in drawings; the process uses no others afterwards.
    package static func chooseFonts() {
        pp_rare_choose_fonts()
    }

    /// Opens the fonts for a process that is about to lose the right to open files.
    ///
    /// Pango looks for fonts in a thread of its own, which lives as long as the process.
    package static func openFonts() {
        pp_rare_open_fonts()
    }

    private static func longestSide(_ size: PixelSize) -> UInt32 {
        UInt32(clamping: max(size.width, size.height))
    }

    private static func picture(
        _ decode: (inout pp_rare_picture) -> pp_rare_status
    ) throws(PixelError) -> ExtraPicture {
        var picture = pp_rare_picture()
        let status = decode(&picture)
        defer { picture.profile?.deallocate() }
        guard status == PP_RARE_OK, let pixels = picture.pixels else {
            picture.pixels?.deallocate()
            switch status {
            case PP_RARE_TOO_LARGE: throw .tooLarge
            case PP_RARE_UNSUPPORTED: throw .unsupported
            case PP_RARE_TOO_NEW: throw .needsLibRaw
            default: throw .damaged
            }
        }
        let profile = picture.profile.map {
            Array(UnsafeBufferPointer(start: $0, count: picture.profile_size))
        }
        return ExtraPicture(
            size: PixelSize(width: Int(picture.width), height: Int(picture.height)),
            content: picture.is_light != 0 ? .light : .bytes, hasAlpha: picture.has_alpha != 0,
            isPremultiplied: picture.is_premultiplied != 0, profile: profile, pixels: pixels)
    }
}
