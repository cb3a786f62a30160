// SPDX-License-Identifier: MIT

import Photos
import PortalBackend
import PortalInterface
import SDBus
import TestSupport
import Testing

/// The requests of a backend, as the service makes them.
@Suite(.serialized) struct BackendRequestTests {
    @Test func `a question about the library that is closed ends with response 2`() async throws {
        let session = try await Session.start()
        let connection = try await session.connect()
        let asked = Recorder<AuthorizationRequest>()
        let backend = try await PickerBackend(
            on: connection, pick: { _, _, _ throws(DBusError) in .cancelled },
            authorize: { question, _ throws(DBusError) in
                asked.note(question)
                // Ends when the request is closed, the first time.
                if asked.count == 1 { try? await Task.sleep(for: .seconds(1000)) }
                return .undecided
            }, delete: { _, _ throws(DBusError) in false },
            preview: { _, _ throws(DBusError) in .cancelled })
        _ = try await connection.requestName(PickerBackendInterface.defaultBusName)
        let service = try await session.connect()
        _ = try await service.requestName(PhotoPickerInterface.busName)
        let handle: ObjectPath = "/org/freedesktop/portal/desktop/request/1_2/t"
        @Sendable func ask() async throws -> UInt32 {
            try await service.call(
                PickerBackendInterface.authorize, to: PickerBackendInterface.defaultBusName,
                at: PickerBackendInterface.path, on: PickerBackendInterface.interface.name,
                AuthorizationAnswer.encode(
                    AuthorizationRequest(
                        appID: "org.example.App", parentWindow: "", level: .readWrite),
                    at: handle), timeout: .seconds(60)
            ).values.0
        }
        let closed = Task { try await ask() }
        try await eventually("the question") { asked.count == 1 }
        _ = try await service.call(
            BackendRequestInterface.close, to: PickerBackendInterface.defaultBusName, at: handle,
            on: BackendRequestInterface.interface.name, Arguments())
        #expect(try await closed.value == 2)
        // A person who does not decide is another matter.
        #expect(try await ask() == 1)
        withExtendedLifetime(backend) {}
    }
}
