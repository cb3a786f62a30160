// SPDX-License-Identifier: MIT

internal import CGLib

/// Numbers of bytes for people.
package enum ByteCount {
    /// A size in the person's language, for example “8.4 MB”.
    ///
    /// - Source: g_format_size().
    package static func text(_ count: Int64) -> String {
        guard let text = g_format_size(guint64(clamping: count)) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
