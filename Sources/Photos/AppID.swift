// SPDX-License-Identifier: MIT

/// The id of an app, such as `org.gnome.Maps`; empty if the app is unknown.
package struct AppID: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    package let rawValue: String

    /// Makes the id of a sandboxed app; nil for a text that is not a valid id.
    ///
    /// An id has at most 255 bytes and two or more elements between dots, each of letters, digits
    /// and `_`; the last one may also contain `-`.
    ///
    /// - Source: D-Bus Specification, “Bus names”, with the change that the portals make: an
    ///   element may begin with a digit.
    package init?(_ text: String) {
        guard Self.isValid(text) else { return nil }
        rawValue = text
    }

    /// Makes an id that a trusted peer vouches for; the id of a host app may be just `firefox`.
    package init(vouchedFor text: String) {
        rawValue = text
    }

    package init(stringLiteral literal: String) {
        rawValue = literal
    }

    package static let unknown: AppID = ""

    package var isKnown: Bool { !rawValue.isEmpty }

    package var description: String { rawValue }

    private static func isValid(_ text: String) -> Bool {
        let elements = text.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 255, elements.count > 1 else { return false }
        return elements.enumerated().allSatisfy { index, element in
            !element.isEmpty
                && element.allSatisfy { byte in
                    isWordCharacter(byte)
                        || byte == UInt8(ascii: "-") && index == elements.count - 1
                }
        }
    }

    private static func isWordCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
