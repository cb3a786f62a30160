// SPDX-License-Identifier: MIT

import Desktop
import Files
import Photos
import SDBus
import SystemPackage

/// The list of documents that end with their apps, in a file that lasts as long as the login.
///
/// A person may have several buses at a time. Each has a document portal of its own, which does not know
/// the documents of another one; so each has a list of its own, too.
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
    /// The list of a release that had one for all buses; nil if it is not ours.
    private let former: FilePath?

    init(at path: FilePath, takingOver former: FilePath? = nil) {
        self.path = path
        self.former = former
    }

    /// The list for the bus of a connection.
    init(on connection: Connection) async throws(DBusError) {
        let folder = UserFolders.runtime.appending("photo-portal")
        let former = folder.appending("documents")
        let bus = try await connection.busID()
        var isOurs = FileIdentity(of: former) != nil
        if isOurs { isOurs = await Self.isBusOfLogin(bus) }
        self.init(
            at: folder.appending("documents-\(bus)"), takingOver: isOurs ? former : nil)
    }

    /// Whether a bus is the one of the login; true as well if the login has none.
    ///
    /// - Source: systemd, `user@.service`: the bus is at `$XDG_RUNTIME_DIR/bus`.
    private static func isBusOfLogin(_ id: String) async -> Bool {
        do throws(DBusError) {
            let bus = try await Connection.open(
                address: "unix:path=\(UserFolders.runtime.appending("bus"))")
            let isSame = try await bus.busID() == id
            await bus.close()
            return isSame
        } catch {
            return true
        }
    }

    /// What was found.
    struct Content: Sendable {
        var entries: [Entry] = []
        /// Lists that were put aside before, and whose entries are among ``entries`` now.
        var returned: [FilePath] = []
        /// The lists that were put aside now, and why.
        var problems: [String] = []
    }

    /// Reads the list, and those that earlier services had to put aside.
    ///
    /// A list that cannot be read, or not as a whole, is put aside. Otherwise the next list would
    /// take its place, and what it names would never be taken away.
    func load() -> Content {
        var content = Content()
        for (file, isAside) in [(path, false)] + asides().map({ ($0, true) }) {
            do throws(Errno) {
                let (entries, isWhole) = try Self.read(file)
                content.entries += entries
                if isAside {
                    if isWhole { content.returned.append(file) }
                } else if !isWhole {
                    content.problems.append("\(try putAside()): it is damaged")
                }
            } catch {
                // Without a list there is nothing that an earlier service has promised. One that was
                // put aside has been reported.
                guard !isAside, ![.noSuchFileOrDirectory, .notDirectory].contains(error) else {
                    continue
                }
                let kept = Result { () throws(Errno) in try putAside() }
                content.problems.append("\((try? kept.get()) ?? path): \(error)")
            }
        }
        return content
    }

    /// Removes lists that were put aside, when their entries are in the list again.
    func remove(_ asides: [FilePath]) throws(Errno) {
        for aside in asides { try AtomicFile.remove(aside) }
    }

    /// The largest list that is read.
    private static let largestFile = 16 << 20

    private static func read(
        _ file: FilePath
    ) throws(Errno) -> (entries: [Entry], isWhole: Bool) {
        let bytes = try Descriptor.openForReading(file).read(upTo: largestFile + 1)
        guard bytes.count <= largestFile else { throw .fileTooLarge }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let entries = lines.compactMap { Entry(line: $0) }
        return (entries, entries.count == lines.count)
    }

    /// What the name of a list that was put aside begins with.
    private var asidePrefix: String { "\(path.lastComponent?.string ?? "").unread-" }

    /// The lists that were put aside, and the one that is taken over.
    private func asides() -> [FilePath] {
        let folder = path.removingLastComponent()
        // The folder is made with the first list.
        let entries = (try? Directory.entries(of: folder)) ?? []
        return entries.filter { $0.name.string.hasPrefix(asidePrefix) }
            .map { folder.appending($0.name) } + (former.map { [$0] } ?? [])
    }

    /// Renames the list.
    ///
    /// - Returns: Its new path.
    private func putAside() throws(Errno) -> FilePath {
        var number = 1
        while true {
            let aside = path.removingLastComponent().appending("\(asidePrefix)\(number)")
            do {
                try AtomicFile.rename(path, toNew: aside)
                return aside
            } catch {
                guard error == .fileExists, number < 1000 else { throw error }
                number += 1
            }
        }
    }

    /// Writes the list.
    ///
    /// - Throws: `Errno`; documents then last until the session ends, unless this service outlives
    ///   the app.
    func save(_ entries: [Entry]) throws(Errno) {
        let text = entries.map { "\($0.line)\n" }.joined()
        try Directory.make(path.removingLastComponent())
        try withErrno {
            try Array(text.utf8).withUnsafeBytes { try AtomicFile.write($0, to: path) }
        }
    }
}

extension TransientRecord.Entry {
    fileprivate var line: String {
        let processes = processes.map(\.text).joined(separator: ",")
        return "\(appID) \(processes) \(documents.joined(separator: ","))"
    }

    /// Nil for a line that is not valid.
    fileprivate init?(line: Substring) {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false)
        guard fields.count == 3, let appID = AppID(String(fields[0])) else { return nil }
        let processes = fields[1].split(separator: ",")
        self.init(
            appID: appID, processes: processes.compactMap { ProcessStart(text: $0) },
            documents: fields[2].split(separator: ",").map(String.init))
        guard self.processes.count == processes.count else { return nil }
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
