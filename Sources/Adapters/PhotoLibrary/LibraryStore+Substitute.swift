// SPDX-License-Identifier: MIT

internal import Files
package import Logging
internal import SystemPackage

extension LibraryStore {
    /// Opens the person's library.
    ///
    /// If it cannot be written, for example because the disk is full, a copy in the session's runtime
    /// folder takes its place until the service is started again.
    ///
    /// - Throws: ``LibraryError`` if there cannot be a copy either.
    package static func open(_ logger: Logger) throws(LibraryError) -> LibraryStore {
        let database = LibraryLocation.database
        do throws(LibraryError) {
            let store = try LibraryStore(at: database, logger: logger)
            removeSubstitute(logger)
            return store
        } catch {
            logger.error(
                """
                The library cannot be written, for example because the disk is full. Until the service \
                is started again, a copy takes its place.
                """,
                metadata: [
                    "path": "\(database)", "copy": "\(LibraryLocation.substitute)",
                    "error": "\(error)",
                ])
        }
        removeSubstitute(logger)
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
        return try LibraryStore(at: LibraryLocation.substitute, logger: logger)
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

    /// Removes the copy and all files that belong to it.
    private static func removeSubstitute(_ logger: Logger) {
        let path = LibraryLocation.substitute
        let folder = path.removingLastComponent()
        do {
            for entry in try Directory.entries(of: folder)
            where entry.name.string.hasPrefix(path.lastComponent?.string ?? path.string) {
                try AtomicFile.remove(folder.appending(entry.name))
            }
        } catch {
            // The folder is made when it is needed.
            guard error != .noSuchFileOrDirectory else { return }
            logger.error(
                "A copy of the library cannot be removed, and windows go on reading it.",
                metadata: ["path": "\(path)", "error": "\(error)"])
        }
    }
}
