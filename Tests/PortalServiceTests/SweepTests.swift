// SPDX-License-Identifier: MIT

import Dispatch
import Files
import Glibc
import Logging
import PortalInterface
import Processes
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
        try await derived.sweep(askingAlso: DocumentPortal(on: connection, logger: logger))
        #expect(names(in: folder) == (isDelivered ? ["a.jpg"] : []))
        withExtendedLifetime(export) {}
    }

    @Test func `what a service that was killed left unfinished is removed`() async throws {
        let session = try await Session.start()
        let folder = session.home.cache.appending("derived")
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        for name in ["a.jpg", ".new-1", ".photo-portal-x1Y2z3"] {
            try session.home.write([1], to: folder.appending(name))
            session.home.setDate(of: folder.appending(name), now.tv_sec - 7200)
        }
        // Perhaps still being written.
        try session.home.write([1], to: folder.appending(".new-2"))
        let connection = try await session.connect()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let derived = DerivedFiles(folder: folder, logger: logger)
        try await derived.sweep(askingAlso: DocumentPortal(on: connection, logger: logger))
        #expect(Set(names(in: folder)) == ["a.jpg", ".new-2"])
    }

    /// It was taken for proof that no app had received a file.
    @Test(arguments: [true, false])
    func `a session without a document portal removes no file of another session's apps`(
        isGiven: Bool
    ) async throws {
        let session = try await Session.start()
        let folder = session.home.cache.appending("derived")
        for name in ["a.jpg", ".new-1"] {
            try session.home.write([1], to: folder.appending(name))
            session.home.setDate(of: folder.appending(name), 1_000_000_000)
        }
        // The database of the document portal.
        let database = session.home.data.appending("documents")
        if isGiven { try session.home.write([1], to: database) }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let documents = await DocumentPortal(
            on: try await session.connect(),
            record: TransientRecord(at: session.home.runtime.appending("documents")),
            traces: [session.home.runtime.appending("doc"), database], logger: logger)
        await DerivedFiles(folder: folder, logger: logger).sweep(askingAlso: documents)
        #expect(names(in: folder) == (isGiven ? ["a.jpg"] : []))
    }

    @Test func `a file with an absurd date does not end the service`() async throws {
        let session = try await Session.start()
        // In memory, where any date is possible.
        let folder = FilePath("/dev/shm").appending("photo-portal-test-\(getpid())")
        defer { removeTree(folder) }
        for (name, seconds) in [("first.jpg", Int.min), ("last.jpg", Int.max)] {
            try session.home.write([1], to: folder.appending(name))
            session.home.setDate(of: folder.appending(name), seconds)
        }
        let connection = try await session.connect()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let derived = DerivedFiles(folder: folder, logger: logger)
        try await derived.sweep(askingAlso: DocumentPortal(on: connection, logger: logger))
        #expect(names(in: folder).contains("last.jpg"))
    }

    @Test(.enabled(if: StalledDisk.isAvailable, Comment(rawValue: StalledDisk.skipReason)))
    func `a sweep of a disk that does not answer holds nothing else up`() async throws {
        let session = try await Session.start()
        let folder = session.home.cache.appending("derived")
        let disk = try await StalledDisk.mount(at: folder, of: session.home) { content in
            try session.home.write([1], to: content.appending("a.jpg"))
        }
        try disk.stall(.getattr, .readdir)
        let connection = try await session.connect()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let documents = try await DocumentPortal(on: connection, logger: logger)
        let derived = DerivedFiles(folder: folder, logger: logger)
        // If the sweeps keep all threads, this one lets the disk fail.
        let isOver = DispatchSemaphore(value: 0)
        let heldUp = Recorder<Void>()
        DedicatedThread.start(named: "watch") {
            guard isOver.wait(timeout: .now() + 20) == .timedOut else { return }
            heldUp.note(())
            disk.kill()
        }
        var sweeps: [Task<Void, Never>] = []
        for _ in 0..<Processors.availableCount + 1 {
            sweeps.append(Task { await derived.sweep(askingAlso: documents) })
        }
        // Tasks begin in order, so this one runs when the sweeps wait for the disk.
        await Task {}.value
        isOver.signal()
        #expect(heldUp.count == 0)
        try await disk.end()
        for sweep in sweeps { await sweep.value }
    }
}
