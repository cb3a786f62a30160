// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
internal import Foundation
internal import GRDB
package import Logging
package import Photos
internal import Synchronization
package import SystemPackage

/// The library's database, opened by the service.
///
/// A person may have several sessions, and a service in each. One of them, which has the lock, keeps the
/// index up to date; the others read it, and note what apps were given.
package final class LibraryStore: Sendable {
    private let database: DatabasePool
    /// For readers in this process.
    var reader: any DatabaseReader { database }
    /// For changes that do not block a thread.
    var connection: any DatabaseWriter { database }
    package let path: FilePath
    /// The folder of the adjusted versions of photos.
    package var adjusted: FilePath { LibraryLocation.adjusted(of: path) }
    /// The indexer reads files that anyone may have put into the folders.
    private let locked: LockedFiles
    /// The file that was opened.
    private let identity: FileIdentity?
    private let lead: Mutex<Lead>
    let writing = Mutex(UserDataWriting())
    let recentArrivals = RecentArrivals()
    let arrivalEnds = ArrivalEnds()
    /// The folders that were made for photos on their way; they go with these unless somebody puts something else
    /// into them.
    let newFolders = Mutex<Set<FileIdentity>>([])
    let damage: DatabaseDamage
    let logger: Logger

    /// Who keeps the index up to date.
    private enum Lead {
        /// This service; without a lock if there cannot be one.
        case ours(FileLock?)
        case another

        var isOurs: Bool { if case .ours = self { true } else { false } }
    }

    /// Opens the database, creates it if it does not exist, and migrates it.
    ///
    /// A file that is not a valid database is renamed, with `corrupt` and the time added to its
    /// name. A new database takes its place, and the index is rebuilt from the disk. Only the service
    /// that keeps the index up to date does so; any other would leave it working in the renamed file.
    ///
    /// - Throws: ``LibraryError``, for example `.unwritable` if the folder is not writable or is
    ///   full, and `.corrupt` if another service keeps a damaged database up to date.
    package init(at path: FilePath, logger: Logger) throws(LibraryError) {
        do {
            try Directory.make(path.removingLastComponent())
        } catch {
            throw LibraryError(
                code: .unwritable, operation: "make the library's folder", cause: error)
        }
        let lead = Self.lead(path, logger)
        damage = DatabaseDamage(of: path)
        var opened: DatabasePool
        do {
            if lead.isOurs { try damage.check() }
            opened = try Self.open(path, indexes: lead.isOurs)
        } catch {
            guard error.code == .corrupt, lead.isOurs else { throw error }
            let aside = try Self.moveAside(path)
            logger.error(
                "The library's database was damaged; it was renamed, and the index is being rebuilt.",
                metadata: ["kept-as": "\(aside)"])
            opened = try Self.open(path, indexes: lead.isOurs)
            damage.forget()
        }
        self.lead = Mutex(lead)
        self.logger = logger
        database = opened
        self.path = path
        identity = FileIdentity(of: path)
        locked = LockedFiles(database: path)
        if lead.isOurs { try restoreUserData() }
    }

    /// Moves what the write-ahead log holds into the database, so that the next start is faster.
    ///
    /// The database stays open until the store is released or the process ends, because a task that
    /// is about to end may still use it, and a closed connection would crash it.
    package func checkpoint() {
        noteEnd()
        // The log is safe as it is.
        _ = try? database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    /// Records that an app received photos, so that it may refer to them again.
    ///
    /// - Parameter whole: Those of them that it received as a whole, neither clipped nor smaller. A
    ///   limited app sees them in the library.
    package func noteGiven(
        _ ids: [AssetID], whole: Set<AssetID>, to app: String
    ) async throws(LibraryError) {
        guard !ids.isEmpty else { return }
        do {
            try await database.write { database in
                var noted: Set<AssetID> = []
                let news = try ids.filter { id in
                    try whole.contains(id) && noted.insert(id).inserted
                        && Int.fetchOne(
                            database.cachedStatement(
                                sql: """
                                    SELECT 1 FROM given WHERE app = ? AND asset = ? AND whole = 1
                                    """), arguments: [app, Data(id.bytes)]) == nil
                }
                try ChangeNotes.noteGiven(news.map { Data($0.bytes) }, to: app, in: database)
                for id in ids {
                    try database.execute(
                        sql: """
                            INSERT INTO given (app, asset, whole) VALUES (?, ?, ?)
                            ON CONFLICT DO UPDATE SET whole = max(whole, excluded.whole)
                            """,
                        arguments: [app, Data(id.bytes), whole.contains(id)])
                }
            }
        } catch {
            throw noted(LibraryError(error, "store what an app was given"))
        }
        noteUserData()
    }

    /// The apps that received photos, or follow a part of the library.
    package func appsWithPhotos() async throws(LibraryError) -> Set<String> {
        do {
            return try await database.read { database in
                try String.fetchSet(
                    database,
                    sql: """
                        SELECT DISTINCT app FROM given
                        UNION SELECT app FROM changeLog WHERE app IS NOT NULL
                        """)
            }
        } catch {
            throw noted(LibraryError(error, "read what apps were given"))
        }
    }

    /// Forgets what an app received.
    package func forget(app: String) async throws(LibraryError) {
        do {
            try await database.write { database in
                try database.execute(sql: "DELETE FROM given WHERE app = ?", arguments: [app])
                try database.execute(sql: "DELETE FROM changeLog WHERE app = ?", arguments: [app])
            }
        } catch {
            throw noted(LibraryError(error, "forget what an app was given"))
        }
        noteUserData()
    }

    // MARK: - For the indexer

    /// Whether this service keeps the index up to date.
    var hasLead: Bool { lead.withLock { $0.isOurs } }

    /// Whether this service keeps the index up to date, from now on if it did not.
    ///
    /// - Isolation: any thread; looks at a file.
    func takesLead(_ logger: Logger) -> Bool {
        lead.withLock { lead in
            // A damaged file may have been replaced; a service that opens the new one gets the lead.
            if !lead.isOurs, FileIdentity(of: path) == identity { lead = Self.lead(path, logger) }
            return lead.isOurs
        }
    }

    /// Leaves the index to another service.
    func endLead() {
        lead.withLock { $0 = .another }
    }

    /// The file whose lock belongs to the service that keeps the index up to date.
    static func lockPath(of database: FilePath) -> FilePath {
        FilePath(database.string + ".lock")
    }

    /// Takes the lock of a database, unless another service has it.
    private static func lead(_ path: FilePath, _ logger: Logger) -> Lead {
        do throws(Errno) {
            return try FileLock(lockPath(of: path)).map { .ours($0) } ?? .another
        } catch {
            // Few people have two sessions, and fewer a file system without locks.
            logger.warning(
                "It cannot be found out whether another service keeps the library up to date.",
                metadata: ["error": "\(error)"])
            return .ours(nil)
        }
    }

    /// Reads the database.
    ///
    /// - Isolation: blocks the thread.
    func read<Result>(
        _ operation: String, _ body: (Database) throws -> Result
    ) throws(LibraryError) -> Result {
        try noting { () throws(LibraryError) in
            try withLibraryError(operation) { try database.read(body) }
        }
    }

    /// Changes the database in one transaction.
    ///
    /// - Isolation: blocks the thread.
    func write<Result>(
        _ operation: String, _ body: (Database) throws -> Result
    ) throws(LibraryError) -> Result {
        try noting { () throws(LibraryError) in
            try withLibraryError(operation) { try database.write(body) }
        }
    }

    /// Changes files and photos in one transaction, with the counts and covers that follow.
    ///
    /// - Isolation: blocks the thread.
    func change<Result>(
        _ operation: String, _ body: (inout LibraryTransaction) throws -> Result
    ) throws(LibraryError) -> Result {
        let change = try write(operation) { try LibraryTransaction.run(in: $0, body) }
        if change.changesUserData { noteUserData() }
        return change.result
    }

    /// Gives the memory back that a large change needed.
    ///
    /// - Isolation: blocks the thread.
    func releaseMemory() {
        // Without it, the process is only larger.
        try? database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA shrink_memory") }
    }

    // MARK: - Opening

    /// Creates the database's file, if it is missing, and lets only its owner read it.
    ///
    /// SQLite gives the files beside it the same permissions, but leaves existing ones as they are.
    private static func makePrivate(_ path: FilePath) {
        // No file that exists is opened: this process would lose the locks of SQLite on it.
        if (try? Place(path)) == nil {
            // SQLite reports a file that cannot be made, and knows more about the reason.
            let made = try? FileDescriptor.open(
                path, .readWrite, options: [.create, .closeOnExec, .nonBlocking],
                permissions: .ownerReadWrite)
            try? made?.close()
        }
        for file in [path, FilePath("\(path)-wal"), FilePath("\(path)-shm")] {
            // A link to the database may lead to a device, which is everybody's.
            guard let place = try? Place(file), place.information.type == .regular,
                file == path || (try? file.stat(followTargetSymlink: false).type) == .regular
            else { continue }
            try? place.setPermissions(.ownerReadWrite)
        }
    }

    /// - Parameter indexes: Whether this service keeps the index up to date.
    private static func open(
        _ path: FilePath, indexes: Bool
    ) throws(LibraryError) -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "library"
        // A window may open the new file before it is in write-ahead mode.
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 2
        configuration.prepareDatabase { database in
            // In KiB; the operating system is better at caching the file. A transaction of the index changes
            // more pages than that, some of them again and again.
            let size = database.configuration.readonly ? 512 : 4096
            try database.execute(sql: "PRAGMA cache_size = -\(size)")
            // A first index changes the same pages again and again, and each time that they move from the
            // log into the database, the disk is waited for.
            guard !database.configuration.readonly else { return }
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 4000")
        }
        makePrivate(path)
        return try withLibraryError("open the library") {
            let pool = try DatabasePool(path: path.string, configuration: configuration)
            do {
                try prepare(pool, path, indexes: indexes)
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_ERROR && indexes
                && (try? pool.read(Schema.migrator.hasBeenSuperseded)) != true
            {
                // Its tables are not those of any release.
                throw LibraryError(
                    code: .corrupt, operation: "open the library",
                    underlying: error.extendedResultCode.rawValue)
            }
            return pool
        }
    }

    /// Migrates a database, and makes sure that it can be used.
    private static func prepare(_ pool: DatabasePool, _ path: FilePath, indexes: Bool) throws {
        // The service that keeps the index up to date does what else has to be written, and may
        // hang while it writes.
        let isReady =
            try !indexes && pool.read { try Schema.migrator.hasCompletedMigrations($0) }
        if !isReady { try Schema.migrator.migrate(pool) }
        // Reads the root of every table and index, so that a truncated file is noticed here.
        try pool.read { database in
            for table in Schema.tables {
                _ = try Row.fetchOne(database, sql: "SELECT * FROM \(table) LIMIT 1")
            }
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM folder")
        }
        guard !isReady else { return }
        try pool.write { database in
            if indexes { try DatabaseDamage.look(in: database) }
            try AlbumTable.recountIfRulesChanged(in: database)
            // Until the first walk ends, the index may be out of date.
            guard indexes else { return }
            try LibraryState.set(.isIndexing, 1, in: database)
            try checkContinuity(in: database)
            // The generations of a copy must not be taken for those of the library.
            if path == LibraryLocation.substitute { try ChangeLog.removeAll(in: database) }
        }
    }

    /// Renames the files of a damaged database.
    ///
    /// The log goes first: if a later step fails, or the machine, no new database finds an old log beside
    /// it, and the next attempt goes on where this one ended.
    private static func moveAside(_ path: FilePath) throws(LibraryError) -> String {
        let suffix = ".corrupt-\(LocalTime.stamp())"
        for part in ["-shm", "-wal", ""] {
            let old = FilePath(path.string + part)
            do throws(Errno) {
                try AtomicFile.rename(old, to: FilePath(path.string + suffix + part))
            } catch {
                // SQLite may have created only some of these files.
                guard error != .noSuchFileOrDirectory else { continue }
                throw LibraryError(
                    code: .unwritable, operation: "move the damaged library aside", cause: error)
            }
        }
        return (path.lastComponent?.string ?? "") + suffix
    }
}
