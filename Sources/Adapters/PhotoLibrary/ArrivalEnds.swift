// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
internal import Synchronization
internal import SystemPackage

/// The end of an arrival: the file has its name.
struct ArrivalEnd: Sendable {
    let hidden: FilePath.Component
    /// The row of the file, which has this name and state now; nil if it has none.
    let file: Int64?
    let name: FilePath.Component
    let state: FileState

    func store(in database: Database) throws {
        try ArrivalRecord.delete(hidden, in: database)
        guard let file else { return }
        // The index has perhaps found the file already, under this name.
        try database.cachedStatement(
            sql: """
                UPDATE OR IGNORE file SET name = ?, changed = ?
                WHERE id = ? AND inode = ? AND size = ?
                """
        ).execute(arguments: [name.data, state.changed, file, state.inode, state.size])
    }
}

/// The ends of arrivals that are stored after apps were told of their photos.
///
/// When a file has its name, no loss of power can take the photo any more, so nobody has to wait for the
/// rest. Where the state of files counts, it is waited for. What is never stored, because the disk is full
/// or the process ends, ``LibraryStore/finishLeftovers(in:)`` takes for an arrival whose file is gone, and
/// the index examines the file once more.
///
/// - Isolation: any thread.
final class ArrivalEnds: Sendable {
    private struct State {
        var last = 0
        var unstored: Set<Int> = []
        /// Who waits for all up to a number.
        var waiting: [(last: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Called before an app is told.
    ///
    /// - Returns: A number for ``end(_:)``.
    func begin() -> Int {
        state.withLock { state in
            state.last += 1
            state.unstored.insert(state.last)
            return state.last
        }
    }

    /// Called when the ends are stored, or have become leftovers.
    func end(_ number: Int) {
        let served = state.withLock { state in
            state.unstored.remove(number)
            let first = state.unstored.min() ?? .max
            defer { state.waiting.removeAll { $0.last < first } }
            return state.waiting.filter { $0.last < first }.map(\.continuation)
        }
        for continuation in served { continuation.resume() }
    }

    /// Returns when all is stored that was begun.
    func settle() async {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                guard !state.unstored.isEmpty else { return false }
                state.waiting.append((state.last, continuation))
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }
}
