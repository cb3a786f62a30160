// SPDX-License-Identifier: MIT

import Glibc

/// A failure of the connection or an invalid message, below the level of D-Bus errors.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `errno` value from libsystemd.
    package let code: CInt
    /// The call that failed.
    package let operation: String

    package init(code: CInt, operation: String) {
        self.code = code
        self.operation = operation
    }

    /// Whether a message was not sent, or not read, because it holds too much.
    package var isMessageTooLarge: Bool { code == EMSGSIZE }

    package var description: String {
        "\(operation): \(String(cString: strerror(code)))"
    }

    /// An error for a message whose content is not what its reader expects.
    static func malformed(_ operation: String) -> WireError {
        WireError(code: EBADMSG, operation: operation)
    }
}

/// Converts libsystemd's result, `-errno` on failure, to an error; every call here goes through it.
@discardableResult
func check(_ result: CInt, _ operation: StaticString) throws(WireError) -> CInt {
    guard result >= 0 else { throw WireError(code: -result, operation: "\(operation)") }
    return result
}
