// SPDX-License-Identifier: MIT

internal import GRDB
internal import Synchronization

/// The files that got their names since the index began to compare folders with the disk.
///
/// It may have listed their folders before that, so it must not take them for missing. Those of another
/// service are not known here; if they are taken away, the next comparison finds them.
///
/// - Isolation: any thread.
final class RecentArrivals: Sendable {
    private struct State {
        /// Whether folders are being compared.
        var isOpen = false
        var files: Set<Int64> = []
    }

    private let state = Mutex(State())

    /// Notes a file, before the table `arrival` forgets it.
    func note(_ file: Int64) {
        state.withLock { state in
            if state.isOpen { state.files.insert(file) }
        }
    }

    /// Called before the first folder is listed.
    func beginComparison() {
        state.withLock { $0.isOpen = true }
    }

    func endComparison() {
        state.withLock { $0 = State() }
    }

    /// The files that arrived since the comparison began; to be asked in the transaction that takes others
    /// away.
    var files: Set<Int64> { state.withLock { $0.files } }
}

extension LibraryTransaction {
    /// Whether a folder has files that have yet to get their names, or have only just got them.
    func hasArrivals(in folder: Int64, recent: Set<Int64>) throws -> Bool {
        let isExpecting = try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM arrival JOIN file ON file.id = arrival.file
                    WHERE file.folder = ?)
                    """),
            arguments: [folder])
        if isExpecting == true { return true }
        return try recent.contains { file in
            let place = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT folder FROM file WHERE id = ?"),
                arguments: [file])
            return place == folder
        }
    }
}
