// SPDX-License-Identifier: MIT

import Desktop
import Glibc
import Photos
import PortalClient
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The clients that people use: portal-pick, busctl, gdbus, python3-dbus.
@Suite(.serialized) struct ClientTests {
    @Test func `portal-pick prints paths, URIs and JSON`() async throws {
        let picker = try await PickerSession(photos: 3)
        _ = try await picker.session.startBackend("pick newest most")
        let (status, paths, _) = try await picker.session.run("portal-pick", ["--max", "2"])
        #expect(status == 0)
        let lines = paths.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { (try? FilePath($0).stat()) != nil })
        let (_, uris, _) = try await picker.session.run(
            "portal-pick", ["--max", "2", "--format", "uri"])
        #expect(uris.split(separator: "\n").map { FileURI.path(String($0))?.string } == lines)
        let (_, null, _) = try await picker.session.run(
            "portal-pick", ["--max", "2", "--format", "null"])
        #expect(null.split(separator: "\0").map(String.init) == lines)
        let (_, json, _) = try await picker.session.run(
            "portal-pick", ["--max", "2", "--format", "json"])
        #expect(json.contains("\"media_type\" : \"image/jpeg\""))
        #expect(lines.allSatisfy { json.contains("\"path\" : \"\($0)\"") })
    }

    @Test func `portal-pick reports the result by its exit status`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("cancel", "end", "pick newest 1")
        #expect(try await picker.session.run("portal-pick").status == 1)
        let (failed, _, errors) = try await picker.session.run("portal-pick")
        #expect(failed == 2)
        #expect(errors.hasPrefix("portal-pick: "))
        #expect(try await picker.session.run("portal-pick", ["--single"]).status == 0)
    }

    @Test(arguments: [
        ["--max", "1", "--min", "2"], ["--max", "x"], ["--single", "--max", "2"], ["--nonsense"],
        ["--format", "xml"], ["--type", "text/plain"], ["--type", ""], ["--clip-size", "9x9"],
        ["--clip", "none", "--clip-size", "9x9"], ["--only-album"],
        ["--reason", String(repeating: "x", count: 257)], ["--album", "../x"],
    ])
    func `portal-pick exits with 64 for wrong usage`(arguments: [String]) async throws {
        let picker = try await PickerSession(photos: 0)
        let (status, output, errors) = try await picker.session.run("portal-pick", arguments)
        #expect(status == 64)
        #expect(output.isEmpty)
        #expect(!errors.isEmpty)
    }

    @Test func `portal-pick trusts only the service`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("delay 500ms; pick newest 1")
        let pick = try picker.session.start("portal-pick", ["--single", "--format", "uri"])
        try await eventually("the question") { backend.events.count == 1 }
        // Anybody who watches the bus sees the handle, which contains the caller's name.
        let names = try await picker.client.connection.call(
            Method<Arguments<>, Arguments<[String]>>("ListNames", returns: ["names"]),
            to: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", on: "org.freedesktop.DBus",
            Arguments()
        ).values
        let requests = requestHandles(picker)
        let handle = try #require(requests.first)
        for name in names.compactMap({ BusName($0) }) where name.rawValue.hasPrefix(":") {
            try await picker.client.connection.emit(
                RequestInterface.response, of: RequestInterface.interface.name, from: handle,
                to: name,
                Arguments(UInt32(0), Delivery(items: [Self.forgery]).vardict))
        }
        #expect(try await pick.exitStatus() == 0)
        #expect(!pick.outputText.contains("forged"))
        #expect(pick.outputText.contains("photo"))
    }

    private static let forgery = Delivery.Item(
        id: "", uri: "file:///forged.jpg", mediaType: .jpeg, name: "forged", size: nil,
        byteCount: 1, taken: nil, modified: 0, source: .library)

    /// The requests that were opened, according to the log of the service.
    private func requestHandles(_ picker: PickerSession) -> [ObjectPath] {
        picker.service.errorText.matches(
            of: #/\/org\/freedesktop\/portal\/desktop\/request\/[A-Za-z0-9_\/]+/#
        )
        .compactMap { ObjectPath(String($0.output)) }
    }

    @Test func `Ctrl-C closes the window`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("hang")
        let pick = try picker.session.start("portal-pick")
        try await eventually("the question") { backend.events.count == 1 }
        #expect(try await pick.stop(SIGINT) == 1)
        try await eventually("the end of the window") { backend.events.last == "{\"closed\":true}" }
    }

    @Test func `portal-pick without a service or a bus says so`() async throws {
        let session = try await Session.start()
        let (status, _, errors) = try await session.run("portal-pick")
        #expect(status == 2)
        #expect(errors == "portal-pick: the photo portal is not installed in this session\n")
        let (noBus, _, noBusErrors) = try await session.run(
            "portal-pick", environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
        #expect(noBus == 2)
        #expect(noBusErrors.contains("cannot connect to the session bus"))
    }

    @Test func `portal-pick names the flag that is wrong, not the option of the portal`()
        async throws
    {
        let picker = try await PickerSession(photos: 0)
        let (status, _, errors) = try await picker.session.run(
            "portal-pick", ["--type", "image/x-nobody-knows"])
        #expect(status == 64)
        #expect(
            errors
                == "portal-pick: Expected at least one recognized type for --type, got ['image/x-nobody-knows']\n"
        )
    }

    @Test func `a photo that cannot be made as asked is not said to be a window that did not open`()
        async throws
    {
        let picker = try await PickerSession(photos: 1)
        _ = try await picker.session.startBackend("pick newest 1")
        let (status, _, errors) = try await picker.session.run("portal-pick", ["--max-bytes", "5"])
        #expect(status == 2)
        #expect(errors.contains("cannot be made small enough"))
        #expect(!errors.contains("window"))
    }

    @Test func `the help that an error names is that of the command`() async throws {
        let session = try await Session.start()
        let (_, _, errors) = try await session.run("portal-pick", ["derive", "a.jpg"])
        #expect(errors.contains("See 'portal-pick derive --help'"), "\(errors)")
    }

    @Test func `a script picks all that it should while the library is being indexed`()
        async throws
    {
        let session = try await Session.start()
        for number in 1...100 {
            try session.home.write(
                Fixtures.bytes("jpeg/grey.jpg") + Array("\(number)".utf8),
                to: session.home.pictures.appending("photo \(number).jpg"))
        }
        _ = try await session.startBackend("pick newest most")
        _ = try await session.startService([])
        let (status, paths, errors) = try await session.run("portal-pick")
        #expect(status == 0, "\(errors)")
        #expect(paths.split(separator: "\n").count == 100)
    }

    @Test func `a script that cannot be read is named`() async throws {
        let session = try await Session.start()
        let (status, _, errors) = try await session.run("photo-portal-script", ["/nonexistent"])
        #expect(status == 1)
        #expect(errors == "photo-portal-script: /nonexistent: No such file or directory\n")
        let path = session.home.scratch.appending("script")
        try session.home.write(Array("cancel\njump\n".utf8), to: path)
        let wrong = try await session.run("photo-portal-script", [path.string])
        #expect(wrong.errors == "photo-portal-script: \(path): line 2: 'jump' is not a step\n")
    }

    @Test func `portal-pick ends when the service dies`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("hang")
        let pick = try picker.session.start("portal-pick")
        try await eventually("the question") { backend.events.count == 1 }
        try await picker.service.stop(SIGKILL)
        #expect(try await pick.exitStatus() == 2)
    }

    @Test func `two calls of busctl make a pick`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("delay 200ms; pick newest 2")
        let address = "--address=\(picker.session.bus.address)"
        let target = [
            "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.PhotoPicker",
        ]
        let (status, output, errors) = try await picker.session.run(
            "busctl",
            [address, "call"] + target
                + [
                    "PickImages", "ssa{sv}", "", "", "2", "detached", "b", "true", "max_count", "u",
                    "2",
                ])
        #expect(status == 0, "\(errors)")
        let handle = try #require(output.split(separator: "\"").dropFirst().first)
        let (waited, response, waitErrors) = try await picker.session.run(
            "busctl",
            [address, "--timeout=60", "call"] + target + ["AwaitResponse", "o", String(handle)])
        #expect(waited == 0, "\(waitErrors)")
        #expect(response.hasPrefix("ua{sv} 0 "))
        #expect(response.contains("\"uris\" as 2 \"file:///"))
    }

    @Test func `python3-dbus makes a pick, and gdbus sees the response`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("delay 300ms; pick newest 2")
        let script = picker.home.scratch.appending("app.py")
        try picker.home.write(
            Array(
                """
                import dbus, sys
                from dbus.mainloop.glib import DBusGMainLoop
                from gi.repository import GLib
                DBusGMainLoop(set_as_default=True)
                bus = dbus.SessionBus()
                loop = GLib.MainLoop()
                def answered(response, results):
                    print(response, *results["uris"], results["items"][0]["media_type"])
                    loop.quit()
                name = bus.get_unique_name()[1:].replace(".", "_")
                path = "/org/freedesktop/portal/desktop/request/" + name + "/python"
                bus.add_signal_receiver(answered, "Response",
                    "org.freedesktop.portal.Request", path=path)
                picker = dbus.Interface(
                    bus.get_object("org.freedesktop.portal.PhotoPicker",
                                   "/org/freedesktop/portal/desktop"),
                    "org.freedesktop.portal.PhotoPicker")
                handle = picker.PickImages("", "From Python", {
                    "handle_token": "python", "max_count": dbus.UInt32(2)})
                assert handle == path, handle
                loop.run()
                """.utf8), to: script)
        let monitor = try picker.session.start(
            "gdbus",
            ["monitor", "--session", "--dest", "org.freedesktop.portal.PhotoPicker"])
        try await eventually("the monitor") { monitor.outputText.contains("is owned by") }
        let (status, output, errors) = try await picker.session.run(
            "/usr/bin/python3", [script.string])
        #expect(status == 0, "\(errors)")
        #expect(output.hasPrefix("0 file:///"))
        #expect(output.hasSuffix(" image/jpeg\n"))
        // Only the app received the response, so a monitor that listens for signals sees none.
        #expect(!monitor.outputText.contains("Response"))
    }

    @Test func `a client that is cancelled while its request opens leaves no window`() async throws
    {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("hang")
        let connection = try await picker.session.connect()
        let client = await RequestClient(on: connection)
        let monitor = try await picker.session.startMonitor()
        picker.service.signal(SIGSTOP)
        let pick = Task { try await client.pick(.openImage, title: "", options: [:]) }
        try await eventually("the call") { monitor.outputText.contains("\"OpenImage\"") }
        pick.cancel()
        await #expect(throws: DBusError.cancelled) { try await pick.value }
        picker.service.signal(SIGCONT)
        try await eventually("the end of the request") {
            picker.service.errorText.contains("Closed")
        }
        // A window that was opened is closed.
        try await eventually("the end of the window") {
            backend.events.isEmpty || backend.events.last == "{\"closed\":true}"
        }
    }
}
