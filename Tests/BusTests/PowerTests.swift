// SPDX-License-Identifier: MIT

import SystemPackage
import TestSupport
import Testing

/// A computer that runs on its battery, or whose person wants to save power.
@Suite(.serialized) struct PowerTests {
    /// What is examined at once.
    private static let urgent = 500

    /// A service that says what a power daemon says.
    ///
    /// - Parameter name: Of the bus name, the interface and, with slashes, the object.
    private static func script(_ name: String, _ property: String, _ saving: String, _ not: String)
        -> String
    {
        """
        import dbus, dbus.mainloop.glib, dbus.service
        from gi.repository import GLib
        NAME = "\(name)"
        PROPERTIES = "org.freedesktop.DBus.Properties"

        class Daemon(dbus.service.Object):
            saves = True

            @property
            def state(self):
                return dbus.Dictionary(
                    {"\(property)": \(saving) if self.saves else \(not)}, signature="sv")

            @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
            def GetAll(self, interface):
                return self.state if interface == NAME else {}

            @dbus.service.method("org.example.Test", in_signature="b")
            def Set(self, saves):
                self.saves = saves
                self.PropertiesChanged(NAME, self.state, dbus.Array(signature="s"))

            @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
            def PropertiesChanged(self, interface, changed, invalidated):
                pass

        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SystemBus()
        daemon = Daemon(bus, "/" + NAME.replace(".", "/"))
        name = dbus.service.BusName(NAME, bus)
        print("ready", flush=True)
        GLib.MainLoop().run()
        """
    }

    @Test(
        arguments: [
            ["org.freedesktop.UPower", "OnBattery", "True", "False"],
            ["net.hadess.PowerProfiles", "ActiveProfile", "'power-saver'", "'balanced'"],
            [
                "org.freedesktop.UPower.PowerProfiles", "ActiveProfile", "'power-saver'",
                "'performance'",
            ],
        ])
    func `while power is saved, a large library is not read to its end`(daemon: [String])
        async throws
    {
        let session = try await Session.start()
        for number in 0..<Self.urgent + 2 {
            try session.home.write(
                Fixtures.bytes("jpeg/grey.jpg") + Array("\(number)".utf8),
                to: session.home.pictures.appending("\(number).jpg"))
        }
        // Both buses are one here.
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": session.bus.address]
        let power = try session.start(
            "/usr/bin/python3",
            ["-c", Self.script(daemon[0], daemon[1], daemon[2], daemon[3])],
            environment: environment)
        try await eventually("the daemon: \(power.errorText)") { power.outputText == "ready\n" }
        let service = try session.start("photo-portal", ["--verbose"], environment: environment)
        try await eventually("the saving: \(service.errorText)") {
            service.errorText.contains("Saving power.")
        }
        try await eventually("the newest photos") {
            let pending = try await Self.pending(session)
            return pending == 2 && service.errorText.contains("Looked through the library")
        }
        let object = "/" + daemon[0].replacing(".", with: "/")
        let (status, _, errors) = try await session.run(
            "busctl",
            [
                "--address", session.bus.address, "call", daemon[0], object, "org.example.Test",
                "Set",
            ]
                + ["b", "false"])
        #expect(status == 0, "\(errors)")
        try await eventually("the rest") { try await Self.pending(session) == 0 }
        #expect(try await service.stop() == 0)
    }

    @Test func `a system bus that never answers holds nothing up`() async throws {
        let session = try await Session.start()
        try session.home.write(
            Fixtures.bytes("jpeg/grey.jpg"), to: session.home.pictures.appending("a.jpg"))
        let socket = session.home.runtime.appending("silent")
        let silent = try session.start(
            "socat", ["UNIX-LISTEN:\(socket),fork", "EXEC:sleep 1000"])
        try await eventually("the silent bus") { (try? socket.stat()) != nil }
        let service = try session.start(
            "photo-portal", ["--verbose"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(socket)"])
        try await eventually("the library: \(service.errorText)") {
            service.errorText.contains("Looked through the library")
        }
        #expect(try await service.stop() == 0)
        try await silent.stop()
    }

    /// How many files wait, as the service has stored it.
    private static func pending(_ session: Session) async throws -> Int? {
        let (_, output, _) = try await session.run(
            "sqlite3",
            [session.home.database.string, "SELECT value FROM state WHERE key = 'pending'"])
        return output.split(separator: "\n").first.flatMap { Int($0) }
    }
}
