// SPDX-License-Identifier: MIT

import Files
import Glibc
import Logging
import Photos
import SDBus
import SystemPackage
import TestSupport
import Testing

@testable import PortalService

/// The documents that end with their apps.
@Suite(.serialized) struct TransientDocumentTests {
    @Test func `a list that cannot be kept is reported once`() async throws {
        let home = try TestHome()
        try home.write([1], to: home.runtime.appending("photo-portal"))
        let log = Recorder<String>()
        let logger = Logger(label: "test") { [log] _ in RecordingLogHandler(log: log) }
        let record = TransientRecord(
            at: home.runtime.appending("photo-portal").appending("documents"))
        await Self.give(["a", "b", "c"], record, logger)
        #expect(log.count == 1, "\(log.all)")
        #expect(log.all.first?.hasPrefix("warning") == true)
    }

    @Test func `what is given to a later run of an app is not taken away again`() async throws {
        let home = try TestHome()
        let portal = await Portal(home)
        // Two documents are taken away from an app that has ended, and that takes a while.
        await portal.documents.note(["a", "b"], of: Self.app)
        try await eventually("the first call") { await portal.asked.count == 1 }
        // It runs again, and receives the same photos.
        let gift = Task { await portal.give(["a", "b"]) }
        try await eventually("the gift") { await portal.isGiving }
        await portal.answer()
        await gift.value
        await portal.answer()
        try await eventually("the end of the calls") {
            // The list need not have been stored before.
            let stored = try? Self.stored(home)
            return stored?.contains { $0.hasSuffix("  a,b") || $0.hasSuffix("  b") } == false
        }
        await portal.documents.saved()
        #expect(await portal.held == ["a", "b"])
    }

    @Test func `a list that cannot be read is kept, and a later service goes by it`() async throws {
        let home = try TestHome()
        let record = Self.record(home)
        try record.save([
            TransientRecord.Entry(appID: "org.example.Other", processes: [], documents: ["old"])
        ])
        let log = Recorder<String>()
        do {
            // Whoever runs the test, the file cannot be opened.
            let locked = LockedFiles([record.path])
            let portal = await Portal(home, log: log)
            await portal.give(["new"])
            await portal.documents.saved()
            #expect(await portal.asked.isEmpty)
            withExtendedLifetime(locked) {}
        }
        #expect(log.all.count { $0.contains("cannot be read") } == 1, "\(log.all)")
        let later = await Portal(home, log: log)
        try await eventually("the end of the old document") { await later.asked == ["old"] }
        await later.answer()
        // And from now on there is one list again.
        try await eventually("one list") {
            try names(in: record.path.removingLastComponent()) == ["documents"]
                && Self.stored(home).allSatisfy { $0.hasSuffix(" new") }
        }
        await later.documents.saved()
        #expect(log.all.count { $0.contains("cannot be read") } == 1, "\(log.all)")
    }

    @Test(arguments: ["torn", "folder", "fifo"])
    func `a list that is none is put aside, so that there can be another one`(
        kind: String
    ) async throws {
        let home = try TestHome()
        let path = Self.record(home).path
        switch kind {
        case "torn": try home.write(Array("\(Self.app)  old\norg.exam".utf8), to: path)
        case "folder": try home.write([1], to: path.appending("file"))
        default:
            try Directory.make(path.removingLastComponent())
            #expect(path.withPlatformString { mkfifo($0, 0o600) } == 0)
        }
        let log = Recorder<String>()
        let portal = await Portal(home, log: log)
        #expect(log.all.count { $0.contains("cannot be read") } == 1, "\(log.all)")
        if kind == "torn" {
            // What can be read of it counts.
            try await eventually("the end of the old document") { await portal.asked == ["old"] }
            await portal.answer()
        }
        await portal.give(["new"])
        try await eventually("the list") {
            let lines = (try? Self.stored(home)) ?? []
            return lines.count == 1 && lines[0].hasSuffix(" new")
        }
        await portal.documents.saved()
        #expect(names(in: path.removingLastComponent()).contains("documents.unread-1"))
    }

