// SPDX-License-Identifier: MIT

import CameraPresence
import PortalInterface
import SDBus
import Synchronization
import TestSupport
import Testing

/// Whether apps are told that there is a camera.
@Suite(.serialized) struct CameraPresentTests {
    private static func isPresent(_ picker: PickerSession) async throws -> Bool? {
        let properties = try await picker.client.connection.call(
            PropertiesInterface.getAll, to: PhotoPickerInterface.busName,
            at: PhotoPickerInterface.path, on: PropertiesInterface.name,
            Arguments(PhotoPickerInterface.interface.name.rawValue))
        return properties.values.value("CameraPresent", as: Bool.self)
    }

    /// What this machine has of its own.
    private static let own = VideoDevices().captures

    @Test(.enabled(if: !own, "this machine has a camera"))
    func `CameraPresent follows xdg-desktop-portal, and says so`() async throws {
        let picker = try await PickerSession(photos: 0)
        let told = Recorder<Bool>()
        let subscription = try await picker.client.connection.subscribe(
            to: PropertiesInterface.propertiesChanged, of: PropertiesInterface.name,
            from: PhotoPickerInterface.busName, at: PhotoPickerInterface.path,
            firstArgument: PhotoPickerInterface.interface.name.rawValue
        ) { _, content in
            if let value = content.values.1.value("CameraPresent", as: Bool.self) {
                told.note(value)
            }
        }
        #expect(try await Self.isPresent(picker) == false)
        let portal = try await picker.session.connect()
        let present = Mutex(true)
        let export = try await portal.export(
            CameraPortalInterface.interface, at: CameraPortalInterface.path
        ) { export in
            export.property(CameraPortalInterface.isCameraPresent) { present.withLock { $0 } }
        }
        #expect(try await portal.requestName(CameraPortalInterface.busName) == .owner)
        try await eventually("a camera") { told.all == [true] }
        #expect(try await Self.isPresent(picker) == true)
        // It is unplugged, and plugged in again.
        for isPresent in [false, true] {
            present.withLock { $0 = isPresent }
            try await portal.emit(
                PropertiesInterface.propertiesChanged, of: PropertiesInterface.name,
                from: CameraPortalInterface.path, to: nil,
                Arguments(
                    CameraPortalInterface.interface.name.rawValue,
                    ["IsCameraPresent": isPresent.variant], []))
            try await eventually("a change") { told.all.last == isPresent }
        }
        #expect(told.all == [true, false, true])
        // Nobody knows any more.
        try await portal.releaseName(CameraPortalInterface.busName)
        try await eventually("no camera") { told.all.last == false }
        #expect(try await Self.isPresent(picker) == false)
        withExtendedLifetime((export, subscription)) {}
    }

    @Test(.enabled(if: !own, "this machine has a camera"))
    func `another program's words about cameras mean nothing`() async throws {
        let picker = try await PickerSession(photos: 0)
        let stranger = try await picker.session.connect()
        try await stranger.emit(
            PropertiesInterface.propertiesChanged, of: PropertiesInterface.name,
            from: CameraPortalInterface.path, to: nil,
            Arguments(
                CameraPortalInterface.interface.name.rawValue, ["IsCameraPresent": true.variant],
                []))
        // What comes later has been handled later.
        #expect(try await Self.isPresent(picker) == false)
    }

    @Test(.enabled(if: !own, "this machine has a camera"))
    func `an xdg-desktop-portal without cameras tells nothing`() async throws {
        let picker = try await PickerSession(photos: 0)
        let portals = try await PortalStack.start(on: picker.session)
        #expect(try await Self.isPresent(picker) == false)
        #expect(!picker.service.hasEnded)
        withExtendedLifetime(portals) {}
    }
}
