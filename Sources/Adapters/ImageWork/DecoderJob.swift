// SPDX-License-Identifier: MIT

package import Files
package import Photos
package import SystemPackage

/// What a decoder is asked to do with an open file that comes along.
package enum DecoderJob: Hashable, Sendable {
    /// Say which types can be decoded here; the file is not looked at.
    case supportedTypes
    /// Read the header.
    case probe
    /// Decode to fit a square and give the pixels, and with a subject also a PNG file for the
    /// desktop's thumbnail cache.
    case thumbnail(side: Int, fidelity: Fidelity = .fast, subject: ThumbnailSubject?)
    /// Check that a file of the cache is the thumbnail of the subject, and decode it.
    case readThumbnail(ThumbnailSubject)
    /// Make the empty picture that notes in the cache that the subject cannot be shown.
    case failureMark(ThumbnailSubject)
    /// Make of the file what somebody gets.
    case derive(Derivation)
    /// Say what a file of the cache claims to show.
    case readClaim
    /// Make the thumbnail of the subject from one of the same picture under another URI.
    case adoptThumbnail(of: String, ThumbnailSubject)
}

/// The version of a file that a thumbnail shows.
///
/// - Source: Thumbnail Managing Standard 0.9.0, “Thumbnail attributes”.
package struct ThumbnailSubject: Hashable, Sendable {
    /// The canonical URI.
    package let uri: String
    /// Whole seconds since 1970.
    package let modified: Int64
    package let byteCount: Int64

    /// The longest URI that is looked at, in bytes: every byte of the longest path escaped.
    package static let longestURI = 3 * 4096 + 16

    package init(uri: String, modified: Int64, byteCount: Int64) {
        self.uri = uri
        self.modified = modified
        self.byteCount = byteCount
    }
}

/// What a file of the cache says that it shows.
package struct ThumbnailClaim: Hashable, Sendable {
    package let uri: String
    /// Whole seconds since 1970.
    package let modified: Int64
    package let byteCount: Int64?

    package init(uri: String, modified: Int64, byteCount: Int64?) {
        self.uri = uri
        self.modified = modified
        self.byteCount = byteCount
    }

    /// Whether this is the subject, in the version that it has.
    package func names(_ subject: ThumbnailSubject) -> Bool {
        uri == subject.uri && modified == subject.modified
            && (byteCount ?? subject.byteCount) == subject.byteCount
    }
}

/// What a decoder answers.
package enum DecoderReply: Sendable {
    case types([MediaType])
    case facts(ImageFacts)
    /// Pixels, and a PNG file when one was asked for.
    case picture(RawPicture, png: Descriptor?)
    /// The cached thumbnail is not the one of this file, or not of this version of it.
    case stale
    /// A finished file.
    case derived(DerivedFile)
    /// The file is already as it was asked for.
    case unchanged
    case claim(ThumbnailClaim)
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

/// A file that a decoder made, in a sealed memory file.
package struct DerivedFile: Sendable {
    package let file: Descriptor
    /// Whether a location was in the old file that is not in this one.
    package let isLocationRemoved: Bool
    /// Whether the picture is another one, and not only what is said about it.
    package let isConverted: Bool
    /// What of the old file these bytes stand for, one after the other, the rest being the same;
    /// nil for a whole file.
    package let parts: [Range<Int64>]?

    /// More than there ever are.
    static let maximumParts = 64

    package init(
        file: Descriptor, isLocationRemoved: Bool, isConverted: Bool,
        parts: [Range<Int64>]? = nil
    ) {
        self.file = file
        self.isLocationRemoved = isLocationRemoved
        self.isConverted = isConverted
        self.parts = parts
    }
}

extension DerivedFile {
    /// Writes the file where it belongs; see ``Files/AtomicFile``.
    ///
    /// - Parameter original: The file that it was made of.
    package func write(
        to path: FilePath, of original: Descriptor, permissions: FilePermissions
    ) throws(Errno) {
        let content = try MappedMemory(sealed: file)
        guard let parts else {
            return try AtomicFile.write(content.bytes, to: path, permissions: permissions)
        }
        var rest = content.bytes[...]
        var replacements: [(Int64, UnsafeRawBufferPointer)] = []
        for part in parts {
            guard part.count <= rest.count else { throw .invalidArgument }
            replacements.append(
                (part.lowerBound, UnsafeRawBufferPointer(rebasing: rest.prefix(part.count))))
            rest = rest.dropFirst(part.count)
        }
        try AtomicFile.copy(
            original, to: path, permissions: permissions, replacing: replacements)
        withExtendedLifetime(content) {}
    }
}
