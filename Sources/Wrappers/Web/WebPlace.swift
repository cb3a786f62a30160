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
    /// A host that begins with `-` or `+` is none: to `CURLOPT_RESOLVE` that is an order.
    ///
    /// - Source: curl_url_set(3), by which the connection goes as well: no other reading could differ.
    package init?(_ uri: String) {
        var port: UInt16 = 0
        guard let host = pp_web_host(uri, &port) else { return nil }
        defer { free(host) }
        let name = String(cString: host)
        guard !name.hasPrefix("-"), !name.hasPrefix("+") else { return nil }
        self.uri = uri
        self.host = name
        self.port = port
    }

    /// Whether the host is known not to be a machine that anybody can reach: by its address, or by a name
    /// that only this machine or its network knows.
    ///
    /// A name that ends with a number is another way to write an address for some programs, and none of the
    /// web's.
    ///
    /// - Source: RFC 6761, RFC 6762, RFC 8375, RFC 9476, and ICANN's `internal`, `home` and `corp`.
    package var isPrivate: Bool {
        var name = host.lowercased()
        // With a dot at its end, a name means the same.
        while name.hasSuffix(".") { name.removeLast() }
        if let address = InternetAddress(name) { return !address.isPublic }
        let labels = name.split(separator: ".").map(String.init)
        guard labels.count > 1, let last = labels.last else { return true }
        return Self.isNumber(last) || Self.privateEndings.contains(last)
            || labels.suffix(2) == ["home", "arpa"]
    }

    private static let privateEndings: Set = [
        "alt", "corp", "home", "internal", "invalid", "lan", "local", "localdomain", "localhost",
        "onion", "test",
    ]

    /// Whether a label is a decimal, octal or hexadecimal number.
    private static func isNumber(_ label: String) -> Bool {
        if label.hasPrefix("0x") { return label.dropFirst(2).allSatisfy(\.isHexDigit) }
        return label.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
