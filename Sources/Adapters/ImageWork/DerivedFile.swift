// SPDX-License-Identifier: MIT

package import Files
import Photos
package import SystemPackage

/// A file that a decoder made from a photo, as a sealed memory file.
package struct DerivedFile: Sendable {
    package let file: Descriptor
    /// Whether the original has a location that this file does not have.
    package let isLocationRemoved: Bool
    /// Whether the pixels changed, not only the metadata.
    package let isConverted: Bool
    /// The parts of the original that these bytes replace, in order.
    ///
    /// The rest of the original is unchanged. Nil if the bytes are a whole file.
    package let parts: [Range<Int64>]?

    /// The most parts in a reply.
    static let maximumParts = 3000
    /// The most bytes of a reply: more than any picture that we write, and than any file that is
    /// changed without being decoded.
    static let maximumByteCount: Int64 = 256 << 20

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

extension DecoderSession {
    /// Makes sure that no place was written to a file between the search and its copying.
    ///
    /// A program that has mapped a photo can change it without changing a date. Only what was made from
    /// a decoder's reply alone was searched as it is.
    ///
    /// - Parameters:
    ///   - copy: The file that was written, which nobody else writes to.
    ///   - derived: What was written; nil if it is the original as it was.
    /// - Throws: `DecodeError`, as for the original.
    package func findsNewPlace(
        in copy: Descriptor, of derived: DerivedFile?
    ) async throws(DecodeError) -> Bool {
        if let derived, derived.parts == nil { return false }
        return try await run(.derive(Derivation(removesLocation: true)), on: copy) != nil
    }
}

extension DerivedFile {
    /// Whether this can be what a derivation makes of a file.
    func isPossible(_ derivation: Derivation, of original: Descriptor) -> Bool {
        let removesMetadata = derivation.removesMetadata
        guard isConverted || isLocationRemoved || removesMetadata,
            // A picture is also written anew if its location cannot be removed otherwise.
            !isConverted || derivation.picture != nil || removesMetadata || isLocationRemoved,
            !isLocationRemoved || derivation.removesLocation, let byteCount = file.byteCount
        else { return false }
        if let parts { return !isConverted && Self.replace(parts, byteCount, original) }
        // A file that cannot be read has no type.
        guard let type = try? MediaType(of: file) else { return false }
        guard isConverted, let picture = derivation.picture else {
            return (try? MediaType(of: original)) == type
        }
        return type == picture.format.mediaType
            && UInt64(clamping: byteCount) <= picture.maximumByteCount ?? .max
    }

    /// Whether some parts are inside a file, in order, and have a number of bytes in all.
    private static func replace(
        _ parts: [Range<Int64>], _ byteCount: Int, _ original: Descriptor
    ) -> Bool {
        var end: Int64 = 0
        var total: Int64 = 0
        for part in parts {
            guard part.lowerBound >= end else { return false }
            end = part.upperBound
            // Cannot overflow: the parts do not overlap.
            total += part.upperBound - part.lowerBound
        }
        return total == byteCount && end <= original.byteCount ?? 0
    }

    /// Writes the file to disk; see ``Files/AtomicFile``.
    ///
    /// - Parameters:
    ///   - original: The file that it was made from.
    ///   - replaces: Whether it replaces a file that has the name already.
    ///   - isCancelled: Asked again and again while a large file is copied.
    /// - Isolation: any thread; blocks as long as the file systems do.
    package func write(
        to path: FilePath, of original: Descriptor, permissions: FilePermissions,
        replaces: Bool = true, isCancelled: () -> Bool = { false }
    ) throws(Errno) {
        let content = try MappedMemory(sealed: file)
        guard let replacements = try replacements(from: content) else {
            return try AtomicFile.write(
                content.bytes, to: path, permissions: permissions, replaces: replaces)
        }
        try AtomicFile.copy(
            original, to: path, permissions: permissions, replacing: replacements,
            replaces: replaces, isCancelled: isCancelled)
        withExtendedLifetime(content) {}
    }

    /// Makes the file that it was made from this file.
    ///
    /// - Isolation: any thread; blocks as long as the file system does.
    package func replace(_ original: borrowing AtomicFile.Draft) throws(Errno) {
        let content = try MappedMemory(sealed: file)
        if let replacements = try replacements(from: content) {
            for (offset, bytes) in replacements { try original.write(bytes, at: offset) }
        } else {
            try original.write(content.bytes)
        }
        withExtendedLifetime(content) {}
    }

    /// The parts with their offsets; nil for a whole file.
    private func replacements(
        from content: borrowing MappedMemory
    ) throws(Errno) -> [(offset: Int64, bytes: UnsafeRawBufferPointer)]? {
        guard let parts else { return nil }
        var rest = content.bytes[...]
        var replacements: [(Int64, UnsafeRawBufferPointer)] = []
        for part in parts {
            guard part.count <= rest.count else { throw .invalidArgument }
            replacements.append(
                (part.lowerBound, UnsafeRawBufferPointer(rebasing: rest.prefix(part.count))))
            rest = rest.dropFirst(part.count)
        }
        return replacements
    }
}

extension MediaType {
    /// The type according to the first bytes of an open file.
    fileprivate init?(of file: Descriptor) throws(Errno) {
        guard
            let type = MediaType.sniffed(
                from: try file.read(upTo: MediaType.sniffedByteCount))
        else { return nil }
        self = type
    }
}
