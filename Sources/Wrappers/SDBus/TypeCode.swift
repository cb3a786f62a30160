// SPDX-License-Identifier: MIT

/// The first character of a D-Bus type, as libsystemd takes it, such as `s` for a string; or the
/// kind of a container: `a` for an array, `r` for a structure, `e` for an entry of a dictionary.
struct TypeCode: RawRepresentable, Hashable, Sendable {
    let rawValue: CChar
}

extension TypeCode: ExpressibleByUnicodeScalarLiteral {
    init(unicodeScalarLiteral scalar: Unicode.Scalar) {
        rawValue = CChar(truncatingIfNeeded: scalar.value)
    }
}

extension TypeCode: CustomStringConvertible {
    var description: String { String(Unicode.Scalar(UInt8(bitPattern: rawValue))) }
}
