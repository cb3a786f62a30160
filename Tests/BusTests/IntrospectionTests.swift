// SPDX-License-Identifier: MIT

import CameraPresence
import Foundation
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The introspection data of the running service matches the files in `dbus/`.
@Suite(.serialized) struct IntrospectionTests {
    @Test func `the service's object`() async throws {
        let picker = try await PickerSession(photos: 0)
        try await expect(
            PhotoPickerInterface.interface, at: "/org/freedesktop/portal/desktop",
            of: "org.freedesktop.portal.PhotoPicker", picker.session)
        try await expect(
            PhotoLibraryInterface.interface, at: "/org/freedesktop/portal/desktop",
            of: "org.freedesktop.portal.PhotoPicker", picker.session)
    }

    @Test func `a request`() async throws {
        let picker = try await PickerSession()
        let backend = try await picker.session.startBackend("hang")
        let handle = try await picker.client.open()
        // Only its caller sees it.
        let xml = try await picker.client.connection.call(
            SDBus.Method<Arguments<>, Arguments<String>>("Introspect", returns: ["xml"]),
            to: PhotoPickerInterface.busName, at: handle,
            on: "org.freedesktop.DBus.Introspectable", Arguments()
        ).values
        let live = try #require(
            try InterfaceXML.read(introspection: xml)
                .first { $0.name == RequestInterface.interface.name.rawValue })
        #expect(live.members.mapValues(\.shape) == (try written(RequestInterface.interface)))
        try await eventually("the question") { backend.events.count == 1 }
        try await expect(
            BackendRequestInterface.interface, at: handle.rawValue,
            of: "org.freedesktop.impl.portal.desktop.photoportal", picker.session)
    }

    @Test func `the choice of a request that its app follows`() async throws {
        let picker = try await PickerSession()
        _ = try await picker.session.startBackend("hang")
        func interfaces(_ options: Vardict) async throws -> [InterfaceXML] {
            let handle = try await picker.client.pick(options)
            let xml = try await picker.client.connection.call(
                SDBus.Method<Arguments<>, Arguments<String>>("Introspect", returns: ["xml"]),
                to: PhotoPickerInterface.busName, at: handle,
                on: "org.freedesktop.DBus.Introspectable", Arguments()
            ).values
            return try InterfaceXML.read(introspection: xml)
        }
        let name = PhotoSelectionInterface.interface.name.rawValue
        let live = try #require(
            try await interfaces(["continuous": true.variant]).first { $0.name == name })
        let interface = try written(PhotoSelectionInterface.interface)
        #expect(live.members.mapValues(\.shape) == interface)
        #expect(try await !interfaces([:]).contains { $0.name == name })
    }

    @Test func `the backend's object`() async throws {
        let picker = try await PickerSession(photos: 0)
        _ = try await picker.session.startBackend("cancel")
        try await expect(
            PickerBackendInterface.interface, at: "/org/freedesktop/portal/desktop",
            of: "org.freedesktop.impl.portal.desktop.photoportal", picker.session)
    }

    @Test func `the file chooser's object`() async throws {
        let chooser = try await FileChooserSession()
        try await expect(
            FileChooserInterface.interface, at: "/org/freedesktop/portal/desktop",
            of: "org.freedesktop.impl.portal.desktop.photoportal", chooser.session)
    }

    @Test func `the thumbnailer's objects, on a connection of their own`() async throws {
        let picker = try await PickerSession(photos: 0)
        try await expect(
            ThumbnailerInterface.interface, at: "/org/freedesktop/thumbnails/Thumbnailer1",
            of: "org.freedesktop.thumbnails.Thumbnailer1", picker.session)
        try await expect(
            ThumbnailCacheInterface.interface, at: "/org/freedesktop/thumbnails/Cache1",
            of: "org.freedesktop.thumbnails.Cache1", picker.session)
        let connection = picker.client.connection
        #expect(
            try await connection.owner(of: ThumbnailerInterface.busName)
                != connection.owner(of: PhotoPickerInterface.busName))
        // The connection that sandboxed apps may talk to has no thumbnailer.
        let error = await #expect(throws: DBusError.self) {
            try await connection.call(
                ThumbnailerInterface.getFlavors, to: PhotoPickerInterface.busName,
                at: ThumbnailerInterface.path, on: ThumbnailerInterface.interface.name,
                Arguments())
        }
        #expect(error?.name == .unknownObject)
    }

    /// The members that we call exist in the installed versions of other programs.
    @Test func `the interfaces of the desktop's portals that we call`() async throws {
        let session = try await Session.start()
        // Without a backend for settings, xdg-desktop-portal has none.
        let backends = session.home.scratch.appending("backends")
        try session.home.write(
            Array(
                """
                [portal]
                DBusName=org.example.Settings
                Interfaces=org.freedesktop.impl.portal.Settings;org.freedesktop.impl.portal.Access
                UseIn=phototest
                """.utf8), to: backends.appending("test.portal"))
        let portals = try await PortalStack.start(on: session, backends: backends)
        for (name, path, interface) in [
            (
                DocumentsInterface.busName, DocumentsInterface.path, DocumentsInterface.interface
            ),
            (
                PermissionStoreInterface.busName, PermissionStoreInterface.path,
                PermissionStoreInterface.interface
            ),
            (
                CameraPortalInterface.busName, CameraPortalInterface.path,
                CameraPortalInterface.interface
            ),
            (
                SettingsPortalInterface.busName, SettingsPortalInterface.path,
                SettingsPortalInterface.interface
            ),
        ] {
            let live = try await introspect(
                interface, at: path.rawValue, of: name.rawValue, session)
            for member in interface.members {
                #expect(
                    live.members[member.name.rawValue]?.shape == member.shape,
                    "\(interface.name).\(member.name)")
            }
        }
        withExtendedLifetime(portals) {}
    }

    @Test func `properties`() async throws {
        let picker = try await PickerSession(photos: 0)
        func property(_ name: String) async throws -> String {
            try await picker.session.run(
                "busctl",
                [
                    "--address=\(picker.session.bus.address)", "get-property",
                    "org.freedesktop.portal.PhotoPicker", "/org/freedesktop/portal/desktop",
                    "org.freedesktop.portal.PhotoPicker", name,
                ]
            ).output
        }
        #expect(try await property("version") == "u 1\n")
        #expect(try await property("CameraPresent") == "b \(VideoDevices().captures)\n")
        #expect(try await property("SupportedMediaTypes").contains("\"image/jpeg\""))
        let options = try await property("SupportedOptions")
        for option in PickOption.all { #expect(options.contains("\"\(option.key)\"")) }
    }

    @Test func `a backend answers only the service`() async throws {
        let picker = try await PickerSession(photos: 0)
        let backend = try await picker.session.startBackend("pick newest 1")
        let error = await #expect(throws: DBusError.self) {
            try await picker.client.connection.call(
                PickerBackendInterface.openImage, to: PickerBackendInterface.defaultBusName,
                at: PickerBackendInterface.path, on: PickerBackendInterface.interface.name,
                Arguments("/org/example/forged", "org.example.Bank", "", "", [:]))
        }
        #expect(error?.name == .accessDenied)
        #expect(backend.events.isEmpty)
    }

    private func expect(
        _ interface: Interface, at path: String, of name: String, _ session: Session
    ) async throws {
        let live = try await introspect(interface, at: path, of: name, session)
        #expect(live.members.mapValues(\.shape) == (try written(interface)))
    }

    /// The members of an interface in `dbus/`.
    private func written(_ interface: Interface) throws -> [String: MemberShape] {
        let url = URL(fileURLWithPath: "\(Programs.source)/dbus/\(interface.name).xml")
        return try #require(try InterfaceXML.read(url).first).members.mapValues(\.shape)
    }

    /// The introspection data of an interface on an object.
    private func introspect(
        _ interface: Interface, at path: String, of name: String, _ session: Session
    ) async throws -> InterfaceXML {
        let (status, output, errors) = try await session.run(
            "busctl",
            [
                "--address=\(session.bus.address)", "introspect", "--xml-interface", name, path,
            ])
        try #require(status == 0, "\(errors)")
        return try #require(
            try InterfaceXML.read(introspection: output)
                .first { $0.name == interface.name.rawValue })
    }
}
