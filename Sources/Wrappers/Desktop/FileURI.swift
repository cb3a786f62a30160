// SPDX-License-Identifier: MIT

internal import CGLib
package import SystemPackage

/// `file://` URIs in the one form that the desktop's programs agree on.
package enum FileURI {
    /// The URI of an absolute path; nil for a relative one.
    ///
    /// Bytes that are not UTF-8 are escaped like any other. The name of a thumbnail depends on
    /// the exact form, so no other encoder may be used.
    ///
    /// - Source: g_filename_to_uri().
    package static func make(_ path: FilePath) -> String? {
        path.withPlatformString { path in
            guard let uri = g_filename_to_uri(path, nil, nil) else { return nil }
            defer { g_free(uri) }
            return String(cString: uri)
        }
    }

    /// The path of a `file://` URI of this machine; nil for any other URI.
    ///
    /// - Source: g_filename_from_uri().
    package static func path(_ uri: String) -> FilePath? {
        var host: UnsafeMutablePointer<CChar>?
        guard let path = g_filename_from_uri(uri, &host, nil) else { return nil }
        defer { g_free(path) }
        defer { g_free(host) }
        // A URI may contain a host name; only ours and an empty one are local.
        if let host, host.pointee != 0, String(cString: host) != "localhost" { return nil }
        return FilePath(platformString: path)
    }

    /// The name to show to people; bytes that are not valid UTF-8 are replaced.
    ///
    /// - Source: g_filename_display_name().
    package static func displayName(_ name: FilePath.Component) -> String {
        name.withPlatformString(displayName)
    }

    /// The name to show to people of a file whose name has these bytes, as
    /// ``displayName(_:)-(FilePath.Component)`` gives it; empty if they are no name.
    package static func displayName(bytes: some Sequence<UInt8>) -> String {
        var name = bytes.map { CChar(bitPattern: $0) }
        guard !name.contains(where: { $0 == 0 || $0 == CChar(UInt8(ascii: "/")) }) else {
            return ""
        }
        name.append(0)
        return name.withUnsafeBufferPointer { $0.baseAddress.map(displayName) ?? "" }
    }

    private static func displayName(_ name: UnsafePointer<CChar>) -> String {
        guard let text = g_filename_display_name(name) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
