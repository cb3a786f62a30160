// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus
import SystemPackage
import TestSupport

/// The file dialog that apps get by default: xdg-desktop-portal with its GTK backend.
final class FileChooserPeer {
    let portal: ChildProcess
    private let session: Session
    private let app: Connection
    private let environment: [String: String]
    private let start: FilePath
    private var backend: ChildProcess

    private static let busName: BusName = "org.freedesktop.portal.Desktop"
    private static let openFile = PhotoPickerInterface.Pick(
        "OpenFile", takes: ["parent_window", "title", "options"], returns: ["handle"])

    /// - Parameters:
    ///   - app: The connection of the app that asks for files.
    ///   - start: The folder that the dialog shows. It does so only if told by its own setting; the option
    ///     of the request arrives from xdg-desktop-portal 1.18 on.
    init(
        _ session: Session, _ screen: Screen, app: Connection, start: FilePath
    ) async throws {
        self.session = session
        self.app = app
        self.start = start
        let folder = session.home.scratch.appending("portals")
        try session.home.write(
            Array(
                """
                [portal]
                DBusName=org.freedesktop.impl.portal.desktop.gtk
                Interfaces=org.freedesktop.impl.portal.FileChooser
                UseIn=bench
                """.utf8), to: folder.appending("gtk.portal"))
        try session.home.write(
            Array("[org/gtk/settings/file-chooser]\nstartup-mode='cwd'\n".utf8),
            to: session.home.configuration.appending(
                FilePath("glib-2.0/settings/keyfile").components))
        environment = screen.environment.merging([
            "XDG_DESKTOP_PORTAL_DIR": folder.string, "XDG_CURRENT_DESKTOP": "bench",
            "GSETTINGS_BACKEND": "keyfile",
        ]) { $1 }
        backend = try await Self.startBackend(session, environment, start)
        portal = try session.start("/usr/libexec/xdg-desktop-portal", environment: environment)
        try await session.waitForOwner(of: Self.busName.rawValue, portal)
    }

    private static func startBackend(
        _ session: Session, _ environment: [String: String], _ folder: FilePath
    ) async throws -> ChildProcess {
        let backend = try session.start(
            "sh", ["-c", "cd \"$0\" && exec /usr/libexec/xdg-desktop-portal-gtk", folder.string],
            environment: environment)
        try await session.waitForOwner(of: "org.freedesktop.impl.portal.desktop.gtk", backend)
        return backend
    }

    /// The milliseconds from a call that asks for pictures to the event that a command waits for.
    ///
    /// - Parameter isCold: Counts the start of the program that shows the dialog.
    func open(
        _ command: String, _ viewer: Viewer, isCold: Bool = false
    ) async throws -> Double {
        if isCold { try await backend.stop() }
        let title = "Peer \(UInt32.random(in: .min ... .max))"
        let pictures = Variant.structure([
            .string("Images"),
            .array(element: "(us)", [.structure([.uint32(1), .string("image/*")])]),
        ])
        let options: Vardict = [
            "multiple": true.variant, "filters": .array(element: "(sa(us))", [pictures]),
        ]
        var handle: ObjectPath = "/"
        let time = try await viewer.time(command) {
            if isCold { backend = try await Self.startBackend(session, environment, start) }
            handle = try await app.call(
                Self.openFile, to: Self.busName, at: PhotoPickerInterface.path,
                on: "org.freedesktop.portal.FileChooser", Arguments("", title, options)
            ).values
        }
        _ = try await app.call(
            RequestInterface.close, to: Self.busName, at: handle,
            on: RequestInterface.interface.name, Arguments())
        try await eventually("the end of the peer's window") {
            try await session.run(
                "xdotool", ["search", "--onlyvisible", "--name", "^\(title)$"],
                environment: environment
            ).status != 0
        }
        return time
    }
}
