// SPDX-License-Identifier: MIT

import Files
import Glibc
import Logging
import Photos
import PortalInterface
import SDBus
import SystemPackage
import TestSupport
import Testing

@testable import PortalService

/// What the document portal gives to an app that has stopped waiting for it.
@Suite(.serialized) struct DocumentPortalTests {
    @Test(arguments: [true, false])
    func `a photo that arrives after its request has ended is taken away with the app`(
        isClosed: Bool
    ) async throws {
        let session = try await Session.start()
        let slow = try await SlowPortal(on: session.connect())
        let photo = session.home.pictures.appending("photo.jpg")
        try session.home.write([1], to: photo)
        let app = try session.start("sleep", ["1000"])
        let connection = try await session.connect()
        let portal = await DocumentPortal(
            on: connection,
            record: TransientRecord(at: session.home.runtime.appending("documents")),
            timeout: isClosed ? .seconds(1000) : .milliseconds(50),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await portal.keep(of: "org.example.App", while: app.processID)
        let file = try Descriptor.openForReading(photo)
        let giving = Task {
            try await portal.add([file], for: "org.example.App", granting: .none)
        }
        try await eventually("the call") { slow.asked.count == 1 }
        if isClosed { giving.cancel() }
        await #expect(throws: DBusError.self) { try await giving.value }
        // The portal has given it all the same.
        await slow.answer()
        await portal.settle()
        #expect(slow.revoked.count == 0)
        try await app.stop()
        try await eventually("the end of the permission") { slow.revoked.all == ["document"] }
    }

    @Test func `a photo that nobody may write to is delivered although writing was granted`()
        async throws
    {
        let session = try await Session.start()
        let strict = try await StrictPortal(on: session.connect())
        let photo = session.home.pictures.appending("photo.jpg")
        try session.home.write([1], to: photo)
        let portal = await DocumentPortal(
            on: try await session.connect(),
            record: TransientRecord(at: session.home.runtime.appending("documents")),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let file = try Descriptor.openForReading(photo)
        let uris = try await portal.add(
            [file], for: "org.example.App", granting: [.writable, .persistent])
        #expect(uris == ["file:///run/doc/document/photo.jpg"])
        // Lasting, as was granted.
        #expect(
            strict.asked.all == ["2 read write", "3 ", "document org.example.App read"])
        // Which of several files it is, the portal does not tell.
        let error = await #expect(throws: DBusError.self) {
            try await portal.add([file, file], for: "org.example.App", granting: [.writable])
        }
        #expect(error?.name == .portalNotAllowed)
    }

    /// A document portal on a disk that is read-only.
    ///
    /// - Source: xdg-desktop-portal, `document_add_full`: one file that cannot be written to is an
    ///   error for all.
    @BusActor
    private final class StrictPortal {
        /// The flags, or the document and the app, and the permissions of each call.
        nonisolated let asked = Recorder<String>()
        private let connection: Connection
        private var export: Export?

        init(on connection: Connection) async throws {
            self.connection = connection
            export = try connection.export(
                Interface(
                    DocumentsInterface.interface.name,
                    [DocumentsInterface.addFull, DocumentsInterface.grantPermissions]),
                at: DocumentsInterface.path
            ) { [asked] export in
                export.method(DocumentsInterface.grantPermissions) { call throws(DBusError) in
                    let (document, app, permissions) = call.input.values
                    asked.note("\(document) \(app) \(permissions.joined(separator: " "))")
                    return Arguments()
                }
                export.method(DocumentsInterface.addFull) { call throws(DBusError) in
                    let (files, flags, _, permissions) = call.input.values
                    asked.note("\(flags) \(permissions.joined(separator: " "))")
                    guard !permissions.contains("write") else {
                        throw PortalError.notAllowed("Invalid fd passed")
                    }
                    let mountPoint = Array("/run/doc\0".utf8).map { Variant.byte($0) }
                    return Arguments(
                        files.map { _ in "document" },
                        ["mountpoint": .array(element: "y", mountPoint)])
                }
            }
            _ = try await connection.requestName(DocumentsInterface.busName)
        }
    }

    /// A document portal that gives a document when it is told to.
    @BusActor
    private final class SlowPortal {
        nonisolated let asked = Recorder<String>()
        nonisolated let revoked = Recorder<String>()
        private let connection: Connection
        private var export: Export?
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(on connection: Connection) async throws {
            self.connection = connection
            export = try connection.export(
                Interface(
                    DocumentsInterface.interface.name,
                    [DocumentsInterface.addFull, DocumentsInterface.revokePermissions]),
                at: DocumentsInterface.path
            ) { [unowned self] export in
                export.method(DocumentsInterface.addFull) { call throws(DBusError) in
                    self.asked.note(call.input.values.2)
                    await withCheckedContinuation { self.waiting.append($0) }
                    return Arguments(["document"], [:])
                }
                export.method(DocumentsInterface.revokePermissions) { call throws(DBusError) in
                    self.revoked.note(call.input.values.0)
                    return Arguments()
                }
            }
            _ = try await connection.requestName(DocumentsInterface.busName)
        }

        func answer() {
            for call in waiting { call.resume() }
            waiting = []
        }
    }
}
