// SPDX-License-Identifier: MIT

import Desktop
import Files
import Photos
import SystemPackage

/// The list of documents that end with their apps, in a file that lasts as long as the session.
///
/// One line for each app: its id, its processes, and its documents, separated by spaces; the
/// elements of a list are separated by commas, and a process is its id and its start time.
struct TransientRecord: Sendable {
    struct Entry: Hashable, Sendable {
        var appID: AppID
        var processes: [ProcessStart]
        var documents: [String]
    }

    let path: FilePath

    init(at path: FilePath = UserFolders.runtime.appending("photo-portal").appending("documents")) {
        self.path = path
    }

    /// Reads the list; lines that are not valid are left out.
    func load() -> [Entry] {
        // Without a list there is nothing that an earlier service has promised.
        guard let bytes = try? Descriptor.openForReading(path).read(upTo: 16 << 20) else {
            return []
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", omittingEmptySubsequences: false)
            guard fields.count == 3, let appID = AppID(String(fields[0])) else { return nil }
            return Entry(
                appID: appID,
                processes: fields[1].split(separator: ",").compactMap { ProcessStart(text: $0) },
                documents: fields[2].split(separator: ",").map(String.init))
        }
    }

    /// Writes the list.
    ///
    /// - Throws: `Errno`; documents then last until the session ends, unless this service outlives
    ///   the app.
    func save(_ entries: [Entry]) throws(Errno) {
        let text = entries.map { entry in
            let processes = entry.processes.map(\.text).joined(separator: ",")
            return "\(entry.appID) \(processes) \(entry.documents.joined(separator: ","))\n"
        }.joined()
        try Directory.make(path.removingLastComponent())
        try withErrno {
            try Array(text.utf8).withUnsafeBytes { try AtomicFile.write($0, to: path) }
        }
    }
}

/// A process, distinguished from a later one with the same id.
struct ProcessStart: Hashable, Sendable {
    let id: Int32
    /// Clock ticks since the system booted.
    let time: UInt64

    /// Looks a process up; nil if there is none.
    ///
    /// - Source: proc(5), `/proc/PID/stat`, field 22.
    init?(of id: Int32, in folder: FilePath? = nil) {
        let folder = folder ?? FilePath("/proc").appending(String(id))
        guard
            let bytes = try? Descriptor.openForReading(folder.appending("stat")).read(upTo: 4096),
            // The program's name is in parentheses and may itself contain parentheses.
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
        guard fields.count > 19, let time = UInt64(String(decoding: fields[19], as: UTF8.self))
        else { return nil }
        self.id = id
        self.time = time
    }

    init?(text: Substring) {
        let parts = text.split(separator: ":")
        guard parts.count == 2, let id = Int32(parts[0]), let time = UInt64(parts[1]) else {
            return nil
        }
        self.id = id
        self.time = time
    }

    var text: String { "\(id):\(time)" }
}
