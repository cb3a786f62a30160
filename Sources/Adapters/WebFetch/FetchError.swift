// SPDX-License-Identifier: MIT

/// Why a picture could not be fetched.
package enum FetchError: UInt8, Error, Hashable, Sendable, CaseIterable {
    /// The program that fetches is missing, has died, or said nonsense.
    case unavailable = 1
    /// Nobody wants the picture any more.
    case cancelled = 2
    /// There is no way to the server.
    case unreachable = 3
    /// The URI, or one that it redirects to, leads where apps may not send anybody.
    case forbidden = 4
    /// The server has no certificate for its name that this system trusts.
    case insecure = 5
    case timedOut = 6
    /// More bytes than a picture may have.
    case tooLarge = 7
    /// Too many redirects, perhaps in a circle.
    case redirected = 8
    /// The server says that it has no such picture, or does not give it.
    case refused = 9
    /// The answer makes no sense, or ends early.
    case broken = 10
}
