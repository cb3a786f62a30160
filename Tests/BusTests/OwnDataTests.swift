// SPDX-License-Identifier: MIT

import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

/// The library's own data is inside a folder that the library indexes.
@Suite(.serialized) struct OwnDataTests {
    @Test func `a data folder inside Pictures does not end the service`() async throws {
        let session = try await Session.start()
        let data = session.home.pictures.appending("data")
        try session.home.write(
            Fixtures.bytes("jpeg/grey.jpg"), to: session.home.pictures.appending("a.jpg"))
        let environment = ["XDG_DATA_HOME": data.string]
        let service = try session.start("photo-portal", ["--verbose"], environment: environment)
        try await session.waitForOwner(of: PhotoPickerInterface.busName.rawValue, service)
        // Each answer opens and closes the library in another process.
        let backend = try session.start(
            "photo-portal-script", ["--answer", "pick newest 1"], environment: environment)
        try await session.waitForOwner(
            of: PickerBackendInterface.defaultBusName.rawValue, backend)
        let client = try await Client(session)
        for number in UInt8(1)...20 {
            try session.home.write(
                Fixtures.bytes("jpeg/grey.jpg") + [number],
                to: session.home.pictures.appending("\(number).jpg"))
            let handle = try await client.open()
            #expect(try await client.response(handle).code == 0, "\(service.errorText)")
        }
        #expect(try await service.stop() == 0)
    }
}
