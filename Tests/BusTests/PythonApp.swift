// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

extension LibrarySession {
    /// What every app needs, in Python.
    private static let prelude = """
        import dbus, dbus.mainloop.glib, os, sys
        from gi.repository import GLib
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus, loop, responses = dbus.SessionBus(), GLib.MainLoop(), {}
        def respond(code, results, path=None):
            responses[path] = int(code), results
            loop.quit()
        bus.add_signal_receiver(
            respond, "Response", "org.freedesktop.portal.Request", path_keyword="path")
        desktop = bus.get_object(
            "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop")
        picker = dbus.Interface(desktop, "org.freedesktop.portal.PhotoPicker")
        library = dbus.Interface(desktop, "org.freedesktop.portal.PhotoLibrary")
        GLib.timeout_add_seconds(60, lambda: os._exit(1))
        def wait(handle):
            while handle not in responses:
                loop.run()
            # The next request has the same handle, unless it has a token of its own.
            return responses.pop(handle)
        def show(*values):
            print(*values, flush=True)

        """

    /// Runs an app in Python, whose library for D-Bus passes descriptors, outside a sandbox or in one.
    ///
    /// - Parameter files: What it may open; their paths are its arguments.
    /// - Returns: The lines that it prints.
    func answers(
        to script: String, _ files: [FilePath] = []
    ) async throws -> [String] {
        let words = ["-c", Self.prelude + script] + files.map(\.string)
        let run =
            if let app = picker.app {
                try await app.run("/usr/bin/python3", words, files: files)
            } else {
                try await picker.session.run("/usr/bin/python3", words)
            }
        #expect(run.status == 0, "\(run.errors)")
        return run.output.split(separator: "\n").map(String.init)
    }
}
