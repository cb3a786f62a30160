// SPDX-License-Identifier: MIT

/// The number in front of a request's results: the only place that knows it.
package enum ResponseCode: UInt32, Sendable {
    case success = 0
    case cancelled = 1
    case ended = 2

    /// The meaning of a number from a peer; unknown numbers mean that it ended somehow.
    package init(_ rawValue: UInt32) {
        self = ResponseCode(rawValue: rawValue) ?? .ended
    }
}
