// SPDX-License-Identifier: MIT

import Photos

extension Bitmap {
    /// The colour that most of the picture has, roughly; nil if any part of it is transparent.
    ///
    /// Similar colours count as one, and the result is their mean: it stands for the picture better than
    /// the mean of all pixels, which for a red coat in the snow is neither red nor white.
    var dominantColour: PhotoColour? {
        var counts = [Int](repeating: 0, count: Self.groups)
        var sums = [(red: Int, green: Int, blue: Int)](repeating: (0, 0, 0), count: Self.groups)
        for start in Swift.stride(from: 0, to: bytes.count, by: format.bytesPerPixel) {
            if format == .rgba, bytes[start + 3] < .max { return nil }
            let (red, green, blue) = (bytes[start], bytes[start + 1], bytes[start + 2])
            // The two upper bits of each channel.
            let group = Int(red >> 6) << 4 | Int(green >> 6) << 2 | Int(blue >> 6)
            counts[group] += 1
            sums[group].red += Int(red)
            sums[group].green += Int(green)
            sums[group].blue += Int(blue)
        }
        guard let group = counts.indices.max(by: { counts[$0] < counts[$1] }), counts[group] > 0
        else { return nil }
        let (sum, count) = (sums[group], counts[group])
        return PhotoColour(
            red: UInt8(clamping: sum.red / count), green: UInt8(clamping: sum.green / count),
            blue: UInt8(clamping: sum.blue / count))
    }

    /// The kinds of colours that are told apart.
    private static let groups = 64
}