    @Test func `a service that ends while it takes documents away leaves the rest to the next one`()
        async throws
    {
        let home = try TestHome()
        let portal = await Portal(home)
        await portal.documents.note(["a", "b", "c"], of: Self.app)
        try await eventually("the first call") { await portal.asked.count == 1 }
        await portal.documents.saved()
        let next = await Portal(home)
        for count in 1...3 {
            try await eventually("the next call") { await next.asked.count == count }
            await next.answer()
        }
        #expect(await Set(next.asked) == ["a", "b", "c"])
        try await eventually("an empty list") { try Self.stored(home).isEmpty }
        for count in 1...3 {
            try await eventually("the next call") { await portal.asked.count == count }
            await portal.answer()
        }
        for portal in [portal, next] { await portal.documents.saved() }
    }

    @Test func `the buses of a person have lists of their own`() async throws {
        let home = try TestHome()
        var paths: Set<FilePath> = []
        for _ in 1...2 {
            let session = try await Session.start(home: home)
            let connection = try await session.connect()
            for _ in 1...2 { paths.insert(try await TransientRecord(on: connection).path) }
        }
        #expect(paths.count == 2)
    }

    @Test func `the list that was for all buses is taken over once`() async throws {
        let home = try TestHome()
        let former = Self.record(home)
        try former.save([
            TransientRecord.Entry(appID: Self.app, processes: [], documents: ["old"])
        ])
        let folder = former.path.removingLastComponent()
        let record = TransientRecord(
            at: folder.appending("documents-0123"), takingOver: former.path)
        let revoked = Recorder<String>()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let documents = await TransientDocuments(record: record, logger: logger) { document, _ in
            revoked.note(document)
        }
        try await eventually("the end of the old document") { revoked.all == ["old"] }
        try await eventually("the end of the old list") {
            names(in: folder) == ["documents-0123"]
        }
        try await eventually("an empty list") { record.load().entries.isEmpty }
        await documents.saved()
    }

    private static let app: AppID = "org.example.App"

    fileprivate static func record(_ home: TestHome) -> TransientRecord {
        TransientRecord(at: home.runtime.appending("photo-portal").appending("documents"))
    }

    /// The lines of the list.
    private static func stored(_ home: TestHome) throws -> [Substring] {
        let bytes = try Descriptor.openForReading(record(home).path).read(upTo: 10_000)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    /// A document portal that answers when it is told to.
    @BusActor
    private final class Portal {
        private(set) var asked: [String] = []
        private(set) var held: Set<String> = []
        private(set) var isGiving = false
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var answers = 0
        private(set) lazy var documents = TransientDocuments(record: record, logger: logger) {
            [weak self] document, _ in await self?.revoke(document)
        }
        private let record: TransientRecord
        private let logger: Logger

        init(_ home: TestHome, log: Recorder<String> = Recorder()) {
            record = TransientDocumentTests.record(home)
            logger = Logger(label: "test") { [log] _ in RecordingLogHandler(log: log) }
            _ = documents
        }

        private func revoke(_ document: String) async {
            asked.append(document)
            if answers > 0 {
                answers -= 1
            } else {
                await withCheckedContinuation { waiting.append($0) }
            }
            held.remove(document)
        }

        /// Answers the call that waits, or the next one.
        func answer() {
            guard !waiting.isEmpty else { return answers += 1 }
            waiting.removeFirst().resume()
        }

        /// Gives documents to the app, which runs as this process.
        func give(_ ids: [String]) async {
            isGiving = true
            documents.keep(of: TransientDocumentTests.app, while: getpid())
            await documents.giving(to: TransientDocumentTests.app) {
                held.formUnion(ids)
                documents.note(ids, of: TransientDocumentTests.app)
            }
        }
    }

    @BusActor
    private static func give(
        _ documents: [String], _ record: TransientRecord, _ logger: Logger
    ) async {
        let transient = TransientDocuments(record: record, logger: logger) { _, _ in }
        transient.keep(of: "org.example.App", while: getpid())
        for document in documents {
            transient.note([document], of: "org.example.App")
            await transient.saved()
        }
    }
}

/// Records the messages of a logger.
private struct RecordingLogHandler: LogHandler {
    let log: Recorder<String>
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        log.note("\(event.level) \(event.message)")
    }
}
