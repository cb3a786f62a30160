// SPDX-License-Identifier: MIT

import Files
import Glibc
import SystemPackage

/// A backend of xdg-desktop-portal that says whether the desktop forbids cameras, as that of GTK does.
///
/// Its property has a name that sd-bus does not allow.
package final class LockdownBackend: Sendable {
    package static let busName = "org.example.Lockdown"

    private let child: ChildProcess
    private let input: Descriptor

    /// Installs a backend in a home, before anybody looks for one.
    package static func install(in home: TestHome) throws {
        let text = """
            [portal]
            DBusName=\(busName)
            Interfaces=org.freedesktop.impl.portal.Access;org.freedesktop.impl.portal.Lockdown;
            UseIn=another
            """
        let folder = home.data.appending("xdg-desktop-portal").appending("portals")
        try home.write(Array(text.utf8), to: folder.appending("example.portal"))
    }

    /// Starts the backend.
    package static func start(
        on session: Session, forbidding forbids: Bool
    ) async throws -> LockdownBackend {
        let backend = try LockdownBackend(session, forbids)
        try await session.waitForOwner(of: busName, backend.child)
        return backend
    }

    private init(_ session: Session, _ forbids: Bool) throws {
        let fifo = session.home.scratch.appending("lockdown-\(UInt64.random(in: .min ... .max))")
        guard mkfifo(fifo.string, 0o600) == 0 else { throw Errno(rawValue: errno) }
        // Open for both, so that neither side waits for the other.
        input = Descriptor(owning: try .open(fifo, .readWrite, options: .closeOnExec))
        child = try session.start(
            "/usr/bin/python3", ["-c", Self.script, Self.busName, "\(forbids)"], input: fifo)
    }

    /// Changes the setting, and says so.
    package func set(_ forbids: Bool) throws {
        _ = try input.fileDescriptor.writeAll("\(forbids)\n".utf8)
    }

    /// Ends as a program that crashes does.
    package func crash() async throws {
        try await child.stop(SIGKILL)
    }

    private static let script = """
        import sys
        from gi.repository import Gio, GLib

        PATH, INTERFACE = '/org/freedesktop/portal/desktop', 'org.freedesktop.impl.portal.Lockdown'
        NODE = f'<node><interface name="{INTERFACE}">' + ''.join(
            f'<property name="{name}" type="b" access="readwrite"/>'
            for name in ('disable-printing', 'disable-camera')) + '</interface></node>'
        values = {'disable-camera': sys.argv[2] == 'true', 'disable-printing': True}
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        bus.register_object(
            PATH, Gio.DBusNodeInfo.new_for_xml(NODE).interfaces[0], None,
            lambda bus, sender, path, interface, name: GLib.Variant('b', values[name]), None)

        def read(source, condition):
            values['disable-camera'] = sys.stdin.readline().strip() == 'true'
            changed = {'disable-camera': GLib.Variant('b', values['disable-camera'])}
            bus.emit_signal(None, PATH, 'org.freedesktop.DBus.Properties', 'PropertiesChanged',
                            GLib.Variant('(sa{sv}as)', (INTERFACE, changed, [])))
            return True

        GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN, read)
        Gio.bus_own_name_on_connection(bus, sys.argv[1], Gio.BusNameOwnerFlags.NONE, None, None)
        GLib.MainLoop().run()
        """
}
