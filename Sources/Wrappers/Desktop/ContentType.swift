// SPDX-License-Identifier: MIT

internal import CGLib

/// The desktop's MIME types.
package enum ContentType {
    /// The MIME type of files with an extension; nil for an unknown extension.
    ///
    /// - Parameter suffix: The extension without the leading dot, for example `png` or `tar.gz`.
    /// - Source: g_content_type_guess(), shared-mime-info.
    package static func name(ofExtension suffix: String) -> String? {
        var isUncertain: gboolean = 0
        guard let type = g_content_type_guess("x.\(suffix)", nil, 0, &isUncertain) else {
            return nil
        }
        defer { g_free(type) }
        guard g_content_type_is_unknown(type) == 0, let name = g_content_type_get_mime_type(type)
        else { return nil }
        defer { g_free(name) }
        return String(cString: name)
    }
}
