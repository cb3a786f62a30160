// SPDX-License-Identifier: MIT

/// The decoders of pictures, which differ in the libraries that they contain.
package enum PictureDecoderKind: Hashable, Sendable {
    case usual
    /// That of HEIF, AVIF and JPEG XL, which reads their headers, too.
    case heif
    /// That of rare formats, whose headers every decoder reads.
    case rare
}

/// The facts about a media type that do not depend on a file: one row of ``MediaType/table``.
package struct MediaTypeEntry: Sendable {
    package let type: MediaType
    /// The usual extension of files of this type, without a dot.
    package let fileExtension: String
    /// Other extensions of such files, in lower case.
    package let otherExtensions: [String]
    /// Other names of the type, in lower case.
    package let aliases: [String]
    /// Whether a changed pixel changes most of the file after it, so that samples are enough to
    /// compare two files.
    package let isCompressed: Bool
    /// The format to convert such a picture to if the app accepts any format; nil for videos.
    package let conversion: OutputFormat?
    /// The decoder of such pictures.
    package let decoder: PictureDecoderKind
    /// The signatures of files of this type.
    ///
    /// Empty for types that only the reader of their directories can distinguish.
    package let signatures: [FileSignature]

    /// A row for a type of picture.
    ///
    /// - Parameter conversion: `.png` for drawings and pictures that may be transparent, `.jpeg`
    ///   for photographs.
    static func picture(
        _ type: MediaType, _ fileExtension: String, others: [String] = [], aliases: [String] = [],
        isCompressed: Bool, conversion: OutputFormat, by decoder: PictureDecoderKind = .usual,
        _ signatures: FileSignature...
    ) -> MediaTypeEntry {
        MediaTypeEntry(
            type: type, fileExtension: fileExtension, otherExtensions: others, aliases: aliases,
            isCompressed: isCompressed, conversion: conversion, decoder: decoder,
            signatures: signatures)
    }

    /// A row for a type of video.
    static func video(
        _ type: MediaType, _ fileExtension: String, others: [String] = [], aliases: [String] = [],
        _ signatures: FileSignature...
    ) -> MediaTypeEntry {
        MediaTypeEntry(
            type: type, fileExtension: fileExtension, otherExtensions: others, aliases: aliases,
            isCompressed: true, conversion: nil, decoder: .usual, signatures: signatures)
    }
}

// MARK: - Looking up

extension MediaType {
    /// Every type that we recognize, by its signature or its directories.
    package static let recognized = table.map(\.type)

    private static let entries = Dictionary(
        table.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })

    /// The row of this type; nil for a type that we do not recognize.
    package var entry: MediaTypeEntry? { Self.entries[self] }

    /// The usual extension of files of this type, without a dot; nil for a type that we do not
    /// recognize.
    package var fileExtension: String? { entry?.fileExtension }

    /// The recognized types of which a name is an alias; nil if there is none.
    ///
    /// - Parameter name: The name, in lower case.
    package static func aliased(_ name: String) -> [MediaType] {
        let aliased = table.filter { $0.aliases.contains(name) }.map(\.type)
        return aliased.isEmpty ? [] : recognized.filter { $0.rawValue == name } + aliased
    }

    /// The recognized type of files with an extension.
    ///
    /// - Parameter fileExtension: The extension in lower case, without a dot.
    static func ofExtension(_ fileExtension: String) -> MediaType? {
        table.first {
            $0.fileExtension == fileExtension || $0.otherExtensions.contains(fileExtension)
        }?.type
    }
}
