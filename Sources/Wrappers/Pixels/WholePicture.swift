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
            picture.profile, count: picture.profile_size, isGrey: false)
        {
            colour = profile
        } else if picture.primaries != 0 {
            colour = .numbers(primaries: picture.primaries, transfer: picture.transfer)
        } else {
            colour = nil
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
