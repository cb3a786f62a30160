// SPDX-License-Identifier: MIT

import Files
import Glibc
import Logging
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

@testable import PortalService

/// Derived files that are old are removed, unless an app needs them.
@Suite(.serialized) struct SweepTests {
    /// A document portal that takes its time, during which a test does something.
    @BusActor
    private static func documents(
        on connection: Connection, meanwhile: @escaping @Sendable () -> Void
    ) async throws -> Export {
        let export = try connection.export(
            Interface(DocumentsInterface.interface.name, [DocumentsInterface.lookup]),
            at: DocumentsInterface.path
        ) { export in
            export.method(DocumentsInterface.lookup) { _ throws(DBusError) in
                meanwhile()
                return Arguments("")
            }
        }
        _ = try await connection.requestName(DocumentsInterface.busName)
        return export
    }

    @Test(arguments: [true, false])
    func `an old file that is delivered during the sweep stays`(isDelivered: Bool) async throws {
        let session = try await Session.start()
        let folder = session.home.cache.appending("derived")
        let path = folder.appending("a.jpg")
        try session.home.write([1], to: path)
        session.home.setDate(of: path, 1_000_000_000)
        let peer = try await session.connect()
        let export = try await Self.documents(on: peer) {
            guard isDelivered else { return }
            // What a delivery does; the test fails if it cannot.
            try? Descriptor.openForReading(path).touch()
        }
        let connection = try await session.connect()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let derived = DerivedFiles(folder: folder, logger: logger)
        await derived.sweep(askingAlso: DocumentPortal(on: connection, logger: logger))
        #expect(names(in: folder) == (isDelivered ? ["a.jpg"] : []))
        withExtendedLifetime(export) {}
    }
}
