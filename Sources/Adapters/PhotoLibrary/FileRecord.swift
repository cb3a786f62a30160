// SPDX-License-Identifier: MIT

internal import Files
internal import Foundation
internal import GRDB
internal import Photos
internal import SystemPackage

/// The state of a file on the disk; if any part of it changes, the file is examined again.
struct FileState: Hashable, Sendable {
    let device: Int64
    let inode: Int64
    let size: Int64
    /// When the content changed, in nanoseconds since 1970.
    let modified: Int64
    /// When the content or the status changed; 0 in rows of earlier releases.
    let changed: Int64

    init(_ information: Stat) {
        // The kernel's numbers are unsigned; the database stores the same 64 bits as a signed
        // number.
        device = Int64(truncatingIfNeeded: information.deviceID.rawValue)
        inode = Int64(truncatingIfNeeded: information.inode.rawValue)
        size = information.size
        modified = information.modifiedNanoseconds
        changed = information.changedNanoseconds
    }

    init(_ row: Row) throws {
        device = try row.get("device")
        inode = try row.get("inode")
        size = try row.get("size")
        modified = try row.get("modified")
        changed = try row.get("changed")
    }

    /// Takes five columns in the order of ``columns``, the first of them at an index.
    ///
    /// In a comparison with the disk, to look for the columns' names takes longer than to read them.
    init(_ row: Row, at first: Int) throws {
        device = try row.decode(atIndex: first)
        inode = try row.decode(atIndex: first + 1)
        size = try row.decode(atIndex: first + 2)
        modified = try row.decode(atIndex: first + 3)
        changed = try row.decode(atIndex: first + 4)
    }

    static let columns = "device, inode, size, modified, changed"

    /// Whether two names have the same file with the same content.
    ///
    /// The status changes when a file gets another name.
    func isSameFile(as other: FileState) -> Bool {
        (device, inode, size, modified)
            == (other.device, other.inode, other.size, other.modified)
    }

    /// Nil for a row of an earlier release, which lacks a part of it.
    var version: FileVersion? {
        guard changed != 0 else { return nil }
        return FileVersion(
            device: UInt64(bitPattern: device), inode: UInt64(bitPattern: inode), byteCount: size,
            modified: modified, changed: changed)
    }

    var modifiedSeconds: Int64 { modified / 1_000_000_000 }
}

/// The columns of a row of `file` that a comparison with the disk needs.
struct FileRecord: Sendable {
    let id: Int64
    let name: Data
    let state: FileState
    let status: Schema.FileStatus?

    /// Takes a row of ``columns``.
    init(_ row: Row) throws {
        id = try row.decode(atIndex: 0)
        name = try row.decode(atIndex: 1)
        status = Schema.FileStatus(rawValue: try row.decode(atIndex: 2))
        state = try FileState(row, at: 3)
    }

    static let columns = "file.id, name, status, \(FileState.columns)"
}

/// A row of the table `folder`.
struct FolderRecord: Sendable {
    let id: Int64
    let path: FilePath

    static func all(in database: Database) throws -> [FolderRecord] {
        try Row.fetchAll(database, sql: "SELECT id, path FROM folder").map { row in
            FolderRecord(id: try row.get("id"), path: FilePath(try row.get("path", Data.self)))
        }
    }
}

/// A file that has to be examined.
struct PendingFile: Sendable {
    let id: Int64
    let folder: Int64
    /// The last component of the path; taking it from there would cost more than storing the photo.
    let name: Data
    let path: FilePath
    let state: FileState

    /// The newest pending files.
    ///
    /// - Parameter examined: Files that are left out.
    static func newest(
        _ limit: Int, changedSince start: Int64 = .min, without examined: Set<Int64>,
        in database: Database
    ) throws -> [PendingFile] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT file.id, folder, folder.path, file.name, device, inode, size, modified, changed
                FROM file JOIN folder ON folder.id = file.folder
                WHERE status = 0 AND changed >= ? ORDER BY modified DESC LIMIT ?
                """)
        let rows = try Row.fetchAll(statement, arguments: [start, limit + examined.count])
        let files = try rows.compactMap { row -> PendingFile? in
            let id: Int64 = try row.get("id")
            let name: Data = try row.get("name")
            guard !examined.contains(id), let component = FilePath.Component(name) else {
                return nil
            }
            return PendingFile(
                id: id, folder: try row.get("folder"), name: name,
                path: FilePath(try row.get("path", Data.self)).appending(component),
                state: try FileState(row))
        }
        return Array(files.prefix(limit))
    }
}
