// SPDX-License-Identifier: MIT

/// What files of one shot have in common, because the camera wrote it into all of them: the picture and the
/// video of a Live Photo, or the pictures of a burst.
package struct ContentIdentifier: Hashable, Sendable {
    /// The most characters; it is a UUID of 36.
    package static let longest = 64

    package let text: String

    /// Nil unless the text consists of letters of ASCII, digits and hyphens.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.longest,
            text.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
