// SPDX-License-Identifier: MIT

import Desktop

/// Finds out how to reach the servers of one picture.
package protocol RouteFinder: Sendable {
    /// Blocks until the route is known.
    func route(to host: String, port: UInt16) -> FetchRoute
    /// Lets calls in progress return soon.
    func cancel()
}

/// The routes that the desktop's programs take: its settings of proxies, and its way to look up names.
package struct DesktopRoutes: RouteFinder {
    private let routes = NetworkRoutes()

    package init() {}

    package func cancel() { routes.cancel() }

    package func route(to host: String, port: UInt16) -> FetchRoute {
        let name = host.contains(":") ? "[\(host)]" : host
        for text in routes.proxies(for: "https://\(name):\(port)/") {
            if text.hasPrefix("direct:") {
                return .direct(addresses: routes.addresses(of: host))
            }
            // One that we cannot use may be followed by one that we can.
            guard let proxy = ProxyAddress(text) else { continue }
            return .proxy(
                uri: proxy.uri, host: proxy.host, port: proxy.port,
                addresses: routes.addresses(of: proxy.host))
        }
        return .none
    }
}

/// A proxy as the desktop's settings name it.
struct ProxyAddress: Hashable {
    /// As libcurl reads it: a SOCKS proxy looks up the server's name itself.
    let uri: String
    let host: String
    let port: UInt16

    /// Reads `SCHEME://HOST:PORT`, or the same without the port; nil for a kind that is not supported,
    /// and for one with a password.
    ///
    /// A proxy that speaks TLS itself, `https://`, is of such a kind: libcurl would need its authorities.
    init?(_ text: String) {
        let parts = text.split(separator: "://", maxSplits: 1).map(String.init)
        let schemes =
            [
                "http": ("http", 80), "socks": ("socks5h", 1080),
                "socks5": ("socks5h", 1080), "socks4a": ("socks4a", 1080),
            ] as [String: (String, UInt16)]
        guard parts.count == 2, let (scheme, usual) = schemes[parts[0].lowercased()] else {
            return nil
        }
        let authority = parts[1].prefix { $0 != "/" }
        guard !authority.contains("@"), authority.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            return nil
        }
        var rest = authority
        if authority.first == "[", let end = authority.firstIndex(of: "]") {
            host = String(authority[authority.index(after: authority.startIndex)..<end])
            rest = authority[authority.index(after: end)...]
        } else {
            host = String(authority.prefix { $0 != ":" })
            rest = authority.dropFirst(host.count)
        }
        guard !host.isEmpty, rest.isEmpty || rest.first == ":" else { return nil }
        guard let port = rest.count > 1 ? UInt16(rest.dropFirst()) : usual, port > 0 else {
            return nil
        }
        self.port = port
        uri = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
