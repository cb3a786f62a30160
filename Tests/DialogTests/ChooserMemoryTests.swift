// SPDX-License-Identifier: MIT

import Files
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

    @Test func `a memory that cannot be read is not overwritten`() async throws {
        let home = try TestHome()
        let file = home.scratch.appending("file-chooser.conf")
        let content = "[org.example.Old]\nRemoveLocation=true\nFolder=file:///old\n"
        try home.write(Array(content.utf8), to: file)
        let log = Recorder<String>()
        let logger = Logger(label: "test") { [log] _ in RecordingLogHandler(log: log) }
        let memory = ChooserMemory(file: file, logger: logger)
        let old = ChooserMemory.Entry(removesLocation: true, folder: "file:///old")
        do {
            // Whoever runs the test, the file cannot be opened.
            let locked = LockedFiles([file])
            for folder in ["file:///a", "file:///b"] {
                await memory.update("org.example.New") { $0.folder = folder }
                #expect(await memory.entry(of: "org.example.New").folder == folder)
            }
            await memory.update("org.example.Old") { $0.folder = "file:///newer" }
            // What the person once decided must not be undone because nobody can read it.
            #expect(await memory.entry(of: "org.example.Old").removesLocation == true)
            withExtendedLifetime(locked) {}
        }
        #expect(try Descriptor.openForReading(file).read(upTo: 1000) == Array(content.utf8))
        #expect(log.all.count { $0.contains("cannot be read") } == 1, "\(log.all)")
        // Once it can be read, what was decided meanwhile is added to it.
        await memory.update("org.example.New") { $0.folder = "file:///c" }
        for memory in [memory, ChooserMemory(file: file, logger: logger)] {
            #expect(await memory.entry(of: "org.example.New").folder == "file:///c")
            let expected = ChooserMemory.Entry(
                removesLocation: old.removesLocation, folder: "file:///newer")
            #expect(await memory.entry(of: "org.example.Old") == expected)
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
