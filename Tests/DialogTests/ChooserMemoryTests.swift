// SPDX-License-Identifier: MIT

import Logging
import SystemPackage
import TestSupport
import Testing

@testable import photo_portal_dialog

/// What the dialog remembers of apps that asked for files.
@Suite struct ChooserMemoryTests {
    @Test func `a memory that cannot be written is reported once, and kept meanwhile`() async throws
    {
        let home = try TestHome()
        // A folder cannot be made where a file is.
        try home.write([1], to: home.scratch.appending("state"))
        let log = Recorder<String>()
        let memory = ChooserMemory(
            file: home.scratch.appending("state").appending("file-chooser.conf"),
            logger: Logger(label: "test") { [log] _ in RecordingLogHandler(log: log) })
        for folder in ["file:///a", "file:///b", "file:///c"] {
            await memory.update("org.example.App") { $0.folder = folder }
            #expect(await memory.entry(of: "org.example.App").folder == folder)
        }
        #expect(log.all.count { $0.contains("cannot be kept") } == 1, "\(log.all)")
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
