// SPDX-License-Identifier: MIT

internal import CGtk
import Glibc

/// GTK as a whole.
@UIActor
package enum Toolkit {
    /// Makes sure that the toolkit calls no portal.
    ///
    /// The toolkit would wait for xdg-desktop-portal, which may itself be waiting for this program to
    /// start. Settings from a portal arrive later, through ``show(_:)``.
    ///
    /// Call this before the process has a second thread, because it changes the environment.
    package nonisolated static func avoidPortals() {
        setenv("ADW_DISABLE_PORTAL", "1", 1)
        // In the person's environment this is meant for other programs.
        unsetenv("GTK_USE_PORTAL")
        let wanted = getenv("GDK_DEBUG").map { String(cString: $0) } ?? ""
        var flags = wanted.split { ",: ;".contains($0) }.filter { $0 != "portals" }
        if pp_gtk_can_avoid_portals() != 0 { flags.append("no-portals") }
        if flags.isEmpty {
            unsetenv("GDK_DEBUG")
        } else {
            setenv("GDK_DEBUG", flags.joined(separator: ","), 1)
        }
    }

    /// Connects to the display and loads the platform's style.
    ///
    /// - Parameter programName: The app id of our windows.
    /// - Returns: Whether there is a display. Nothing else in this module works without one.
    /// - Source: gtk_init_check(), adw_init().
    package static func initialize(programName: String) -> Bool {
        g_set_prgname(programName)
        guard gtk_init_check() != 0 else { return false }
        adw_init()
        gtk_window_set_default_icon_name(programName)
        return true
    }

    /// A number of bytes for people, for example “4.1 MB”.
    ///
    /// - Source: g_format_size().
    package nonisolated static func text(ofByteCount count: Int64) -> String {
        guard let text = g_format_size(guint64(max(count, 0))) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// Adds CSS rules to all windows.
    package static func addStyle(_ css: String) {
        add(css, UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }

    @discardableResult
    private static func add(_ css: String, _ priority: UInt32) -> Object? {
        guard let provider = gtk_css_provider_new() else { return nil }
        pp_css_provider_load(provider, css)
        return add(Object(consuming: UnsafeMutableRawPointer(provider)), priority)
    }

    private static func add(_ provider: Object, _ priority: UInt32) -> Object {
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(), provider.opaque, priority)
        return provider
    }

    // MARK: - Appearance

    private static var appearance = Appearance()
    /// The rules that the appearance added.
    private static var providers: [Object] = []

    /// Applies the desktop's appearance settings to all windows, including open ones.
    package static func show(_ wanted: Appearance) {
        guard wanted != appearance else { return }
        appearance = wanted
        let manager = adw_style_manager_get_default()
        adw_style_manager_set_color_scheme(manager, wanted.scheme.value)
        for provider in providers {
            gtk_style_context_remove_provider_for_display(
                gdk_display_get_default(), provider.opaque)
        }
        providers = []
        if wanted.hasHighContrast, adw_style_manager_get_high_contrast(manager) == 0,
            let provider = gtk_css_provider_new()
        {
            // libadwaita would load this itself if it knew of the setting.
            gtk_css_provider_load_from_resource(
                provider, "/org/gnome/Adwaita/styles/base-hc.css")
            providers.append(
                add(
                    Object(consuming: UnsafeMutableRawPointer(provider)),
                    UInt32(GTK_STYLE_PROVIDER_PRIORITY_THEME)))
        }
        if let accent = wanted.accent {
            let css = accent.css(isDark: adw_style_manager_get_dark(manager) != 0)
            // Below our own rules, above the theme's.
            if let provider = add(css, UInt32(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION - 1)) {
                providers.append(provider)
            }
        }
    }
}
