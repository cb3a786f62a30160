// SPDX-License-Identifier: MIT

/// The form in which an app wants its files.
package struct OutputOptions: Hashable, Sendable {
    package var representation = Representation.original
    /// The accepted types, the preferred one first; empty for any type.
    package var formats: [OutputFormat] = []
    /// The maximum side in pixels; nil for any.
    package var maximumSide: Int?
    /// The maximum number of bytes of a file; nil for any.
    package var maximumByteCount: UInt64?
    /// The quality of lossy compression, 1…100.
    package var quality = 90

    package init() {}

    package static let qualities = 1...100
}

/// The version of a photo that an app gets.
package enum Representation: String, CaseIterable, Sendable {
    /// The original file, unchanged.
    case original
    /// Upright, in sRGB, in a widely supported format.
    case compatible
    /// Like ``compatible``, and no larger than ``PreviewRule`` allows.
    case preview
}

/// The formats in which derived files are written.
package enum OutputFormat: UInt8, CaseIterable, Sendable {
    case jpeg = 1
    case png = 2
    case webP = 3

    package var mediaType: MediaType {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webP: .webp
        }
    }

    /// The format for a media type; nil if it cannot be written.
    package init?(_ type: MediaType) {
        guard let format = Self.allCases.first(where: { $0.mediaType == type }) else { return nil }
        self = format
    }

    /// The maximum side of a picture, in pixels.
    ///
    /// - Source: ITU-T T.81, B.2.2; RFC 9649, 2.6; our own limit for PNG.
    package var maximumSide: Int {
        switch self {
        case .jpeg, .png: PixelLimits.maximumSide
        case .webP: 16_383
        }
    }

    /// The maximum number of pixels, limited by the encoder's memory.
    package var maximumPixels: Int {
        switch self {
        case .jpeg: 50_000_000
        case .png, .webP: 25_000_000
        }
    }

    /// Returns the format for a picture that has to be encoded again.
    ///
    /// - Parameters:
    ///   - type: The picture's type.
    ///   - accepted: The accepted formats; empty for any.
    package static func `for`(_ type: MediaType, accepting accepted: [OutputFormat]) -> OutputFormat
    {
        if let own = OutputFormat(type), accepted.isEmpty || accepted.contains(own) { return own }
        if let first = accepted.first { return first }
        return type.entry?.conversion ?? .jpeg
    }
}
