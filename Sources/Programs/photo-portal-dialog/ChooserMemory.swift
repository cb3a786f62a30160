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

    /// The largest file that is read.
    private static let largestFile = 16 << 20

    private let file: FilePath
    private let logger: Logger
    /// What is known, with the app that asked last at the end.
    private var entries: [(app: String, entry: Entry)] = []
    /// Whether ``entries`` contain what is in the file; a file that could not be read is kept.
    private var isRead = false
    /// The next failure would have the same reason.
    private var hasWarnedOfReading = false
    private var hasWarnedOfWriting = false

    init(
        file: FilePath = UserFolders.state.appending("photo-portal").appending("file-chooser.conf"),
        logger: Logger
    ) {
        self.file = file
        self.logger = logger
    }

    /// What is known of an app; nothing if its id is empty.
    ///
    /// While the file cannot be read, it may say that the location is removed for any app.
    func entry(of app: String) -> Entry {
        load()
        var entry = entries.last { $0.app == app }?.entry ?? Entry()
        if !isRead { entry.removesLocation = entry.removesLocation ?? true }
        return entry
    }

    /// Changes what is known of an app.
    func update(_ app: String, _ change: @Sendable (inout Entry) -> Void) {
        // Otherwise its name could not be that of a group.
        guard !app.isEmpty, app.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && !"[]".utf8.contains($0) })
        else { return }
        load()
        let before = entries.last { $0.app == app }?.entry ?? Entry()
        var entry = before
        change(&entry)
        guard entry != before else { return }
        add(app, entry)
        if isRead { save() }
    }

    private func add(_ app: String, _ entry: Entry) {
        entries.removeAll { $0.app == app }
        entries.append((app, entry))
        entries.removeFirst(max(entries.count - Self.capacity, 0))
    }

    /// Reads the file, unless that was done before, and adds what was decided while it could not be
    /// read.
    private func load() {
        guard !isRead else { return }
        do {
            let decided = entries
            entries = try read()
            isRead = true
            for (app, new) in decided {
                var entry = entries.last { $0.app == app }?.entry ?? Entry()
                entry.removesLocation = new.removesLocation ?? entry.removesLocation
                entry.folder = new.folder ?? entry.folder
                add(app, entry)
            }
        } catch {
            guard !hasWarnedOfReading else { return }
            hasWarnedOfReading = true
            logger.warning("What apps were given before cannot be read: \(error)")
        }
    }

    /// The entries in the file; none if there is no file.
    private func read() throws -> [(app: String, entry: Entry)] {
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try Descriptor.openForReading(file).read(upTo: Self.largestFile + 1)
        } catch {
            guard [.noSuchFileOrDirectory, .notDirectory].contains(error) else { throw error }
            return []
        }
        guard bytes.count <= Self.largestFile else { throw Errno.fileTooLarge }
        var read: [(app: String, entry: Entry)] = []
        // Lines that nobody can read are of no use to anybody.
        let (keys, _) = try KeyFile.readingLeniently(bytes)
        for line in keys.entries {
            if read.last?.app != line.group { read.append((line.group, Entry())) }
            let last = read.count - 1
            switch line.key {
            case "RemoveLocation": read[last].entry.removesLocation = Bool(line.value)
            case "Folder": read[last].entry.folder = line.value
            default: break
            }
        }
        return read
    }

    private func save() {
        var text = ""
        for (app, entry) in entries {
            text += "[\(app)]\n"
            if let removes = entry.removesLocation { text += "RemoveLocation=\(removes)\n" }
            if let folder = entry.folder { text += "Folder=\(folder)\n" }
        }
        do {
            try Directory.make(file.removingLastComponent())
            try Array(text.utf8).withUnsafeBytes { try AtomicFile.write($0, to: file) }
        } catch {
            guard !hasWarnedOfWriting else { return }
            hasWarnedOfWriting = true
            logger.warning("What apps were given cannot be kept: \(error)")
        }
    }
}
