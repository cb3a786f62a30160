// SPDX-License-Identifier: MIT

import Files
import SystemPackage
import TestSupport

/// A session in which nothing of the portals runs yet, and the bus can start all of it.
final class ColdSession: Sendable {
    /// A program that the bus can start.
    enum Part: String, CaseIterable, Sendable {
        case portal = "org.freedesktop.portal.Desktop"
        case dialog = "org.freedesktop.impl.portal.desktop.photoportal"
        case service = "org.freedesktop.portal.PhotoPicker"

        fileprivate var program: String {
            switch self {
            case .portal: "/usr/libexec/xdg-desktop-portal"
            case .dialog: Programs.path("photo-portal-dialog")
            case .service: Programs.path("photo-portal")
            }
        }
    }

    let session: Session
    /// The display; empty if there is none.
    let display: [String: String]
    var home: TestHome { session.home }

    /// Makes the files of the library and the descriptions of the programs.
    ///
    /// - Parameter startable: The programs that the bus starts when they are called.
    init(
        startable: [Part] = Part.allCases, display hasDisplay: Bool = true,
        fill: (TestHome) throws -> Void = { _ in }
    ) async throws {
        let home = try TestHome()
        try fill(home)
        let services = try home.startableAccessibility()
        _ = try PortalSession.backends(home)
        display = hasDisplay ? try await Display.shared.value.environment : [:]
        for part in startable {
            // The bus starts programs in its own environment, which has no display.
            let words = Self.environment(home, display).map { "\($0)=\($1)" }.sorted()
            try home.write(
                Array(
                    """
                    [D-BUS Service]
                    Name=\(part.rawValue)
                    Exec=/usr/bin/env \(words.joined(separator: " ")) \(part.program)
                    """.utf8), to: services.appending("\(part.rawValue).service"))
        }
        for name in ["org.freedesktop.impl.portal.PermissionStore"] {
            let file = FilePath("/usr/share/dbus-1/services").appending("\(name).service")
            try home.write(
                Descriptor.openForReading(file).read(upTo: 10_000),
                to: services.appending("\(name).service"))
        }
        session = try await Session.start(home: home, services: services)
    }

    /// The variables of a desktop whose backend for files we are.
    private static func environment(
        _ home: TestHome, _ display: [String: String]
    ) -> [String: String] {
        display.merging([
            "XDG_DESKTOP_PORTAL_DIR": home.scratch.appending("portals").string,
            "XDG_CURRENT_DESKTOP": "photo-portal:gnome", "GSETTINGS_BACKEND": "memory",
        ]) { $1 }
    }

    /// Starts a program without waiting for its name.
    @discardableResult
    func start(_ part: Part, _ arguments: [String] = []) throws -> ChildProcess {
        try session.start(
            part.program, arguments, environment: Self.environment(home, display))
    }

    /// What busctl prints of a property of xdg-desktop-portal.
    func portalProperty(_ name: String, of interface: String) async throws -> String {
        let (_, output, errors) = try await session.run(
            "busctl",
            [
                "--user", "--timeout=60", "get-property", Part.portal.rawValue,
                "/org/freedesktop/portal/desktop", interface, name,
            ], within: .seconds(90))
        return output + errors
    }
}
