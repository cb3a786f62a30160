// SPDX-License-Identifier: MIT

import CameraPresence
import PortalInterface
import SDBus
import TestSupport
import Testing

/// A desktop whose settings forbid cameras.
@Suite(.serialized) struct CameraLockdownTests {
    /// A service beside xdg-desktop-portal with a camera.
    private final class Desktop: Sendable {
        let picker: PickerSession
        private let portal: (Connection, Export)

        init() async throws {
            let home = try TestHome()
            try LockdownBackend.install(in: home)
            picker = try await PickerSession(photos: 0, home: home)
            let connection = try await picker.session.connect()
            let export = try await connection.export(
                CameraPortalInterface.interface, at: CameraPortalInterface.path
            ) { $0.property(CameraPortalInterface.isCameraPresent) { true } }
            #expect(try await connection.requestName(CameraPortalInterface.busName) == .owner)
            portal = (connection, export)
        }

        func startBackend(forbidding forbids: Bool) async throws -> LockdownBackend {
            try await LockdownBackend.start(on: picker.session, forbidding: forbids)
        }

        var isPresent: Bool? {
            get async throws {
                try await picker.client.connection.call(
                    PropertiesInterface.getAll, to: PhotoPickerInterface.busName,
                    at: PhotoPickerInterface.path, on: PropertiesInterface.name,
                    Arguments(PhotoPickerInterface.interface.name.rawValue)
                ).values.value("CameraPresent", as: Bool.self)
            }
        }

        func wait(_ isPresent: Bool) async throws {
            try await eventually("CameraPresent being \(isPresent)") {
                try await self.isPresent == isPresent
            }
        }

        /// The error of a request for photos of some sources; nil if it opens.
        func error(_ sources: [String]) async throws -> DBusError? {
            do throws(DBusError) {
                _ = try await picker.client.connection.call(
                    PhotoPickerInterface.pickImages, to: PhotoPickerInterface.busName,
                    at: PhotoPickerInterface.path, on: PhotoPickerInterface.interface.name,
                    Arguments("", "", ["sources": sources.variant]))
                return nil
            } catch {
                return error
            }
        }
    }

    @Test func `CameraPresent is false while cameras are forbidden, and follows`() async throws {
        let desktop = try await Desktop()
        try await desktop.wait(true)
        let backend = try await desktop.startBackend(forbidding: true)
        try await desktop.wait(false)
        for forbids in [false, true] {
            try backend.set(forbids)
            try await desktop.wait(!forbids)
        }
        // A backend that crashes lifts nothing, and neither does a stranger.
        try await backend.crash()
        let stranger = try await desktop.picker.session.connect()
        try await stranger.emit(
            PropertiesInterface.propertiesChanged, of: PropertiesInterface.name,
            from: LockdownInterface.path, to: nil,
            Arguments(
                LockdownInterface.name.rawValue, [LockdownInterface.disablesCamera: false.variant],
                []))
        #expect(try await desktop.isPresent == false)
        let other = try await desktop.startBackend(forbidding: false)
        try await desktop.wait(true)
        withExtendedLifetime(other) {}
    }

    @Test func `a request for nothing but the camera is refused, and portal-pick says why`()
        async throws
    {
        let desktop = try await Desktop()
        try await desktop.wait(true)
        let backend = try await desktop.startBackend(forbidding: true)
        try await desktop.wait(false)
        let error = try await desktop.error(["camera"])
        #expect(error?.name == .portalNotAllowed)
        #expect(error?.message.contains("do not allow cameras") == true)
        #expect(try await desktop.error(["camera", "library"]) == nil)
        let (status, output, errors) = try await desktop.picker.session.run(
            "portal-pick", ["--source", "camera"])
        #expect(status != 0)
        #expect(output.isEmpty)
        #expect(errors.contains("The settings of this computer do not allow cameras"))
        try backend.set(false)
        try await desktop.wait(true)
        #expect(try await desktop.error(["camera"]) == nil)
    }

    @Test func `a backend without the property forbids nothing`() async throws {
        let desktop = try await Desktop()
        let silent = try await desktop.picker.session.connect()
        #expect(try await silent.requestName("org.example.Lockdown") == .owner)
        try await desktop.wait(true)
        #expect(try await desktop.error(["camera"]) == nil)
    }
}
