// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
internal import GRDB
package import Logging
package import SystemPackage

/// The library's database, opened by its one writer: the service.
package final class LibraryStore: Sendable {
    let database: DatabasePool
    package let path: FilePath

    /// Opens the database, makes it where there is none, and brings it up to date.
    ///
    /// A file that is not a sound database is moved aside, to a name with `corrupt` and the
    /// time in it, and a new one is made: the index is read again from the disk.
    ///
    /// - Throws: ``LibraryError`` — `.unwritable` when the folder cannot be written or is full.
    package init(at path: FilePath, logger: Logger) throws(LibraryError) {
        do {
            try Directory.make(path.removingLastComponent())
        } catch {
            throw LibraryError(code: .unwritable, operation: "make the library's folder")
        }
        var opened: DatabasePool
        do {
            opened = try Self.open(path)
        } catch {
            guard error.code == .corrupt else { throw error }
            let aside = try Self.moveAside(path)
            logger.error(
                "The library's database was damaged. It was kept and the index is made anew.",
                metadata: ["kept-as": "\(aside)"])
            opened = try Self.open(path)
        }
        database = opened
        self.path = path
    }

    /// Ends all use of the database; nothing may use the store afterwards.
    package func close() {
        // What is in the log is safe there; this only makes the next start shorter.
        _ = try? database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try? database.close()
    }

    private static func open(_ path: FilePath) throws(LibraryError) -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "library"
        // A window may look into the new file before it is in write-ahead mode.
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 2
        configuration.prepareDatabase { database in
            // KiB; the operating system caches the file better than we do.
            try database.execute(sql: "PRAGMA cache_size = -512")
        }
        return try withLibraryError("open the library") {
            let pool = try DatabasePool(path: path.string, configuration: configuration)
            try Schema.migrator.migrate(pool)
            // Reads the root of every table and index; a torn file shows here.
            try pool.read { database in
                for table in ["folder", "file", "asset", "album", "given", "state"] {
                    _ = try Row.fetchOne(database, sql: "SELECT * FROM \(table) LIMIT 1")
                }
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM folder")
            }
            // Until the folders were looked through, what the database says may be old.
            try pool.write { try StateRecord.set(.isIndexing, 1, in: $0) }
            return pool
        }
    }

    private static func moveAside(_ path: FilePath) throws(LibraryError) -> String {
        let suffix = ".corrupt-\(LocalTime.stamp())"
        do {
            for part in ["", "-wal", "-shm"] {
                let old = FilePath(path.string + part)
                guard (try? old.stat()) != nil else { continue }
                try AtomicFile.rename(old, to: FilePath(path.string + suffix + part))
            }
        } catch {
            throw LibraryError(code: .unwritable, operation: "move the damaged library aside")
        }
        return (path.lastComponent?.string ?? "") + suffix
    }
}
