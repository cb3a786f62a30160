// SPDX-License-Identifier: MIT

internal import Files
package import Logging
internal import SystemPackage

extension LibraryStore {
    /// Opens the person's library.
    ///
    /// If it cannot be written, for example because the disk is full, a copy in the login's runtime
    /// folder takes its place until the service is started again. Windows of all sessions then read the
    /// copy, so services of other sessions that are started meanwhile use it, too.
    ///
    /// - Throws: ``LibraryError`` if there cannot be a copy either.
    package static func open(_ logger: Logger) throws(LibraryError) -> LibraryStore {
        if isSubstituteInUse {
            do throws(LibraryError) {
                let store = try LibraryStore(at: LibraryLocation.substitute, logger: logger)
                logger.notice(
                    "The service of another session uses a copy of the library, and so does this one.",
                    metadata: ["copy": "\(store.path)"])
                return store
            } catch {
                logger.error(
                    "The copy of the library that another service uses cannot be opened.",
                    metadata: ["error": "\(error)"])
            }
        }
        do throws(LibraryError) {
            let store = try LibraryStore(at: LibraryLocation.database, logger: logger)
            removeSubstitute(logger)
            return store
        } catch {
            return try openSubstitute(after: error, logger)
        }
    }

    private static func openSubstitute(
        after error: LibraryError, _ logger: Logger
    ) throws(LibraryError) -> LibraryStore {
        let database = LibraryLocation.database
        // A copy of a damaged library would be of no use.
        let isUsable = error.code != .corrupt
        logger.error(
            """
            \(explanation(of: error)) Until the service is started again, \
            \(isUsable ? "a copy" : "a new one") takes its place.
            """,
            metadata: [
                "path": "\(database)", "copy": "\(LibraryLocation.substitute)",
                "error": "\(error)",
            ])
        removeSubstitute(logger)
        if isUsable, !isSubstituteInUse {
            do {
                // What is in the write-ahead log belongs to the database; who sees that finds both.
                for part in ["-wal", ""] {
                    try copy(
                        FilePath(database.string + part),
                        to: FilePath(LibraryLocation.substitute.string + part))
                }
                return try LibraryStore(at: LibraryLocation.substitute, logger: logger)
            } catch {
                logger.error(
                    "The library cannot be copied; the index is being rebuilt.",
                    metadata: ["error": "\(error)"])
            }
            removeSubstitute(logger)
        }
        return try LibraryStore(at: LibraryLocation.substitute, logger: logger)
    }

    /// Why there has to be a copy, in a sentence.
    private static func explanation(of error: LibraryError) -> String {
        switch error.code {
        case .busy: "Another program has locked the library for too long."
        case .corrupt: "The library is damaged, and the service of another session uses it."
        case .missing, .unwritable, .failed:
            "The library cannot be written, for example because the disk is full."
        }
    }

    /// Copies a file, if it exists.
    private static func copy(_ path: FilePath, to copy: FilePath) throws(Errno) {
        let file: Descriptor
        do {
            file = try Descriptor.openForReading(path)
        } catch {
            guard error != .noSuchFileOrDirectory else { return }
            throw error
        }
        try Directory.make(copy.removingLastComponent())
        try AtomicFile.copy(file, to: copy)
    }

    /// Whether there is a copy that another service keeps up to date.
    private static var isSubstituteInUse: Bool {
        guard FileIdentity(of: LibraryLocation.substitute) != nil else { return false }
        do {
            return try FileLock(lockPath(of: LibraryLocation.substitute)) == nil
        } catch {
            // Then nobody has a lock.
            return false
        }
    }

    /// Removes the copy and all files that belong to it, unless another service uses it.
    private static func removeSubstitute(_ logger: Logger) {
        let path = LibraryLocation.substitute
        let folder = path.removingLastComponent()
        do throws(Errno) {
            let files = try Directory.entries(of: folder).map { folder.appending($0.name) }
                .filter { $0.string.hasPrefix(path.string) }
            guard !files.isEmpty else { return }
            let lockPath = lockPath(of: path)
            guard let lock = try FileLock(lockPath) else { return }
            for file in files where file != lockPath { try AtomicFile.remove(file) }
            try AtomicFile.remove(lockPath)
            withExtendedLifetime(lock) {}
        } catch {
            // The folder is made when it is needed.
            guard error != .noSuchFileOrDirectory else { return }
            logger.error(
                "A copy of the library cannot be removed, and windows go on reading it.",
                metadata: ["path": "\(path)", "error": "\(error)"])
        }
    }
}
