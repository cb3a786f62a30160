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
