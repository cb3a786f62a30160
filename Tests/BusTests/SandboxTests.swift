// SPDX-License-Identifier: MIT

import Desktop
import Files
import Glibc
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// An app in a sandbox receives the picked photos through the document portal, and nothing else.
@Suite(.serialized) struct SandboxTests {
    /// A whole app: picks over its own bus, and reports what it can do with the result.
    private static let app = """
        import dbus, dbus.mainloop.glib, os, sys
        from gi.repository import GLib
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        loop = GLib.MainLoop()
        def attempt(name, action):
            try:
                print(name, action(), flush=True)
            except Exception as error:
                print(name, type(error).__name__, flush=True)
        def show(response, results):
            print('response', response)
            for uri in results['uris']:
                path = GLib.filename_from_uri(uri)[0]
                attempt('read', lambda: open(path, 'rb').read(3).hex())
                attempt('write', lambda: os.close(os.open(path, os.O_WRONLY)))
            loop.quit()
        portal = dbus.Interface(
            bus.get_object('org.freedesktop.portal.PhotoPicker', '/org/freedesktop/portal/desktop'),
            'org.freedesktop.portal.PhotoPicker')
        token = 'app'
        handle = '/org/freedesktop/portal/desktop/request/%s/%s' % (
            bus.get_unique_name()[1:].replace('.', '_'), token)
        bus.add_signal_receiver(show, 'Response', 'org.freedesktop.portal.Request', None, handle)
        options = {'handle_token': token, 'writable': True, 'persistent': True}
        assert portal.PickImages('', 'Title', options) == handle
        GLib.timeout_add_seconds(20, loop.quit)
        loop.run()
        attempt('pictures', lambda: os.listdir(sys.argv[1]))
        attempt('documents', lambda: len(os.listdir(os.environ['XDG_RUNTIME_DIR'] + '/doc')))
        for name in ['org.freedesktop.impl.portal.desktop.photoportal',
                     'org.freedesktop.impl.portal.PermissionStore']:
            attempt(name, lambda: bus.get_object(name, '/org/freedesktop/portal/desktop').Ping(
                dbus_interface='org.freedesktop.DBus.Peer'))
        """

