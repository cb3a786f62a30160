// SPDX-License-Identifier: MIT

package import Web
import WebFetch

/// Whom the program that fetches believes, and where it goes.
package struct FetchPolicy: Sendable {
    /// The file with the authorities that vouch for servers, in PEM; nil for that of the system.
    package let authorities: String?
    /// How long a picture may take, with all redirects.
    package let patience: Duration
    /// Whether to connect to an address.
    package let permits: @Sendable (InternetAddress) -> Bool

    package init(
        authorities: String?, patience: Duration,
        permits: @escaping @Sendable (InternetAddress) -> Bool
    ) {
        self.authorities = authorities
        self.patience = patience
        self.permits = permits
    }

    /// What everybody can reach, and nothing else.
    package static let web = FetchPolicy(authorities: nil, patience: FetchLimits.patience) {
        $0.isPublic
    }
}
