// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
internal import Foundation
internal import GRDB
internal import Logging
internal import Synchronization
internal import SystemPackage

/// When the file of what people did is written.
struct UserDataWriting {
    /// Whether something has changed since it was written.
    var isDue = false
    var task: Task<Void, Never>?
}

extension LibraryStore {
    /// The file of what people did, beside a database.
    static func userDataPath(of database: FilePath) -> FilePath {
        database.removingLastComponent().appending("library.json")
    }

    private static let delay = Duration.seconds(2)
    /// More than a million photos in albums take.
    private static let mostBytes = 256 << 20

    // MARK: - Writing

    /// Whether this is a copy that lasts as long as the session.
    var isSubstitute: Bool { path == LibraryLocation.substitute }

    /// Notes that something has changed which no walk through the folders finds again.
    func noteUserData() {
        guard !isSubstitute, !isDamaged else { return }
        writing.withLock { writing in
            writing.isDue = true
            guard writing.task == nil else { return }
            writing.task = Task { await self.writeUserData() }
        }
    }

    /// Writes what has changed, if anything has, without waiting for more changes.
    package func finishUserData() async {
        let task = writing.withLock { $0.task }
        task?.cancel()
        await task?.value
    }

    private func writeUserData() async {
        while takesDuty() {
            do {
                // In a task of its own, because the database reads nothing for one that is cancelled.
                let isCopied = try await Task { try await copyUserData() }.value
                // At the end there is no time to wait for the other one.
                if !isCopied, !Task.isCancelled {
                    writing.withLock { $0.isDue = true }
                }
            } catch {
                noteDamage(error)
                logger.warning(
                    "What you did in the library cannot be written to its file.",
                    metadata: ["error": "\(error)"])
            }
            // A cancelled sleep ends at once.
            try? await Task.sleep(for: Self.delay)
        }
    }

    /// Whether there is something to write now; ends the task if not.
    private func takesDuty() -> Bool {
        writing.withLock { writing in
            // What a damaged database has is less than what the file has.
            guard writing.isDue, !isDamaged else {
                writing.task = nil
                return false
            }
            writing.isDue = false
            return true
        }
    }

    /// - Returns: False while a service of another session writes, which may not know of our change.
    private func copyUserData() async throws -> Bool {
        let file = Self.userDataPath(of: path)
        guard let lock = try FileLock(FilePath(file.string + ".lock")) else { return false }
        let data = try await connection.read { try UserData(in: $0) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        keepYesterday(file)
        try [UInt8](encoder.encode(data)).withUnsafeBytes {
            try AtomicFile.write($0, to: file, permissions: .ownerReadWrite, durably: true)
        }
        withExtendedLifetime(lock) {}
        return true
    }

    /// Keeps what the file says, once a day: whatever is lost in the database is lost in the next file.
    private func keepYesterday(_ file: FilePath) {
        let kept = FilePath("\(file).yesterday")
        let age = try? FileClock.nowInSeconds - kept.stat().modifiedSeconds
        guard age.map({ !(0..<24 * 3600).contains($0) }) ?? true else { return }
        // There may be no file yet.
        try? AtomicFile.copy(Descriptor.openForReading(file), to: kept)
    }

    // MARK: - Reading

    /// Puts what people did into a new database.
    func restoreUserData() throws(LibraryError) {
        let isNew = try read("look for photos") { database in
            // One that somebody follows is not new, although it may have no photos.
            try Int.fetchOne(database, sql: "SELECT 1 FROM asset LIMIT 1") == nil
                && ChangeLog.all(in: database).isEmpty
        }
        guard isNew, let data = readUserData(), !data.isEmpty else { return }
        try write("restore what people did") { database in
            try data.store(in: database)
            try AlbumTable.recount(in: database)
        }
        logger.notice(
            "Albums, favorites and what apps were given were restored.",
            metadata: ["albums": "\(data.albums.count)", "favorites": "\(data.favorites.count)"])
    }

    /// Reads the file; one that cannot be read is renamed, so that it is not overwritten.
    private func readUserData() -> UserData? {
        let file = Self.userDataPath(of: isSubstitute ? LibraryLocation.database : path)
        do {
            let opened = try Descriptor.openForReading(file)
            let information = try opened.information()
            guard information.type == .regular else { throw Errno.invalidArgument }
            guard information.size <= Self.mostBytes else { throw Errno.fileTooLarge }
            let text = Data(try opened.read(upTo: Self.mostBytes))
            let (data, isComplete) = try UserData.reading(text)
            if !isComplete { keepCopy(of: opened, file) }
            return data
        } catch Errno.noSuchFileOrDirectory {
            return nil
        } catch {
            guard !isSubstitute else { return nil }
            let aside = FilePath("\(file).corrupt-\(LocalTime.stamp())")
            // If that fails as well, the log says why the file is of no use.
            try? AtomicFile.rename(file, to: aside)
            logger.error(
                "The file of albums and favorites cannot be read; it was renamed.",
                metadata: ["kept-as": "\(aside.lastComponent?.string ?? "")", "error": "\(error)"])
            return nil
        }
    }

    /// Keeps a file that says more than this release understands, because it is soon written anew.
    private func keepCopy(of opened: Descriptor, _ file: FilePath) {
        guard !isSubstitute else { return }
        let copy = FilePath("\(file).kept-\(LocalTime.stamp())")
        do throws(Errno) {
            try AtomicFile.copy(opened, to: copy)
            logger.warning(
                "Not everything in the file of albums and favorites is understood; a copy was kept.",
                metadata: ["kept-as": "\(copy.lastComponent?.string ?? "")"])
        } catch {
            logger.error(
                """
                Not everything in the file of albums and favorites is understood, and no copy can \
                be kept.
                """, metadata: ["error": "\(error)"])
        }
    }
}
