// SPDX-License-Identifier: MIT

/// What a picture of the web may cost.
package enum FetchLimits {
    /// The most bytes of a picture.
    package static let mostBytes: Int64 = 64 << 20
    /// How long it may take, with all redirects.
    package static let patience = Duration.seconds(60)
    package static let mostRedirects = 5
    /// The longest URI in bytes, also that of a redirect.
    package static let longestURI = 4096
    /// The most times that the progress is reported: every tenth of a second, and once for each server.
    package static let mostReports = 10 * 60 + mostRedirects + 1
    /// The most addresses of a server that are tried.
    package static let mostAddresses = 16
}
