// SPDX-License-Identifier: MIT

import PortalInterface
import SDBus
import TestSupport

/// A backend in the test process, which replies as the test wants.
final class RogueBackend: Sendable {
    typealias Answer =
        @Sendable (ObjectPath) async throws(DBusError) -> Arguments<UInt32, Vardict>

    let connection: Connection
    let calls = Recorder<ObjectPath>()
    private let export: Export

    init(_ session: Session, answer: @escaping Answer) async throws {
        let connection = try await session.connect()
        self.connection = connection
        export = try await Self.export(on: connection, calls, answer)
        _ = try await connection.requestName(PickerBackendInterface.defaultBusName)
    }

    @BusActor
    private static func export(
        on connection: Connection, _ calls: Recorder<ObjectPath>, _ answer: @escaping Answer
    ) throws -> Export {
        try connection.export(
            PickerBackendInterface.interface, at: PickerBackendInterface.path
        ) { export in
            export.property(PickerBackendInterface.version) { 1 }
            for method in [
                PickerBackendInterface.openImage, PickerBackendInterface.pickImages,
                PickerBackendInterface.previewImages, PickerBackendInterface.authorize,
            ] {
                export.method(method) { call throws(DBusError) in
                    calls.note(call.input.values.0)
                    return try await answer(call.input.values.0)
                }
            }
            export.method(PickerBackendInterface.confirmDeletion) { call throws(DBusError) in
                calls.note(call.input.values.0)
                return try await answer(call.input.values.0)
            }
            export.method(PickerBackendInterface.deselect) { _ in Arguments() }
            export.method(PickerBackendInterface.update) { _ in Arguments() }
        }
    }

    /// Says of a request what is chosen.
    func report(_ handle: ObjectPath, _ results: Vardict) async throws {
        let service = try await connection.owner(of: PhotoPickerInterface.busName)
        try await connection.emit(
            PickerBackendInterface.selectionChanged, of: PickerBackendInterface.interface.name,
            from: PickerBackendInterface.path, to: service, Arguments(handle, results))
    }
}
