// SPDX-License-Identifier: MIT

import Desktop
import Files
import Logging
import Photos
import Processes
import SystemPackage

/// What the person decided when an app last asked for files, kept from one request to the next.
actor ChooserMemory {
    struct Entry: Hashable, Sendable {
        /// Whether the location was removed; nil if the person has never decided.
        var removesLocation: Bool?
        /// The URI of the folder of the photo that was chosen last.
        var folder: String?
    }

    /// Apps that have not asked for long are forgotten first.
    private static let capacity = 500

    private let file: FilePath
    private let logger: Logger
    /// What is in the file, with the app that asked last at the end; nil until it is read.
    private var entries: [(app: String, entry: Entry)]?
    /// The next failure to write would have the same reason.
    private var hasWarned = false

    init(
        file: FilePath = UserFolders.state.appending("photo-portal").appending("file-chooser.conf"),
        logger: Logger
    ) {
        self.file = file
        self.logger = logger
    }

    /// What is known of an app; nothing if its id is empty.
    func entry(of app: String) -> Entry {
        load().last { $0.app == app }?.entry ?? Entry()
    }

    /// Changes what is known of an app.
    func update(_ app: String, _ change: @Sendable (inout Entry) -> Void) {
        // Otherwise its name could not be that of a group.
        guard !app.isEmpty, app.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && !"[]".utf8.contains($0) })
        else { return }
        var all = load()
        var entry = all.last { $0.app == app }?.entry ?? Entry()
        let before = entry
        change(&entry)
        guard entry != before else { return }
        all.removeAll { $0.app == app }
        all.append((app, entry))
        entries = all.suffix(Self.capacity)
        save()
    }

    private func load() -> [(app: String, entry: Entry)] {
        if let entries { return entries }
        var read: [(app: String, entry: Entry)] = []
        do {
            let keys = try KeyFile(try Descriptor.openForReading(file).read(upTo: 1 << 20))
            for line in keys.entries {
                if read.last?.app != line.group { read.append((line.group, Entry())) }
                let last = read.count - 1
                switch line.key {
                case "RemoveLocation": read[last].entry.removesLocation = Bool(line.value)
                case "Folder": read[last].entry.folder = line.value
                default: break
                }
            }
        } catch {
            if error as? Errno != .noSuchFileOrDirectory {
                logger.warning("What apps were given before cannot be read: \(error)")
            }
        }
        entries = read
        return read
    }

    private func save() {
        var text = ""
        for (app, entry) in entries ?? [] {
            text += "[\(app)]\n"
            if let removes = entry.removesLocation { text += "RemoveLocation=\(removes)\n" }
            if let folder = entry.folder { text += "Folder=\(folder)\n" }
        }
        do {
            try Directory.make(file.removingLastComponent())
            try Array(text.utf8).withUnsafeBytes { try AtomicFile.write($0, to: file) }
        } catch {
            guard !hasWarned else { return }
            hasWarned = true
            logger.warning("What apps were given cannot be kept: \(error)")
        }
    }
}
