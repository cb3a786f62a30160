// SPDX-License-Identifier: MIT

internal import CGLib

/// An installed app, as its desktop file describes it.
package struct DesktopApp: Hashable, Sendable {
    /// The name of its desktop file without `.desktop`.
    package let id: String
    /// Its name in the person's language.
    package let name: String
    /// The name of its icon in the icon theme, or a path.
    package let icon: String?
    /// What kind of app it is, such as `WebBrowser`.
    ///
    /// - Source: Desktop Menu Specification, “Registered Categories”.
    package let categories: Set<String>
    /// Whether it is a Flatpak or a snap.
    package let isSandboxed: Bool

    /// Looks an app up by its id.
    ///
    /// - Parameter appID: The name of its desktop file without `.desktop`.
    /// - Source: g_desktop_app_info_new().
    package init?(appID: String) {
        guard !appID.isEmpty, let app = g_desktop_app_info_new("\(appID).desktop") else {
            return nil
        }
        defer { g_object_unref(UnsafeMutableRawPointer(app)) }
        self.init(app)
    }

    private init?(_ app: OpaquePointer) {
        guard let name = g_app_info_get_name(app) else { return nil }
        let file = g_app_info_get_id(app).map { String(cString: $0) } ?? ""
        id = file.hasSuffix(".desktop") ? String(file.dropLast(8)) : file
        self.name = String(cString: name)
        icon = app.value("Icon")
        categories = Set(
            (g_desktop_app_info_get_categories(app).map { String(cString: $0) } ?? "")
                .split(separator: ";").map(String.init))
        isSandboxed = app.value("X-Flatpak") != nil || app.value("X-SnapInstanceName") != nil
    }

    // MARK: - Finding

    /// Finds the app with an id that need not be the name of its desktop file.
    ///
    /// Chromium calls itself `org.chromium.Chromium` and installs `chromium.desktop`; snaps are known
    /// as `snap.NAME`.
    ///
    /// - Isolation: any thread; reads the desktop files of all apps if none has that name.
    package static func find(appID: String) -> DesktopApp? {
        if let app = DesktopApp(appID: appID) { return app }
        guard !appID.isEmpty else { return nil }
        if appID.hasPrefix("snap.") {
            let snap = String(appID.dropFirst(5))
            return first { app, _ in app.value("X-SnapInstanceName") == snap }
        }
        let wanted = appID.lowercased()
        let last = wanted.split(separator: ".").last.map(String.init) ?? wanted
        return first { app, _ in app.value("StartupWMClass")?.lowercased() == wanted }
            ?? first { _, id in id.lowercased() == wanted }
            // A name without dots is not in anybody's name space.
            ?? first { _, id in !id.contains(".") && id.lowercased() == last }
    }

    /// Finds the app that a program belongs to.
    ///
    /// - Parameter names: The names of the program, without folders; the first one that an app has
    ///   decides.
    package static func find(programs names: [String]) -> DesktopApp? {
        for name in names where !name.isEmpty {
            let found = first { app, id in
                let program = g_app_info_get_executable(app).map { String(cString: $0) }
                return program?.split(separator: "/").last.map(String.init) == name
            }
            if let found { return found }
        }
        return nil
    }

    /// The first app that is shown in menus and fits; of several, the one with the shortest id.
    private static func first(
        where fits: (_ app: OpaquePointer, _ id: String) -> Bool
    ) -> DesktopApp? {
        let all = g_app_info_get_all()
        defer {
            g_list_free_full(all) { g_object_unref($0) }
        }
        var found: [DesktopApp] = []
        var next = all
        while let element = next {
            next = element.pointee.next
            guard let data = element.pointee.data else { continue }
            let app = OpaquePointer(data)
            guard g_app_info_should_show(app) != 0,
                let id = g_app_info_get_id(app).map({ String(cString: $0) })
            else { continue }
            guard fits(app, id.hasSuffix(".desktop") ? String(id.dropLast(8)) : id) else {
                continue
            }
            if let described = DesktopApp(app) { found.append(described) }
        }
        return found.min { ($0.id.utf8.count, $0.id) < ($1.id.utf8.count, $1.id) }
    }
}

extension OpaquePointer {
    /// The value of a key of a desktop file; nil if it is missing.
    fileprivate func value(_ key: String) -> String? {
        guard let text = g_desktop_app_info_get_string(self, key) else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}
