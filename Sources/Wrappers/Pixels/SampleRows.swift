// SPDX-License-Identifier: MIT

internal import CCodecs
import Photos

/// A picture whose pixels are stored consecutively, without compression.
///
/// For formats that need no library. The conversion is in C, so that large pictures are fast even
/// in a debug build.
struct SampleRows: RowDecoder, ~Copyable {
    /// The format of a pixel.
    struct Layout {
        enum Channels: Int { case grey = 1, rgb = 3 }

        let channels: Channels
        /// The value of white, 1...65535; above 255 a sample has two bytes, in big-endian order.
        let maximum: Int

        var bytesPerSample: Int { maximum > 255 ? 2 : 1 }
        var bytesPerPixel: Int { channels.rawValue * bytesPerSample }
    }

    let size: PixelSize
    let format = Bitmap.Format.rgb
    let colour: ColourDescription? = nil
    private let samples: Block
    private let layout: Layout
    private var next = 0

    /// Starts decoding.
    ///
    /// - Parameter samples: The rows from top to bottom, without padding. Rows that are missing
    ///   from a truncated file stay black.
    init(_ samples: Block, size: PixelSize, _ layout: Layout) throws(PixelError) {
        guard PixelLimits.allow(size) else { throw .tooLarge }
        guard (1...65_535).contains(layout.maximum) else { throw .damaged }
        self.samples = samples
        self.size = size
        self.layout = layout
    }

    mutating func read(into row: UnsafeMutablePointer<UInt8>) throws(PixelError) -> Bool {
        guard next < size.height else { return false }
        let count = size.width * layout.bytesPerPixel
        let bytes = samples.bytes(at: next * count, count: count)
        guard bytes.count == count else { throw .damaged }
        bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            pp_samples_to_rgb(
                start, size.width, UInt32(layout.channels.rawValue),
                UInt32(layout.bytesPerSample), UInt32(layout.maximum), row)
        }
        next += 1
        return true
    }
}
