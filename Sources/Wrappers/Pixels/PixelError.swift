// SPDX-License-Identifier: MIT

/// Why a file did not become a picture.
package enum PixelError: Error, Hashable, Sendable {
    /// The file breaks the rules of its format so early that there is nothing to show.
    case damaged
    /// It claims more pixels than ``Photos/PixelLimits`` allow, or needs more memory than there is.
    case tooLarge
    /// The format, or this variant of it, is not read.
    case unsupported
    /// The file cannot be read at all.
    case unreadable
}
