// SPDX-License-Identifier: MIT

import Files
import SDBus
import SystemPackage
import TestSupport

/// A session in which apps find our dialog through the real xdg-desktop-portal.
///
/// The tests do not start the service, because the dialog has to.
final class PortalSession: Sendable {
    let session: Session
    let dialog: ChildProcess
    let person: Person
    let portals: PortalStack
    private let display: [String: String]
    var home: TestHome { session.home }

    /// Starts everything but the app.
    ///
    /// - Parameters:
    ///   - fill: Makes the library's files.
    init(fill: (TestHome) throws -> Void) async throws {
        let home = try TestHome()
        try fill(home)
        let services = try home.startableAccessibility()
        try home.write(
            Array(
                """
                [D-BUS Service]
                Name=org.freedesktop.portal.PhotoPicker
                Exec=\(Programs.path("photo-portal")) --verbose
                """.utf8),
            to: services.appending("org.freedesktop.portal.PhotoPicker.service"))
        session = try await Session.start(home: home, services: services)
        display = try await Display.shared.value.environment
        dialog = try session.start("photo-portal-dialog", environment: display)
        try await session.waitForOwner(
            of: "org.freedesktop.impl.portal.desktop.photoportal", dialog)
        person = try Person(session, display)
        portals = try await PortalStack.start(
            on: session, backends: Self.backends(home), desktop: "photo-portal:gnome")
    }

    /// Starts xdg-desktop-portal again after its end.
    func restartPortal() async throws -> PortalStack {
        let connection = try await session.connect()
        try await eventually("the end of xdg-desktop-portal") {
            try await connection.owner(of: "org.freedesktop.portal.Desktop") == nil
        }
        await connection.close()
        return try await PortalStack.start(
            on: session, [.desktop], backends: Self.backends(home), desktop: "photo-portal:gnome")
    }

    /// The installed description of the backend for files, next to ours.
    static func backends(_ home: TestHome) throws -> FilePath {
        let folder = home.scratch.appending("portals")
        let files = [
            Programs.source.appending("data").appending("photo-portal.portal"),
            "/usr/share/xdg-desktop-portal/portals/gtk.portal",
        ]
        for file in files {
            guard let name = file.lastComponent else { continue }
            try home.write(
                Descriptor.openForReading(file).read(upTo: 10_000), to: folder.appending(name))
        }
        return folder
    }

    /// One of the apps in Tests/Clients.
    static func program(_ name: String) -> FilePath {
        Programs.source.appending("Tests").appending("Clients")
            .appending(FilePath(name).components)
    }

    /// Starts one of these apps.
    func app(_ name: String, _ arguments: String...) throws -> ChildProcess {
        try session.start(
            Self.program(name).string, arguments,
            // The app itself shows nothing that a test reads.
            environment: display.merging([
                "NO_AT_BRIDGE": "1", "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory",
            ]) { $1 })
    }

    /// Starts the desktop's own backend for files.
    func startFileBackend() async throws -> ChildProcess {
        let backend = try session.start(
            "/usr/libexec/xdg-desktop-portal-gtk",
            environment: display.merging(["GSETTINGS_BACKEND": "memory"]) { $1 })
        try await session.waitForOwner(of: "org.freedesktop.impl.portal.desktop.gtk", backend)
        return backend
    }
}
