// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import Photos
internal import Processes
internal import SystemPackage

/// A known photo under another current or former name of the same file.
struct Twin: Sendable {
    let file: Int64
    let folder: Int64
    let asset: Int64
    /// Whether it is the file that people see, not a resource beside it.
    let isPrimary: Bool
    let name: Data
    /// Nil when another file has taken the name.
    let path: FilePath?
    /// Whether the other name still refers to the same file, which makes the new name a link.
    var isStillThere = false
}

/// How a folder on the disk differs from its rows.
struct FolderDifferences {
    struct NewFile {
        let name: Data
        let state: FileState
        var twin: Twin?
        /// The row of the file that had the name before.
        var former: FileRecord?
    }

    let path: FilePath
    let kind: FolderKind
    /// New names, and names that another known file has taken.
    private(set) var added: [NewFile] = []
    private(set) var changed: [(record: FileRecord, state: FileState)] = []
    private(set) var gone: [FileRecord] = []
    /// Rows of earlier releases, which lack a part of the state.
    private(set) var incomplete: [(record: FileRecord, state: FileState)] = []

    /// Compares a listing with the database.
    ///
    /// - Parameter retries: Whether files that could not be read count as changed.
    init(_ listing: FolderListing, retries: Bool, in database: Database) throws {
        path = listing.path
        kind = listing.kind
        var known: [Data: (record: FileRecord, isFound: Bool)] = [:]
        known.reserveCapacity(listing.files.count)
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT \(FileRecord.columns)
                    FROM file JOIN folder ON folder.id = file.folder WHERE path = ?
                    """), arguments: [listing.path.data])
        while let row = try rows.next() {
            let record = try FileRecord(row)
            known[record.name] = (record, false)
        }
        var new: Set<Data> = []
        for entry in listing.files {
            let name = entry.name.data
            let record: FileRecord?
            // Not every disk lists a name only once.
            if let index = known.index(forKey: name) {
                guard !known.values[index].isFound else { continue }
                known.values[index].isFound = true
                record = known.values[index].record
            } else {
                guard new.insert(name).inserted else { continue }
                record = nil
            }
            try add(name, FileState(entry.information), record, retries, in: database)
        }
        for name in listing.unknown { known[name.data]?.isFound = true }
        gone = known.values.filter { !$0.isFound }.map(\.record)
    }

    private mutating func add(
        _ name: Data, _ state: FileState, _ record: FileRecord?, _ retries: Bool,
        in database: Database
    ) throws {
        guard let record else {
            let twin = try Self.twin(of: state, in: database)
            return added.append(NewFile(name: name, state: state, twin: twin))
        }
        let isSameFile = record.state.isSameFile(as: state)
        if record.state == state || isSameFile && record.state.changed == 0 {
            if retries, record.status == .unreadable {
                changed.append((record, state))
            } else if record.state != state {
                incomplete.append((record, state))
            }
        } else if !isSameFile, let twin = try Self.twin(of: state, in: database) {
            added.append(NewFile(name: name, state: state, twin: twin, former: record))
        } else {
            changed.append((record, state))
        }
    }

    /// Looks at the disk to tell moved files from links.
    ///
    /// - Isolation: blocks as long as the file system does; not to be called in a transaction.
    mutating func lookAtTwins(_ calls: DiskCalls) {
        for index in added.indices {
            guard let path = added[index].twin?.path else { continue }
            let state = added[index].state
            let isStillThere = calls.run(at: DiskCalls.Place(path, device: nil)) {
                // A name that cannot be examined does not refer to this file.
                guard let information = try? path.stat() else { return false }
                return FileState(information).isSameFile(as: state)
            }
            // Nothing is taken away from what cannot be looked at.
            added[index].twin?.isStillThere = isStillThere ?? true
        }
    }

    private static func twin(of state: FileState, in database: Database) throws -> Twin? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT file.id, file.folder, file.asset, folder.path, file.name, role
                    FROM file JOIN folder ON folder.id = file.folder
                    WHERE device = ? AND inode = ? AND size = ? AND modified = ? AND status = 1
                    """),
            arguments: [state.device, state.inode, state.size, state.modified])
        guard let row else { return nil }
        let name: Data = try row.get("name")
        let folder = FilePath(try row.get("path", Data.self))
        return Twin(
            file: try row.get("id"), folder: try row.get("folder"), asset: try row.get("asset"),
            isPrimary: try row.get("role") == ResourceRole.primary.column,
            name: name, path: FilePath.Component(name).map { folder.appending($0) })
    }
}
