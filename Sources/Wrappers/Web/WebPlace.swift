// SPDX-License-Identifier: MIT

internal import CWeb
import Glibc

/// Where an https URI leads, as libcurl reads it.
package struct WebPlace: Hashable, Sendable {
    package let uri: String
    /// The name of the machine, or its address without brackets.
    package let host: String
    package let port: UInt16

    /// Reads a URI; nil unless it is one of https without user and password.
    ///
    /// - Source: curl_url_set(3), by which the connection goes as well: no other reading could differ.
    package init?(_ uri: String) {
        var port: UInt16 = 0
        guard let host = pp_web_host(uri, &port) else { return nil }
        defer { free(host) }
        self.uri = uri
        self.host = String(cString: host)
        self.port = port
    }

    /// Whether the host is known not to be a machine that anybody can reach: by its address, or by a name
    /// that only this machine or its network knows.
    ///
    /// - Source: RFC 6761, RFC 6762, RFC 8375, RFC 9476, and ICANN's `internal`.
    package var isPrivate: Bool {
        if let address = InternetAddress(host) { return !address.isPublic }
        let labels = host.lowercased().split(separator: ".").map(String.init)
        guard labels.count > 1, let last = labels.last else { return true }
        return ["alt", "internal", "invalid", "lan", "local", "localhost", "onion", "test"]
            .contains(last) || labels.suffix(2) == ["home", "arpa"]
    }
}
