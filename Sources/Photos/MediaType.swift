// SPDX-License-Identifier: MIT

/// A MIME type such as `image/jpeg`, in lower case.
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    /// Makes a type from its name; nil if the name is not of the form `type/subtype`.
    ///
    /// - Source: RFC 6838, 4.2: at most 127 characters on each side.
    package init?(_ name: String) {
        // In one pass: lists read one for each photo.
        var (count, hasSlash, hasCapitals) = (0, false, false)
        for byte in name.utf8 {
            if byte == UInt8(ascii: "/") {
                guard count > 0, !hasSlash else { return nil }
                (count, hasSlash) = (0, true)
                continue
            }
            guard count < 127, Self.isRestricted(byte, atStart: count == 0) else { return nil }
            count += 1
            hasCapitals = hasCapitals || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
        guard hasSlash, count > 0 else { return nil }
        rawValue = hasCapitals ? name.lowercased() : name
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

    /// Whether a byte may be in the name of one side.
    private static func isRestricted(_ byte: UInt8, atStart: Bool) -> Bool {
        if isLetterOrDigit(byte) { return true }
        return switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "&"),
            UInt8(ascii: "-"), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "+"):
            !atStart
        default: false
        }
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
