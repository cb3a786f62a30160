// SPDX-License-Identifier: MIT

/// How a request ended, as a number on the bus.
package enum ResponseCode: UInt32, Sendable {
    case success = 0
    case cancelled = 1
    case ended = 2

    /// Reads a number from a peer; unknown numbers mean ``ended``.
    package init(_ rawValue: UInt32) {
        self = ResponseCode(rawValue: rawValue) ?? .ended
    }
}
