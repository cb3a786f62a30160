// SPDX-License-Identifier: MIT

internal import GRDB
package import Photos
internal import SystemPackage

extension LibraryStore {
    /// Performs the operations of a change set in their order: all of them, or none.
    ///
    /// Change sets of several apps and services are performed one after another; each sees what those
    /// before it did. When this returns, the changes survive even a loss of power.
    ///
    /// A copy that takes the place of a library that cannot be written is not changed, because it would
    /// be gone with the session.
    ///
    /// - Returns: What each operation did.
    package func perform(
        _ changes: [LibraryChange]
    ) async throws(LibraryChangeError) -> [LibraryChangeResult] {
        do {
            return try await perform(changes, adding: ArrivalBatch(adjusted: adjusted)) { _ in }
                .results
        } catch let error as LibraryChangeError {
            throw error
        } catch {
            throw .library(noted(LibraryError(error, "change the library")))
        }
    }

    /// What the operations of a change set did.
    struct Performed {
        var results: [LibraryChangeResult] = []
        /// The records of the files that get their names now, by hidden name.
        var settled: [FilePath.Component: ArrivalRecord] = [:]
        /// The first error of a file that did not get its name.
        var failure: Errno?
        var ends: [ArrivalEnd] = []
        /// See ``ArrivalEnds/begin()``.
        var number = 0
    }

    /// Performs a change set, and removes what earlier adjustments left.
    ///
    /// - Parameter check: Called in the transaction, before anything changes.
    /// - Throws: ``LibraryChangeError``, errors of the database, and those of `check`.
    func perform(
        _ changes: [LibraryChange], adding batch: ArrivalBatch,
        _ check: @escaping @Sendable (Database) throws -> Void
    ) async throws -> Performed {
        let performed: Performed
        if let first = batch.arrivals.first {
            let place = first.path.appending(first.current)
            performed = try await perform(changes, at: place, batch, check)
        } else {
            // A task of its own: where one is cancelled, the database runs no statement any more, not even
            // those that end this.
            performed = try await Task { [self] in
                try await connection.writeWithoutTransaction { [self] in
                    try perform(changes, batch, check, in: $0)
                }
            }.value
        }
        if changes.contains(where: \.endsAdjustment) { await removeFormerAdjustments() }
        return performed
    }

    /// - Parameter database: Not in a transaction.
    func perform(
        _ changes: [LibraryChange], _ batch: ArrivalBatch,
        _ check: (Database) throws -> Void, in database: Database
    ) throws -> Performed {
        guard !isSubstitute else { throw LibraryChangeError.substitute }
        // The index can be read from the disk again, but not what people did.
        try database.execute(sql: "PRAGMA synchronous = FULL")
        defer { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
        var performed = (result: Performed(), changesUserData: false)
        try database.inTransaction(.immediate) {
            try check(database)
            performed = try Self.perform(changes, batch, in: database)
            return .commit
        }
        if performed.changesUserData || changes.contains(where: \.isUserData) { noteUserData() }
        return performed.result
    }

    private static func perform(
        _ changes: [LibraryChange], _ arrivals: ArrivalBatch, in database: Database
    ) throws -> (result: Performed, changesUserData: Bool) {
        try LibraryTransaction.run(in: database) { transaction in
            var results: [LibraryChangeResult] = []
            for (index, change) in changes.enumerated() {
                do {
                    results.append(try transaction.perform(change, after: results, arrivals))
                } catch let reason as LibraryChangeError.Reason {
                    throw LibraryChangeError.refused(index: index, reason)
                }
            }
            return Performed(results: results, settled: transaction.settled)
        }
    }
}

extension LibraryChange {
    /// Whether it changes what no walk through the folders finds again; see ``UserData``.
    fileprivate var isUserData: Bool {
        if case .createAsset = self { false } else { true }
    }
}
