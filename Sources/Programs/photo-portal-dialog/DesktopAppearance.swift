// SPDX-License-Identifier: MIT

import GtkKit
import Logging
import PortalInterface
import SDBus

/// The look that xdg-desktop-portal passes on from the desktop: light or dark, contrast, accent.
///
/// The toolkit would ask for it and wait. This asks without waiting, and follows changes.
@BusActor
final class DesktopAppearance {
    private static let appearance = "org.freedesktop.appearance"
    /// Where versions before 1.17 have the contrast.
    private static let accessibility = "org.gnome.desktop.a11y.interface"

    private let connection: Connection
    private let logger: Logger
    private var settings: [String: Vardict] = [:]
    private var subscription: Subscription?
    private let changed: @Sendable (Appearance) -> Void

    /// - Parameter changed: Called with each new look, in order.
    init(
        on connection: Connection, logger: Logger,
        changed: @escaping @Sendable (Appearance) -> Void
    ) {
        self.connection = connection
        self.logger = logger
        self.changed = changed
    }

    /// Asks for the look; returns when it is known, or when nobody tells.
    func follow() async {
        do throws(DBusError) {
            subscription = try await connection.subscribe(
                to: SettingsPortalInterface.settingChanged,
                of: SettingsPortalInterface.interface.name,
                from: SettingsPortalInterface.busName, at: SettingsPortalInterface.path
            ) { [weak self] _, content in
                let (namespace, key, value) = content.values
                self?.set(namespace, key, value)
            }
            settings = try await connection.call(
                SettingsPortalInterface.readAll, to: SettingsPortalInterface.busName,
                at: SettingsPortalInterface.path, on: SettingsPortalInterface.interface.name,
                Arguments([Self.appearance, Self.accessibility])
            ).values
            changed(current)
        } catch {
            // A desktop without xdg-desktop-portal has nothing to tell.
            logger.debug("The look of the desktop is not known: \(error.name)")
        }
    }

    private func set(_ namespace: String, _ key: String, _ value: Variant) {
        guard [Self.appearance, Self.accessibility].contains(namespace) else { return }
        settings[namespace, default: [:]][key] = value
        changed(current)
    }

    private var current: Appearance {
        let common = settings[Self.appearance] ?? [:]
        var look = Appearance()
        switch common.value("color-scheme", as: UInt32.self) {
        case 1: look.scheme = .dark
        case 2: look.scheme = .light
        default: break
        }
        look.hasHighContrast =
            common.value("contrast", as: UInt32.self).map { $0 == 1 }
            ?? settings[Self.accessibility]?.value("high-contrast", as: Bool.self) ?? false
        look.accent = common["accent-color"].flatMap(Self.accent)
        return look
    }

    private static func accent(_ value: Variant) -> Appearance.Accent? {
        guard case .structure(let fields) = value, fields.count == 3,
            case .double(let red) = fields[0], case .double(let green) = fields[1],
            case .double(let blue) = fields[2]
        else { return nil }
        return Appearance.Accent(red: red, green: green, blue: blue)
    }
}
