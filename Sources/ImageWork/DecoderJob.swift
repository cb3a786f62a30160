// SPDX-License-Identifier: MIT

package import Photos
package import Platform

/// What a decoder is asked to do. Each job comes with one open file.
package enum DecoderJob: Hashable, Sendable {
    /// Read the header.
    case probe
    /// Decode to fit a square and give the pixels, and with texts also a PNG file that holds them.
    case thumbnail(side: Int, texts: [Text])
    /// Check that a cached thumbnail has these texts, and decode it.
    case readThumbnail(texts: [Text])

    /// A keyword of a PNG `tEXt` chunk with its text.
    package struct Text: Hashable, Sendable {
        package let keyword: String
        package let text: String

        package init(_ keyword: String, _ text: String) {
            self.keyword = keyword
            self.text = text
        }
    }
}

/// What a decoder answers.
package enum DecoderReply: Sendable {
    case facts(ImageFacts)
    /// Pixels, and a PNG file when one was asked for.
    case picture(RawPicture, png: Descriptor?)
    /// The cached thumbnail is not the one of this file, or not of this version of it.
    case stale
    case failed(DecodeError)
}

/// Why there is no picture.
package enum DecodeError: UInt8, Error, Hashable, Sendable {
    case damaged = 1
    case tooLarge = 2
    case unsupported = 3
    case unreadable = 4
    /// The decoder died over the file, twice.
    case crashed = 5
    case timedOut = 6
    /// Nobody wants the result any more.
    case cancelled = 7
    /// No decoder can be started.
    case unavailable = 8
    /// What the decoder answered makes no sense.
    case garbage = 9
}

/// A decoded picture in a sealed memory file.
package struct RawPicture: Sendable {
    package let size: PixelSize
    /// Whether a pixel is RGBA, with colour not multiplied, or RGB.
    package let hasAlpha: Bool
    /// Rows top to bottom, `size.width * (hasAlpha ? 4 : 3)` bytes each.
    package let file: Descriptor

    package init(size: PixelSize, hasAlpha: Bool, file: Descriptor) {
        self.size = size
        self.hasAlpha = hasAlpha
        self.file = file
    }

    package var stride: Int { size.width * (hasAlpha ? 4 : 3) }
}
