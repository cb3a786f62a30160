// SPDX-License-Identifier: MIT

package import Files
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
    /// Writes the file to disk; see ``Files/AtomicFile``.
    ///
    /// - Parameter original: The file that it was made from.
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
