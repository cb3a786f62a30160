// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import SystemPackage
import TestSupport

/// The file dialog that apps get by default: xdg-desktop-portal with its GTK backend.
final class FileChooserPeer: Sendable {
    let portal: ChildProcess
    private let session: Session
    private let environment: [String: String]
    private let programs: [ChildProcess]

    init(_ session: Session, _ screen: Screen) async throws {
        self.session = session
        let folder = session.home.scratch.appending("portals")
        try session.home.write(
            Array(
                """
                [portal]
                DBusName=org.freedesktop.impl.portal.desktop.gtk
                Interfaces=org.freedesktop.impl.portal.FileChooser
                UseIn=bench
                """.utf8), to: folder.appending("gtk.portal"))
        environment = screen.environment.merging([
            "XDG_DESKTOP_PORTAL_DIR": folder.string, "XDG_CURRENT_DESKTOP": "bench",
        ]) { $1 }
        let backend = try session.start(
            "/usr/libexec/xdg-desktop-portal-gtk", environment: environment)
        try await session.waitForOwner(of: "org.freedesktop.impl.portal.desktop.gtk", backend)
        portal = try session.start("/usr/libexec/xdg-desktop-portal", environment: environment)
        try await session.waitForOwner(of: "org.freedesktop.portal.Desktop", portal)
        programs = [backend, portal]
    }

    /// The median time from the call to a visible window, in milliseconds.
    func timeToWindow(runs: Int) async throws -> Double {
        var times: [Double] = []
        // The first window loads what later ones share.
        for run in 0...runs {
            let time = try await open()
            if run > 0 { times.append(time) }
        }
        return median(times)
    }

    private func open() async throws -> Double {
        let title = "Peer \(UInt32.random(in: .min ... .max))"
        let script = session.home.scratch.appending("peer.py")
        try session.home.write(
            Array(
                """
                import sys, dbus
                from dbus.mainloop.glib import DBusGMainLoop
                from gi.repository import GLib
                DBusGMainLoop(set_as_default=True)
                chooser = dbus.Interface(dbus.SessionBus().get_object(
                    "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"),
                    "org.freedesktop.portal.FileChooser")
                chooser.OpenFile("", sys.argv[1], {"multiple": True, "filters": dbus.Array(
                    [("Images", [(dbus.UInt32(1), "image/*")])], signature="(sa(us))")})
                GLib.MainLoop().run()
                """.utf8), to: script)
        var caller: ChildProcess?
        let time = try await milliseconds {
            caller = try session.start("/usr/bin/python3", [script.string, title])
            try await eventually("window of the peer") {
                let search = try await session.run(
                    "xdotool", ["search", "--onlyvisible", "--name", "^\(title)$"],
                    environment: environment)
                return search.status == 0
            }
        }
        try await caller?.stop(SIGKILL)
        return time
    }
}
