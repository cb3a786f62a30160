// SPDX-License-Identifier: MIT

internal import CGLib

/// The name and icon of an installed app.
package struct DesktopApp: Hashable, Sendable {
    /// Its name in the person's language.
    package let name: String
    /// The name of its icon in the icon theme, or a path.
    package let icon: String?

    /// Looks an app up by its id.
    ///
    /// - Parameter appID: The name of its desktop file without `.desktop`.
    /// - Source: g_desktop_app_info_new().
    package init?(appID: String) {
        guard !appID.isEmpty, let app = g_desktop_app_info_new("\(appID).desktop") else {
            return nil
        }
        defer { g_object_unref(UnsafeMutableRawPointer(app)) }
        guard let name = g_app_info_get_name(app) else { return nil }
        self.name = String(cString: name)
        let icon = g_desktop_app_info_get_string(app, "Icon")
        self.icon = icon.map { String(cString: $0) }
        g_free(icon)
    }
}
