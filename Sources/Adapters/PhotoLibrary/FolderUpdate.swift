// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import SystemPackage

/// A known photo under another current or former name of the same file.
struct Twin: Sendable {
    let file: Int64
    let folder: Int64
    let asset: Int64
    let name: Data
    let path: FilePath
    /// Whether the other name still refers to the same file, which makes the new name a link.
    var isStillThere = false
}

/// How a folder on the disk differs from its rows.
struct FolderDifferences {
    struct NewFile {
        let name: Data
        let state: FileState
        var twin: Twin?
    }

    let path: FilePath
    let kind: FolderKind
    private(set) var added: [NewFile] = []
    private(set) var changed: [(record: FileRecord, state: FileState)] = []
    private(set) var gone: [FileRecord] = []

    /// Compares a listing with the database.
    init(_ listing: FolderListing, in database: Database) throws {
        path = listing.path
        kind = listing.kind
        var known: [Data: FileRecord] = [:]
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT file.id, name, device, inode, size, modified
                    FROM file JOIN folder ON folder.id = file.folder WHERE path = ?
                    """), arguments: [listing.path.data])
        while let row = try rows.next() {
            let record = try FileRecord(row)
            known[record.name] = record
        }
        for entry in listing.files {
            let name = entry.name.data
            let state = FileState(entry.information)
            if let record = known.removeValue(forKey: name) {
                if record.state != state { changed.append((record, state)) }
            } else {
                let twin = try Self.twin(of: state, in: database)
                added.append(NewFile(name: name, state: state, twin: twin))
            }
        }
        gone = Array(known.values)
    }

    /// Looks at the disk to tell moved files from links.
    ///
    /// - Isolation: blocks as long as the file system does; not to be called in a transaction.
    mutating func lookAtTwins() {
        for index in added.indices {
            guard let twin = added[index].twin else { continue }
            // A name that cannot be examined does not refer to this file.
            let state = (try? twin.path.stat()).map { FileState($0) }
            let isStillThere = state == added[index].state
            added[index].twin?.isStillThere = isStillThere
        }
    }

    private static func twin(of state: FileState, in database: Database) throws -> Twin? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT file.id, file.folder, file.asset, folder.path, file.name
                    FROM file JOIN folder ON folder.id = file.folder
                    WHERE device = ? AND inode = ? AND size = ? AND modified = ? AND status = 1
                    """),
            arguments: [state.device, state.inode, state.size, state.modified])
        guard let row else { return nil }
        let name: Data = try row.get("name")
        guard let component = FilePath.Component(name) else { return nil }
        return Twin(
            file: try row.get("id"), folder: try row.get("folder"), asset: try row.get("asset"),
            name: name, path: FilePath(try row.get("path", Data.self)).appending(component))
    }
}

/// Brings the rows of some folders in line with the disk.
struct FolderUpdate {
    /// Rows whose names are gone.
    ///
    /// They are deleted only after all folders have been compared, because a file may have been
    /// moved to another folder; its row then moves with it.
    private var gone: [(folder: Int64, file: FileRecord)] = []
    /// The number of files that have to be examined.
    private(set) var newFiles = 0

    /// Stores the differences of a folder.
    mutating func apply(
        _ differences: FolderDifferences, in transaction: inout LibraryTransaction
    ) throws {
        let folder = try transaction.folder(differences.path.data, kind: differences.kind)
        for (record, state) in differences.changed {
            if try !transaction.expireFile(record.id, named: record.name, in: folder, state) {
                // The row moved with its old file, which was found in another folder.
                try transaction.addFile(record.name, state, to: folder)
            }
            newFiles += 1
        }
        for file in differences.added { try add(file, to: folder, in: &transaction) }
        gone += differences.gone.map { (folder, $0) }
    }

    /// Deletes the rows of files that were not found anywhere else.
    mutating func finish(in transaction: inout LibraryTransaction) throws {
        for (folder, file) in gone {
            try transaction.removeFile(file.id, named: file.name, in: folder)
        }
        gone = []
    }

    private mutating func add(
        _ file: FolderDifferences.NewFile, to folder: Int64,
        in transaction: inout LibraryTransaction
    ) throws {
        if let twin = file.twin {
            if twin.isStillThere {
                return try transaction.addFile(
                    file.name, file.state, to: folder, asset: twin.asset)
            }
            if try transaction.moveFile(twin, to: file.name, in: folder, file.state) { return }
        }
        try transaction.addFile(file.name, file.state, to: folder)
        newFiles += 1
    }
}
