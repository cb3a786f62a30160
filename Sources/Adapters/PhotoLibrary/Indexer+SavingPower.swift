// SPDX-License-Identifier: MIT

internal import Files
internal import GRDB
internal import Logging

extension Indexer {
    /// While power is saved, this many photos of those that wait are examined, the newest ones, and each
    /// file that comes or changes.
    private static let urgentCount = 500

    /// A time in which the computer saves power.
    struct Saving {
        /// When it began, in nanoseconds since 1970; files that change later are examined at once.
        let start: Int64
        /// How many of the files that were there before may still be examined.
        var left = Indexer.urgentCount
    }

    /// Makes the indexer examine only what is urgent, or all of the rest.
    package func setSavesPower(_ saves: Bool) {
        guard saves != (saving != nil) else { return }
        saving = saves ? Saving(start: FileClock.now) : nil
        logger.info(saves ? "Saving power." : "No longer saving power.")
        note { $0.mustComplete = true }
    }

    /// The newest pending files that are examined now.
    ///
    /// - Parameter examined: Those of them whose results are yet to be stored; they are left out.
    func urgentFiles(
        atMost limit: Int, without examined: Set<Int64>
    ) throws(LibraryError) -> [PendingFile] {
        let saving = saving
        let (new, old) = try store.read("read pending files") {
            database -> ([PendingFile], [PendingFile]) in
            let count = min(limit, saving?.left ?? limit)
            let old = try PendingFile.newest(count, without: examined, in: database)
            guard let saving else { return ([], old) }
            let new = try PendingFile.newest(
                limit, changedSince: saving.start, without: examined, in: database)
            return (new, old)
        }
        guard new.isEmpty else { return new }
        self.saving?.left -= old.count
        return old
    }

    /// Tells readers whether files wait until the computer saves no power.
    func storeWhetherFilesWait() throws(LibraryError) {
        let isWaiting = saving != nil
        guard isWaiting != isWaitingStored else { return }
        try store.write("store the state") {
            try LibraryState.set(.isWaiting, isWaiting ? 1 : 0, in: $0)
        }
        isWaitingStored = isWaiting
    }
}
