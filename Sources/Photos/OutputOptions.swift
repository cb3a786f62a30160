// SPDX-License-Identifier: MIT

/// How an app wants the files that it gets.
package struct OutputOptions: Hashable, Sendable {
    package var representation = Representation.original
    /// The types that it takes, the preferred one first; none for any type.
    package var formats: [OutputFormat] = []
    /// The longest side in pixels, nil for any.
    package var maximumSide: Int?
    /// The most bytes of a file, nil for any number.
    package var maximumByteCount: UInt64?
    /// Of lossy compression, 1…100.
    package var quality = 90

    package init() {}

    package static let qualities = 1...100
}

/// What of a photo an app gets.
package enum Representation: String, CaseIterable, Sendable {
    /// The file as it lies.
    case original
    /// Upright, in sRGB, in a format that everybody reads.
    case compatible
    /// The same, and no larger than ``PreviewRule`` says.
    case preview
}

/// The formats that we write.
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

    /// The format of a type; nil when it is not written.
    package init?(_ type: MediaType) {
        guard let format = Self.allCases.first(where: { $0.mediaType == type }) else { return nil }
        self = format
    }

    /// The longest side that a picture can have.
    ///
    /// - Source: ITU-T T.81, B.2.2; RFC 9649, 2.6; our own limit for PNG.
    package var maximumSide: Int {
        switch self {
        case .jpeg, .png: PixelLimits.maximumSide
        case .webP: 16_383
        }
    }

    /// The most pixels that are written: what the encoders' memory holds.
    package var maximumPixels: Int {
        switch self {
        case .jpeg: 50_000_000
        case .png, .webP: 25_000_000
        }
    }

    /// The format for a picture that has to be written again.
    ///
    /// - Parameters:
    ///   - type: The type it has.
    ///   - accepted: The types that are taken; none for any.
    package static func `for`(_ type: MediaType, accepting accepted: [OutputFormat]) -> OutputFormat
    {
        if let own = OutputFormat(type), accepted.isEmpty || accepted.contains(own) { return own }
        if let first = accepted.first { return first }
        // Drawings, and what may be transparent, against photographs.
        switch type {
        case .gif, .svg, .bmp, .icon: return .png
        default: return .jpeg
        }
    }
}
