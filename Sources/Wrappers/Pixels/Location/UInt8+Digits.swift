// SPDX-License-Identifier: MIT

extension UInt8 {
    /// The value of a hexadecimal digit in ASCII; nil for anything else.
    var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }

    /// The value of a digit of base 64; nil for anything else.
    ///
    /// - Source: RFC 4648, 4.
    var base64Value: UInt8? {
        switch self {
        case 0x41...0x5A: self - 0x41
        case 0x61...0x7A: self - 0x61 + 26
        case 0x30...0x39: self - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
