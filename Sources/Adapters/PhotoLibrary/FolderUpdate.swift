// SPDX-License-Identifier: MIT

internal import Foundation

/// Brings the rows of some folders in line with the disk.
struct FolderUpdate {
    /// Rows whose names are gone.
    ///
    /// They are deleted only after all folders have been compared, because a file may have been
    /// moved to another folder; its row then moves with it.
    private var gone: [(folder: Int64, file: Int64, name: Data)] = []
    /// The number of files that have to be examined.
    private(set) var newFiles = 0

    /// Stores the differences of a folder.
    mutating func apply(
        _ differences: FolderDifferences, in transaction: inout LibraryTransaction
    ) throws {
        let folder = try transaction.folder(differences.path.data, kind: differences.kind)
        for (record, state) in differences.incomplete {
            try transaction.completeFile(record.id, named: record.name, in: folder, state)
        }
        // Files may have exchanged their names, so all of those names are freed first.
        for former in differences.added.compactMap(\.former) {
            guard
                let name = try transaction.displaceFile(
                    former.id, named: former.name, in: folder)
            else { continue }
            gone.append((folder, former.id, name))
        }
        for file in differences.added { try add(file, to: folder, in: &transaction) }
        // After the moves, which may take a row away: then its name has another file now.
        for (record, state) in differences.changed {
            if try !transaction.expireFile(record.id, named: record.name, in: folder, state) {
                try transaction.addFile(record.name, state, to: folder)
            }
            newFiles += 1
        }
        gone += differences.gone.map { (folder, $0.id, $0.name) }
    }

    /// Deletes the rows of files that were not found anywhere else.
    ///
    /// - Parameter recent: See ``RecentArrivals/files``.
    mutating func finish(
        in transaction: inout LibraryTransaction, keeping recent: Set<Int64>
    ) throws {
        for (folder, file, name) in gone where !recent.contains(file) {
            try transaction.removeFile(file, named: name, in: folder)
        }
        gone = []
    }

    private mutating func add(
        _ file: FolderDifferences.NewFile, to folder: Int64,
        in transaction: inout LibraryTransaction
    ) throws {
        if let twin = file.twin {
            guard twin.isStillThere else {
                if try transaction.moveFile(twin, to: file.name, in: folder, file.state) { return }
                return try addNew(file, to: folder, in: &transaction)
            }
            // A link to a resource may be the only file of the photo in its folder.
            if twin.isPrimary {
                return try transaction.addFile(
                    file.name, file.state, to: folder, asset: twin.asset)
            }
        }
        try addNew(file, to: folder, in: &transaction)
    }

    private mutating func addNew(
        _ file: FolderDifferences.NewFile, to folder: Int64,
        in transaction: inout LibraryTransaction
    ) throws {
        try transaction.addFile(file.name, file.state, to: folder)
        newFiles += 1
    }
}
