// SPDX-License-Identifier: MIT

import Glibc
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// Backends that are broken or hostile, and callers that leave: there is at most one response, and
/// the service continues.
@Suite(.serialized) struct BackendFaultTests {
    @Test func `a request that is closed while its backend starts leaves no window`() async throws {
        let home = try TestHome()
        let services = home.scratch.appending("activation")
        // It takes its time to start, so that Close comes before its name has an owner.
        let script = Programs.path("photo-portal-script")
        let mark = home.scratch.appending("starting")
        try home.write(
            Array(
                """
                [D-BUS Service]
                Name=\(PickerBackendInterface.defaultBusName)
                Exec=/bin/sh -c "touch '\(mark)'; sleep 1; exec '\(script)' -a 'delay 3s; cancel'"
                """.utf8), to: services.appending("backend.service"))
        let session = try await Session.start(home: home, services: services)
        _ = try await session.startService()
        let client = try await Client(session)
        let token: Vardict = ["handle_token": "again".variant]
        let handle = try await client.pick(token)
        try await eventually("the start") { (try? mark.stat()) != nil }
        try await client.close(handle)
        // The backend would refuse a handle that it is still working on.
        #expect(try await client.response(client.pick(token)).code == 1)
    }

    @Test(arguments: ["-5s", "4294967296ms", "9223372036854775807s"])
    func `a script with a delay that no clock can wait for is refused`(delay: String) async throws {
        let session = try await Session.start()
        let (status, _, errors) = try await session.run(
            "photo-portal-script", ["--answer", "delay \(delay); cancel"])
        #expect(status == 1)
        #expect(errors.contains("line 1: 'delay \(delay)' is not a step"))
    }

    @Test(arguments: CallerKind.allCases)
    func `10,000 unknown ids give response 2, and the next request works`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        let unknown: Vardict = [
            "id": String(repeating: "0", count: 32).variant, "source": "library".variant,
        ]
        let rogue = try await RogueBackend(picker.session) { _ throws(DBusError) in
            Arguments(0, ["selection": Array(repeating: unknown, count: 10_000).variant])
        }
        let response = try await picker.client.response(picker.client.pick())
        #expect(response.code == 2)
        #expect(response.results.value("uris", as: [String].self) == [])
        await rogue.connection.close()
        _ = try await picker.session.startBackend("pick newest 1")
        #expect(try await picker.client.response(picker.client.open()).code == 0)
    }

    @Test(
        arguments: [
            ["selection": .string("x")], ["selection": .array(element: "s", [.string("x")])],
            ["selection": .variant(.uint32(1))],
            ["selection": .dictionary(key: "s", value: "v", [])],
            [:], ["selection": [["id": .uint32(7)]].variant],
        ] as [Vardict])
    func `a reply of wrong types gives response 2`(results: Vardict) async throws {
        let picker = try await PickerSession()
        let rogue = try await RogueBackend(picker.session) { _ throws(DBusError) in
            Arguments(0, results)
        }
        #expect(try await picker.client.response(picker.client.pick()).code == 2)
        #expect(picker.service.errorText.contains("is not valid"))
        withExtendedLifetime(rogue) {}
    }

    @Test func `a reply of another form gives response 2`() async throws {
        let picker = try await PickerSession()
        let script = """
            import dbus.service, dbus.mainloop.glib
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            name = dbus.service.BusName(
                'org.freedesktop.impl.portal.desktop.photoportal', dbus.SessionBus())
            class Backend(dbus.service.Object):
                @dbus.service.method(
                    'org.freedesktop.impl.portal.PhotoPicker', 'osssa{sv}', 's')
                def OpenImage(self, handle, app_id, parent_window, title, options):
                    return 'here you are'
            backend = Backend(dbus.SessionBus(), '/org/freedesktop/portal/desktop')
            GLib.MainLoop().run()
            """
        let backend = try picker.session.start("/usr/bin/python3", ["-c", script])
        try await picker.session.waitForOwner(
            of: PickerBackendInterface.defaultBusName.rawValue, backend)
        #expect(try await picker.client.response(picker.client.open()).code == 2)
        // The backend was called, and its reply made the request fail.
        #expect(picker.service.errorText.contains("The backend failed."))
        #expect(!picker.service.errorText.contains("ServiceUnknown"))
    }

    @Test(arguments: CallerKind.allCases)
    func `a reply after Close is dropped`(kind: CallerKind) async throws {
        let picker = try await PickerSession(kind)
        let (closed, close) = AsyncStream<Void>.makeStream()
        let rogue = try await RogueBackend(picker.session) { _ throws(DBusError) in
            for await _ in closed { break }
            return Arguments(0, ["selection": [Vardict]().variant])
        }
        let handle = try await picker.client.pick(["min_count": UInt32(0).variant])
        try await eventually("the question") { rogue.calls.count == 1 }
        try await picker.client.close(handle)
        close.yield()
        // A later call has been answered, so the late reply has arrived.
        let next = try await picker.client.pick(["min_count": UInt32(0).variant])
        try await eventually("the next question") { rogue.calls.count == 2 }
        try await picker.client.close(next)
        try await picker.client.settle()
        #expect(picker.client.responses.all.isEmpty)
    }

    @Test func `Close ends the wait for a backend, and so does its end, with response 2`()
        async throws
    {
        let picker = try await PickerSession()
        let rogue = try await RogueBackend(picker.session) { _ throws(DBusError) in
            try? await Task.sleep(for: .seconds(600))
            throw .failed("never")
        }
        let handle = try await picker.client.open()
        try await eventually("the question") { rogue.calls.count == 1 }
        await rogue.connection.close()
        #expect(try await picker.client.response(handle).code == 2)
    }

    /// A caller can leave at any time: before the reply, before the window, while it is open, or
    /// while the photos are delivered.
    @Test(arguments: CallerKind.allCases)
    func `a caller that leaves at any step leaves no window and no request`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        let backend = try await picker.session.startBackend("delay 5ms; pick newest 3")
        for step in 0..<60 {
            let guest = try await picker.anotherClient()
            let call = Task { try await guest.pick() }
            // Each turn leaves later in the request.
            for _ in 0..<step { await Task.yield() }
            if step % 3 == 1 { _ = try? await call.value }
            if step % 3 == 2 {
                _ = try? await call.value
                try await eventually("the question") {
                    backend.events.count { $0.contains("method") } > step / 3
                }
            }
            await guest.connection.close()
            _ = try? await call.value
        }
        // The service works, and holds no resources.
        let last = try await picker.client.response(picker.client.pick())
        #expect(last.code == 0)
        try await eventually("the end of all requests") {
            let lines = picker.service.errorText.split(separator: "\n")
            let ended = lines.count { $0.contains("Ended") || $0.contains("Closed") }
            return ended == lines.count { $0.contains("Opened") }
        }
    }

    @Test(arguments: CallerKind.allCases)
    func `more photos than one response may hold end the request with a reason`(kind: CallerKind)
        async throws
    {
        let picker = try await PickerSession(kind)
        let files = Array(repeating: "file://\(picker.files[0])", count: 10_001)
        let rogue = try await RogueBackend(picker.session) { _ in Self.selection(files) }
        let response = try await picker.client.response(picker.client.pick())
        #expect(response.code == 2)
        #expect(Delivery(response.results)?.failures.map(\.code) == [.tooLarge])
        #expect(rogue.calls.count == 1)
    }

    private static func selection(_ uris: [String]) -> Arguments<UInt32, Vardict> {
        BackendAnswer.encode(.picked(uris.map { PickedItem(.uri($0), from: .files) }))
    }
}
