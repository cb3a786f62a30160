// SPDX-License-Identifier: MIT

internal import CGLib
package import SystemPackage

/// A file of groups with keys and values, such as the desktop uses for settings.
///
/// - Source: g_key_file_load_from_file(); Desktop Entry Specification, “Basic format”.
package struct KeyFile: Sendable {
    /// Why a file has no values.
    package enum LoadError: Error, Hashable, Sendable {
        case missing
        /// Not of the format, or not readable; for people.
        case invalid(String)
    }

    /// Group, then key, then the value as written.
    private var groups: [String: [String: String]] = [:]

    /// Reads a file.
    package init(_ path: FilePath) throws(LoadError) {
        guard let file = g_key_file_new() else { throw .invalid("out of memory") }
        defer { g_key_file_unref(file) }
        var error: UnsafeMutablePointer<GError>?
        let isLoaded = path.withPlatformString {
            g_key_file_load_from_file(file, $0, G_KEY_FILE_NONE, &error)
        }
        guard isLoaded != 0 else {
            defer { g_clear_error(&error) }
            let isMissing =
                error.map { $0.pointee.domain == g_file_error_quark() } == true
                && error?.pointee.code == CInt(G_FILE_ERROR_NOENT.rawValue)
            throw isMissing
                ? .missing : .invalid(error.map { String(cString: $0.pointee.message) } ?? "")
        }
        for group in Self.strings(g_key_file_get_groups(file, nil)) {
            for key in Self.strings(g_key_file_get_keys(file, group, nil, nil)) {
                guard let value = g_key_file_get_value(file, group, key, nil) else { continue }
                groups[group, default: [:]][key] = String(cString: value)
                g_free(value)
            }
        }
    }

    /// A value as it is written.
    package subscript(group: String, key: String) -> String? { groups[group]?[key] }

    /// The keys of a group, sorted.
    package func keys(in group: String) -> [String] {
        groups[group].map { $0.keys.sorted() } ?? []
    }

    /// A value as a list: parts between `;`, without empty ones.
    package func list(_ group: String, _ key: String) -> [String]? {
        self[group, key].map { $0.split(separator: ";").map(String.init) }
    }

    private static func strings(
        _ list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> [String] {
        defer { g_strfreev(list) }
        var strings: [String] = []
        var next = list
        while let text = next?.pointee {
            strings.append(String(cString: text))
            next = next?.advanced(by: 1)
        }
        return strings
    }
}