    @Test(arguments: [
        ("pick newest 2", "PermissionError"),
        ("grant persistent; pick newest 2", "PermissionError"),
        ("grant writable; pick newest 2", "None"),
    ])
    func `an app reads the picked photos, writes only granted ones, and sees nothing else`(
        answer: String, writing: String
    ) async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend(answer)
        let app = try #require(picker.app)
        let (status, output, errors) = try await app.run(
            "/usr/bin/python3", ["-c", Self.app, picker.home.pictures.string])
        #expect(status == 0, "\(errors)")
        #expect(
            output == """
                response 0
                read ffd8ff
                write \(writing)
                read ffd8ff
                write \(writing)
                pictures FileNotFoundError
                documents 2
                org.freedesktop.impl.portal.desktop.photoportal DBusException
                org.freedesktop.impl.portal.PermissionStore DBusException

                """)
    }

    @Test func `a document outlives the session only if the person granted that`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend(
            "pick newest 1", "grant persistent writable; pick newest 1")
        let options: Vardict = ["persistent": true.variant]
        let first = try await picker.client.response(picker.client.open(options))
        #expect(first.results.value("persistent", as: Bool.self) == false)
        #expect(try await keptDocuments(picker).isEmpty)
        let second = try await picker.client.response(picker.client.open(options))
        #expect(second.results.value("persistent", as: Bool.self) == true)
        // Granted, although the app did not request it.
        #expect(second.results.value("writable", as: Bool.self) == false)
        #expect(try await keptDocuments(picker).count == 1)
    }

    @Test func `a script that grants in several steps grants all of it`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend(
            "grant persistent; grant writable; pick newest 1")
        let response = try await picker.client.response(
            picker.client.open(["persistent": true.variant, "writable": true.variant]))
        #expect(response.results.value("persistent", as: Bool.self) == true)
        #expect(response.results.value("writable", as: Bool.self) == true)
    }

    /// It could read the places that the person added to the photo afterwards.
    @Test func `lasting access without location is to a copy`() async throws {
        let picker = try await PickerSession(.flatpak, photos: 1)
        _ = try await picker.session.startBackend("grant persistent; pick newest 1")
        let options: Vardict = ["persistent": true.variant]
        let response = try await picker.client.response(picker.client.open(options))
        let item = try #require(Delivery(response.results)?.items.first)
        let path = try #require(FileURI.path(item.uri))
        #expect(response.results["applied"] == nil)
        let photo = try #require(picker.files.first)
        #expect(try UInt64(photo.stat().size) == item.byteCount)
        let before = try await picker.session.run("md5sum", [photo.string]).output.prefix(32)
        try ExifTool.run([
            "-q", "-overwrite_original_in_place", "-GPSLatitude=48.8584", "-GPSLatitudeRef=N",
            photo.string,
        ])
        let app = try #require(picker.app)
        let (status, output, errors) = try await app.run("/usr/bin/md5sum", [path.string])
        #expect(status == 0, "\(errors)")
        #expect(output.prefix(32) == before)
    }

    private func keptDocuments(_ picker: PickerSession) async throws -> [String] {
        let connection = try await picker.session.connect()
        return try await connection.call(
            Method<Arguments<String>, Arguments<[String]>>(
                "List", takes: ["table"], returns: ["ids"]),
            to: "org.freedesktop.impl.portal.PermissionStore",
            at: "/org/freedesktop/impl/portal/PermissionStore",
            on: "org.freedesktop.impl.portal.PermissionStore", Arguments("documents")
        ).values
    }

    @Test func `picking a photo again for reading keeps the permission to write`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("grant writable; pick newest 1", "pick newest 1")
        let writable = try await picker.client.response(
            picker.client.open(["writable": true.variant]))
        let uri = try #require(Delivery(writable.results)?.items.first?.uri)
        _ = try await picker.client.response(picker.client.open())
        let app = try #require(picker.app)
        let path = try #require(FileURI.path(uri))
        let (status, _, errors) = try await app.run(
            "/usr/bin/python3", ["-c", "open('\(path)', 'r+')"])
        #expect(status == 0, "\(errors)")
    }

    @Test func `lasting access for reading keeps the permission to write that a file dialog gave`()
        async throws
    {
        let picker = try await PickerSession(.flatpak, photos: 1)
        _ = try await picker.session.startBackend("grant persistent location; pick newest 1")
        let app = try #require(picker.app)
        let connection = try await picker.session.connect()
        let photo = try #require(names(in: picker.home.pictures).first)
        // What xdg-desktop-portal does for a file dialog: reuse, lasting.
        let file = try Descriptor.openForReading(picker.home.pictures.appending(photo))
        let (ids, _) = try await connection.call(
            DocumentsInterface.addFull, to: DocumentsInterface.busName,
            at: DocumentsInterface.path, on: DocumentsInterface.interface.name,
            Arguments([file], 3, app.appID, ["read", "write", "grant-permissions"])
        ).values
        let response = try await picker.client.response(
            picker.client.open([
                "persistent": true.variant, "include_location": true.variant,
            ]))
        let uri = try #require(Delivery(response.results)?.items.first?.uri)
        let path = try #require(FileURI.path(uri))
        #expect(path.string.contains(try #require(ids.first)))
        let (status, _, errors) = try await app.run(
            "/usr/bin/python3", ["-c", "open('\(path)', 'r+')"])
        #expect(status == 0, "\(errors)")
    }

    @Test func `more photos than one message can carry arrive in their order`() async throws {
        let picker = try await PickerSession(.flatpak, photos: 50)
        _ = try await picker.session.startBackend("pick newest 50")
        let response = try await picker.client.response(picker.client.pick())
        #expect(response.code == 0)
        let items = try #require(Delivery(response.results)?.items)
        #expect(items.count == 50)
        #expect(Set(items.map(\.uri)).count == 50)
        #expect(Set(items.map(\.id)).count == 50)
    }

    @Test func `without a document portal no path is revealed`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("pick newest 1")
        // Its SIGTERM handler takes GLib's locks, so it sometimes deadlocks.
        try await picker.portals?.process(of: .documents)?.stop(SIGKILL)
        let response = try await picker.client.response(picker.client.open())
        #expect(response.code == 2)
        #expect(!"\(response.results)".contains(picker.home.root.string))
        #expect(picker.service.errorText.contains("could not be delivered"))
    }

    @Test func `a document portal that hangs ends the request after a while`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("pick newest 1")
        let portal = try #require(picker.portals?.process(of: .documents))
        portal.signal(SIGSTOP)
        let handle = try await picker.client.open()
        let response = try await picker.client.response(handle)
        portal.signal(SIGCONT)
        #expect(response.code == 2)
        #expect(!"\(response.results)".contains(picker.home.root.string))
    }

    @Test func `an error does not reveal the path of its file`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("pick files file:///etc/passwd")
        let response = try await picker.client.response(picker.client.open())
        #expect(response.code == 2)
        #expect(!"\(response.results)".contains("/"))
        #expect(Delivery(response.results)?.failures.count == 1)
    }

    @Test func `detached and AwaitResponse are refused`() async throws {
        let picker = try await PickerSession(.flatpak)
        let backend = try await picker.session.startBackend("hang")
        let detached = await #expect(throws: DBusError.self) {
            try await picker.client.open(["detached": true.variant])
        }
        #expect(detached?.name == .portalNotAllowed)
        let host = try await Client(picker.session)
        let handle = try await host.open(["detached": true.variant])
        let waiting = await #expect(throws: DBusError.self) {
            try await picker.client.awaitResponse(handle)
        }
        #expect(waiting?.name == .accessDenied)
        try await eventually("the one question") { backend.events.count == 1 }
    }

    @Test func `wishes are shown only for sandboxed apps`() async throws {
        let picker = try await PickerSession(.flatpak)
        let backend = try await picker.session.startBackend("pick newest 1")
        let wishes: Vardict = ["persistent": true.variant, "writable": true.variant]
        _ = try await picker.client.response(picker.client.open(wishes))
        #expect(backend.events[0].contains("\"persistent\":true"))
        #expect(backend.events[0].contains("\"writable\":true"))
        let host = try await Client(picker.session)
        let response = try await host.response(host.open(wishes))
        #expect(backend.events[1].contains("\"persistent\":false"))
        #expect(backend.events[1].contains("\"writable\":false"))
        #expect(response.results["persistent"] == nil)
    }

    /// A peer that may talk to a name may call every object of the connection that owns it.
    @Test func `apps cannot reach objects that trust their callers`() async throws {
        let picker = try await PickerSession(.flatpak)
        _ = try await picker.session.startBackend("hang")
        let handle = try await picker.client.open()
        // A request is listed nowhere; its own caller finds it by its handle.
        let found =
            try await objects(of: PhotoPickerInterface.busName, "/", picker)
            + objects(of: PhotoPickerInterface.busName, handle.rawValue, picker)
        let standard = ["Introspectable", "Peer", "Properties", "ObjectManager"]
            .map { "org.freedesktop.DBus.\($0)" }
        #expect(
            Set(found).subtracting(standard) == [
                "org.freedesktop.portal.PhotoLibrary", "org.freedesktop.portal.PhotoPicker",
                "org.freedesktop.portal.Request",
            ])
        let host = try await picker.session.connect()
        let service = try await host.owner(of: PhotoPickerInterface.busName)
        let backend = try await host.owner(of: PickerBackendInterface.defaultBusName)
        #expect(service != backend)
    }

    /// All interfaces on an object and below it.
    private func objects(
        of name: BusName, _ path: String, _ picker: PickerSession
    ) async throws -> [String] {
        let object = try #require(ObjectPath(path))
        let xml = try await picker.client.connection.call(
            Method<Arguments<>, Arguments<String>>("Introspect", returns: ["xml"]), to: name,
            at: object, on: "org.freedesktop.DBus.Introspectable", Arguments()
        ).values
        var interfaces = xml.matches(of: #/<interface name="([^"]+)"/#).map { String($0.1) }
        for child in xml.matches(of: #/<node name="([^"]+)"/#) {
            let below = path == "/" ? "/\(child.1)" : "\(path)/\(child.1)"
            interfaces += try await objects(of: name, below, picker)
        }
        return interfaces
    }

    @Test func `a backend rejects calls that did not come from the service`() async throws {
        let picker = try await PickerSession(.flatpak)
        let backend = try await picker.session.startBackend("pick newest 1")
        for client in [picker.client, try await Client(picker.session)] {
            let error = await #expect(throws: DBusError.self) {
                try await client.connection.call(
                    PickerBackendInterface.openImage, to: PickerBackendInterface.defaultBusName,
                    at: PickerBackendInterface.path, on: PickerBackendInterface.interface.name,
                    Arguments(
                        "/org/freedesktop/portal/desktop/request/1_1/t", "org.gnome.Maps", "",
                        "", [:]))
            }
            #expect(error?.name == .accessDenied)
        }
        #expect(backend.events.isEmpty)
    }
}
