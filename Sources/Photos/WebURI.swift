// SPDX-License-Identifier: MIT

/// The URIs of pictures on the web that apps may name.
package enum WebURI {
    /// Whether a URI is one of https with a host and without a user, in printable ASCII.
    ///
    /// Who fetches it reads it once more, by the rules of its own library. Here it matters that no reader
    /// finds another host than the person could: none does without `@` and `\`.
    ///
    /// - Source: RFC 3986, section 3.2.
    package static func isValid(_ uri: String) -> Bool {
        let scheme = "https://"
        guard uri.utf8.count > scheme.utf8.count, uri.lowercased().hasPrefix(scheme),
            uri.utf8.allSatisfy({ 0x21...0x7e ~= $0 && $0 != UInt8(ascii: "\\") })
        else { return false }
        let authority = uri.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return !authority.isEmpty && !authority.contains("@") && authority.first != ":"
    }
}
