// SPDX-License-Identifier: MIT

/// A MIME type such as `image/jpeg`, in lower case.
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// Makes a type from its name; nil if the name is not of the form `type/subtype`.
    ///
    /// - Source: RFC 6838, 4.2: at most 127 characters on each side.
    package init?(_ name: String) {
        let halves = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ Self.isRestrictedName($0) }) else {
            return nil
        }
        rawValue = name.lowercased()
    }

    /// Makes one of the types that we recognize.
    init(known name: String) {
        rawValue = name
    }

    package var description: String { rawValue }

    /// Whether it is a still or animated picture.
    package var isImage: Bool { rawValue.hasPrefix("image/") }
    /// Whether it is a video.
    package var isVideo: Bool { rawValue.hasPrefix("video/") }

    private static func isRestrictedName(_ name: Substring.UTF8View.SubSequence) -> Bool {
        guard (1...127).contains(name.count), let first = name.first else { return false }
        return isLetterOrDigit(first)
            && name.allSatisfy { isLetterOrDigit($0) || "!#$&-^_.+".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
