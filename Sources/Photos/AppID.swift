// SPDX-License-Identifier: MIT

/// The ids of apps, such as `org.gnome.Maps`.
package enum AppID {
    /// Whether a text is an id: at most 255 bytes, two or more elements between dots, each of
    /// letters, digits and `_`, the last one also of `-`.
    ///
    /// - Source: D-Bus Specification, “Bus names”, as the portals narrow it: a digit may begin
    ///   an element.
    package static func isValid(_ text: String) -> Bool {
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
