// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import Logging
internal import Synchronization
internal import SystemPackage

/// Whether the file of a database was found damaged, which SQLite notices when it reads the damaged part.
///
/// A file beside the database says so, because the service has to start again to move the database aside.
final class DatabaseDamage: Sendable {
    /// Has an element when damage is found.
    let findings: AsyncStream<Void>

    private let marker: FilePath
    private let state = Mutex(false)
    private let found: AsyncStream<Void>.Continuation

    init(of database: FilePath) {
        marker = FilePath("\(database).damaged")
        (findings, found) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether this process has found any.
    var isFound: Bool { state.withLock { $0 } }

    /// Notes damage.
    ///
    /// - Returns: Whether it is the first in this process.
    func note() -> Bool {
        let isFirst = state.withLock { isFound in
            defer { isFound = true }
            return !isFound
        }
        guard isFirst else { return false }
        // Without it, SQLite may notice the damage again.
        try? AtomicFile.write(UnsafeRawBufferPointer(start: nil, count: 0), to: marker)
        return true
    }

    /// Tells those who wait for ``findings``.
    func tell() { found.yield() }

    /// - Throws: ``LibraryError`` with the code `.corrupt` if an earlier process found damage.
    func check() throws(LibraryError) {
        guard (try? marker.stat()) != nil else { return }
        throw LibraryError(code: .corrupt, operation: "open a library that was found damaged")
    }

    /// Forgets what an earlier process found, because there is a new database.
    func forget() {
        try? AtomicFile.remove(marker)
    }

    // MARK: - Looking for it

    /// How long a database is trusted that ends as it should, in seconds.
    private static let trust = 7 * 24 * 3600

    /// Looks through the whole file if a service did not end as it should, and once a week.
    ///
    /// - Throws: `DatabaseError` with `SQLITE_CORRUPT` if it finds anything.
    static func look(in database: Database) throws {
        let last = try LibraryState.value(of: .boot, in: database)
        let now = Int(Date().timeIntervalSince1970)
        let age = now - (try LibraryState.value(of: .checked, in: database) ?? 0)
        guard last != 0 || !(0..<trust).contains(age) else { return }
        guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        try LibraryState.set(.checked, now, in: database)
    }
}

extension LibraryStore {
    /// Has an element when the database is found damaged: this service must end, and the next one builds a
    /// new database.
    package var damageFindings: AsyncStream<Void> { damage.findings }

    /// Whether this process has found the database damaged.
    var isDamaged: Bool { damage.isFound }

    /// Notes that the database is damaged, if that is what an error says.
    ///
    /// Nothing is written any more to the file of what people did, because less may be left of that.
    func noteDamage(_ error: any Error) {
        let code = (error as? LibraryError ?? LibraryError(error, "")).code
        guard code == .corrupt, damage.note() else { return }
        logger.error(
            "The library's database is damaged; the service starts again to rebuild it.",
            metadata: ["error": "\(error)"])
        // Another service keeps the index up to date, and finds the damage as well.
        if hasLead { damage.tell() }
    }

    /// The same error, noted if it says that the database is damaged.
    func noted(_ error: LibraryError) -> LibraryError {
        noteDamage(error)
        return error
    }

    func noting<Result>(
        _ body: () throws(LibraryError) -> Result
    ) throws(LibraryError) -> Result {
        do throws(LibraryError) {
            return try body()
        } catch {
            throw noted(error)
        }
    }
}
