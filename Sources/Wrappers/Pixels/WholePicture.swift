// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// A picture from a codec that decodes it as a whole, returned row by row.
struct WholePicture: RowDecoder, ~Copyable {
    let size: PixelSize
    let format: Bitmap.Format
    let colour: ColourDescription?
    private var picture: pp_picture
    private var next = 0

    /// Has a codec decode the picture.
    ///
    /// - Parameter decode: Fills in a picture, which is zeroed.
    init(_ decode: (inout pp_picture) -> pp_status) throws(PixelError) {
        var picture = pp_picture()
        let status = decode(&picture)
        do throws(PixelError) {
            try check(status)
            guard picture.pixels != nil, picture.width > 0, picture.height > 0,
                picture.stride >= Int(picture.width) * Int(picture.channels)
            else { throw .damaged }
        } catch {
            pp_picture_free(&picture)
            throw error
        }
        self.picture = picture
        size = PixelSize(width: Int(picture.width), height: Int(picture.height))
        format = picture.channels == 4 ? .rgba : .rgb
        if let profile = ColourDescription(
            picture.profile, count: picture.profile_size, isGrey: Self.hasGreyProfile(picture))
        {
            colour = profile
        } else if picture.primaries != 0 {
            colour = .numbers(primaries: picture.primaries, transfer: picture.transfer)
        } else {
            colour = nil
        }
    }

    /// Whether the profile is one of grey pictures, and the picture is grey.
    ///
    /// - Source: ICC.1:2022, 7.2.6: the data colour space, at byte 16.
    private static func hasGreyProfile(_ picture: pp_picture) -> Bool {
        guard let profile = picture.profile, picture.profile_size >= 20,
            let pixels = picture.pixels,
            UnsafeBufferPointer(start: profile + 16, count: 4).elementsEqual("GRAY".utf8)
        else { return false }
        let channels = Int(picture.channels)
        return (0..<Int(picture.height)).allSatisfy { y in
            let row = pixels + y * picture.stride
            return stride(from: 0, to: Int(picture.width) * channels, by: channels).allSatisfy {
                row[$0] == row[$0 + 1] && row[$0] == row[$0 + 2]
            }
        }
    }

    deinit {
        var picture = picture
        pp_picture_free(&picture)
    }

    mutating func read(into row: UnsafeMutablePointer<UInt8>) throws(PixelError) -> Bool {
        guard next < size.height, let pixels = picture.pixels else { return false }
        row.update(
            from: pixels + next * picture.stride, count: size.width * format.bytesPerPixel)
        next += 1
        return true
    }
}
