// SPDX-License-Identifier: MIT

internal import CGLib

/// Finds out how to reach machines on the network: by which proxy, and at which addresses.
///
/// It can be used by several threads. Once it is cancelled, it finds nothing.
package final class NetworkRoutes: Sendable {
    // Sound: a GCancellable may be used by any thread.
    nonisolated(unsafe) private let cancellable: UnsafeMutablePointer<GCancellable>?

    package init() {
        cancellable = g_cancellable_new()
    }

    deinit {
        if let cancellable { g_object_unref(cancellable) }
    }

    /// Ends what is in progress.
    package func cancel() { g_cancellable_cancel(cancellable) }

    /// The proxies for a URI, in the order in which to try them, as the desktop's settings say.
    ///
    /// - Returns: URIs; `direct://` for none. Empty if that cannot be found out.
    /// - Source: g_proxy_resolver_lookup().
    /// - Isolation: any thread; blocks.
    package func proxies(for uri: String) -> [String] {
        guard let resolver = g_proxy_resolver_get_default(),
            let list = g_proxy_resolver_lookup(resolver, uri, cancellable, nil)
        else { return [] }
        defer { g_strfreev(list) }
        var proxies: [String] = []
        var next = list
        while let proxy = next.pointee {
            proxies.append(String(cString: proxy))
            next += 1
        }
        return proxies
    }

    /// The addresses of a machine, each of 4 or 16 bytes; empty if there are none.
    ///
    /// - Source: g_resolver_lookup_by_name(), which asks as every program of the desktop does.
    /// - Isolation: any thread; blocks.
    package func addresses(of host: String) -> [[UInt8]] {
        guard let resolver = g_resolver_get_default() else { return [] }
        defer { g_object_unref(resolver) }
        let list = g_resolver_lookup_by_name(resolver, host, cancellable, nil)
        defer { g_resolver_free_addresses(list) }
        var addresses: [[UInt8]] = []
        var next = list
        while let entry = next?.pointee {
            let address = entry.data?.assumingMemoryBound(to: GInetAddress.self)
            if let address, let bytes = g_inet_address_to_bytes(address) {
                let count = Int(g_inet_address_get_native_size(address))
                addresses.append(Array(UnsafeBufferPointer(start: bytes, count: count)))
            }
            next = entry.next
        }
        return addresses
    }
}
