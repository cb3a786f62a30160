// SPDX-License-Identifier: MIT

/// What we know of a media type before a file of it is opened: one row of ``MediaType/table``.
package struct MediaTypeEntry: Sendable {
    package let type: MediaType
    /// What the name of a file of this type ends with, without a dot.
    package let fileExtension: String
    /// Other extensions of such files, in lower case.
    package let otherExtensions: [String]
    /// Other names of the type, in lower case.
    package let aliases: [String]
    /// Whether a changed pixel changes much of what follows it in the file, so that samples are
    /// enough to compare two files.
    package let isCompressed: Bool
    /// The format that such a picture is converted to for an app that accepts any; nil for videos.
    package let conversion: OutputFormat?
    /// How files of this type begin.
    ///
    /// None for types that only the reader of their directories can
    /// tell from another type.
    package let signatures: [FileSignature]

    /// A row for a type of pictures.
    ///
    /// - Parameter conversion: `.png` for drawings and what may be transparent, `.jpeg` for
    ///   photographs.
    static func picture(
        _ type: MediaType, _ fileExtension: String, others: [String] = [], aliases: [String] = [],
        isCompressed: Bool, conversion: OutputFormat, _ signatures: FileSignature...
    ) -> MediaTypeEntry {
        MediaTypeEntry(
            type: type, fileExtension: fileExtension, otherExtensions: others, aliases: aliases,
            isCompressed: isCompressed, conversion: conversion, signatures: signatures)
    }

    /// A row for a type of videos.
    static func video(
        _ type: MediaType, _ fileExtension: String, others: [String] = [], aliases: [String] = [],
        _ signatures: FileSignature...
    ) -> MediaTypeEntry {
        MediaTypeEntry(
            type: type, fileExtension: fileExtension, otherExtensions: others, aliases: aliases,
            isCompressed: true, conversion: nil, signatures: signatures)
    }
}

// MARK: - Looking up

extension MediaType {
    /// Every type that we recognize, by its content or by its directories.
    package static let recognized = table.map(\.type)

    private static let entries = Dictionary(
        table.map { ($0.type, $0) }, uniquingKeysWith: { first, _ in first })

    /// The row of this type; nil for types that we do not recognize.
    package var entry: MediaTypeEntry? { Self.entries[self] }

    /// What the name of a file of this type ends with, without a dot; nil for types that are not
    /// recognized.
    package var fileExtension: String? { entry?.fileExtension }

    /// The recognized types that a name stands for, if it is an alias of at least one.
    ///
    /// - Parameter name: In lower case.
    static func aliased(_ name: String) -> [MediaType] {
        let aliased = table.filter { $0.aliases.contains(name) }.map(\.type)
        return aliased.isEmpty ? [] : recognized.filter { $0.rawValue == name } + aliased
    }

    /// The recognized type of files whose name has an extension.
    ///
    /// - Parameter fileExtension: In lower case, without a dot.
    static func ofExtension(_ fileExtension: String) -> MediaType? {
        table.first {
            $0.fileExtension == fileExtension || $0.otherExtensions.contains(fileExtension)
        }?.type
    }
}
