// SPDX-License-Identifier: MIT

import Glibc

/// A failure of the connection or of a message's form, below any D-Bus error.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `errno` value that libsystemd gave.
    package let code: CInt
    /// The call that failed.
    package let operation: String

    package init(code: CInt, operation: String) {
        self.code = code
        self.operation = operation
    }

    package var description: String {
        "\(operation): \(String(cString: strerror(code)))"
    }

    /// A message whose content is not what its reader expected.
    static func malformed(_ operation: String) -> WireError {
        WireError(code: EBADMSG, operation: operation)
    }
}

/// Decodes libsystemd's return convention, `-errno`; every call of this module goes through it.
@discardableResult
func check(_ result: CInt, _ operation: StaticString) throws(WireError) -> CInt {
    guard result >= 0 else { throw WireError(code: -result, operation: "\(operation)") }
    return result
}
