// SPDX-License-Identifier: MIT

/// The dominant colour of a photo, in sRGB.
package struct PhotoColour: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Reads a number that ``number`` made; nil for any other.
    package init?(number: Int) {
        guard (0...0xFF_FFFF).contains(number) else { return nil }
        self.init(
            red: UInt8(number >> 16), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
    }

    /// The channels in one number, as in `0xRRGGBB`.
    package var number: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }
}
