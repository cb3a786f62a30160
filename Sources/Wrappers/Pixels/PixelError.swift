// SPDX-License-Identifier: MIT

import Glibc

/// Why a file could not be decoded.
package enum PixelError: Error, Hashable, Sendable {
    /// The file is damaged so early that there is nothing to show.
    case damaged
    /// It claims more pixels than ``Photos/PixelLimits`` allow, or needs more memory than is
    /// available.
    case tooLarge
    /// The format, or this variant of it, is not supported.
    case unsupported
    /// The file needs a newer libheif than the one that is installed.
    case needsLibheif
    /// The file may need a newer LibRaw than the one that is installed.
    case needsLibRaw
    /// The location cannot be removed from the file.
    case locationStays
    /// The file cannot be read at all.
    case unreadable
    /// A file that was made of it turned out to be wrong when it was read again.
    case miswritten
}

extension PixelError {
    /// Makes sure that there is memory for a picture: an array for which there is none ends the program.
    ///
    /// - Throws: ``tooLarge``
    static func expectMemory(for byteCount: Int) throws(PixelError) {
        // Not with malloc, which an optimizer may leave out because the memory is not used.
        let memory = mmap(
            nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { throw .tooLarge }
        munmap(memory, byteCount)
    }
}
