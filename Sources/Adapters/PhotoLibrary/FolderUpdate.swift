// SPDX-License-Identifier: MIT

import Files
internal import Foundation
internal import GRDB
internal import SystemPackage

/// Brings the rows of one folder in line with the disk.
struct FolderUpdate {
    /// Rows whose names are gone.
    ///
    /// They are deleted only after all folders were compared: one of these files may have turned
    /// up elsewhere, and then its row moves with it.
    private(set) var gone: [(id: Int64, folder: Int64, name: Data)] = []
    /// Assets whose files changed, so that what is stored about them must be worked out anew.
    private var touchedAssets: Set<Int64> = []
    private var touchedFolders: Set<Int64> = []
    private(set) var newFiles = 0

    /// Compares a folder with its rows.
    mutating func apply(_ listing: FolderListing, in database: Database) throws {
        let folder = try Self.folderID(listing, in: database)
        var known: [Data: FileRecord] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT id, name, device, inode, size, modified FROM file WHERE folder = ?",
            arguments: [folder])
        while let row = try rows.next() {
            let record = try FileRecord(row)
            known[record.name] = record
        }
        for entry in listing.files {
            let name = entry.name.data
            let state = FileState(entry.information)
            if let record = known.removeValue(forKey: name) {
                if record.state != state { try update(record, to: state, folder, in: database) }
            } else {
                try add(name, state, to: folder, in: database)
            }
        }
        for record in known.values { gone.append((record.id, folder, record.name)) }
    }

    /// Deletes what is still gone, then works out again what depends on the files, so that counts
    /// and photos never disagree for a reader.
    mutating func finish(in database: Database) throws {
        for (id, folder, name) in gone {
            // A row that has moved meanwhile is not gone.
            let asset = try Int64.fetchOne(
                database,
                sql: """
                    DELETE FROM file WHERE id = ? AND folder = ? AND name = ? RETURNING ifnull(asset, 0)
                    """, arguments: [id, folder, name])
            if let asset { touchedAssets.insert(asset) }
            touchedFolders.insert(folder)
        }
        gone = []
        try AssetRecord.refresh(touchedAssets, in: database)
        try AlbumRecord.refresh(folders: touchedFolders, in: database)
        touchedAssets = []
        touchedFolders = []
    }

    /// Deletes a folder that is gone, with its files.
    mutating func remove(_ folder: Int64, in database: Database) throws {
        let assets = try Int64.fetchAll(
            database, sql: "SELECT asset FROM file WHERE folder = ? AND asset IS NOT NULL",
            arguments: [folder])
        touchedAssets.formUnion(assets)
        try database.execute(sql: "DELETE FROM folder WHERE id = ?", arguments: [folder])
    }

    private static func folderID(_ listing: FolderListing, in database: Database) throws -> Int64 {
        let path = listing.path.data
        let id = try Int64.fetchOne(
            database,
            sql: """
                INSERT INTO folder (path, kind) VALUES (?, ?)
                ON CONFLICT (path) DO UPDATE SET kind = excluded.kind RETURNING id
                """, arguments: [path, listing.kind.rawValue])
        guard let id else { throw DatabaseError(message: "a folder has no id") }
        return id
    }

    private mutating func update(
        _ record: FileRecord, to state: FileState, _ folder: Int64, in database: Database
    ) throws {
        // The asset stays: an edit in place keeps its id.
        try database.execute(
            sql: """
                UPDATE file SET device = ?, inode = ?, size = ?, modified = ?, status = 0 WHERE id = ?
                """,
            arguments: [state.device, state.inode, state.size, state.modified, record.id])
        touchedFolders.insert(folder)
        newFiles += 1
    }

    private mutating func add(
        _ name: Data, _ state: FileState, to folder: Int64, in database: Database
    ) throws {
        touchedFolders.insert(folder)
        if let twin = try twin(of: state, in: database) {
            touchedAssets.insert(twin.asset)
            if twin.isStillThere {
                try insert(name, state, folder, .asset, twin.asset, in: database)
            } else {
                touchedFolders.insert(twin.folder)
                try database.execute(
                    sql: "UPDATE file SET folder = ?, name = ? WHERE id = ?",
                    arguments: [folder, name, twin.id])
            }
            return
        }
        try insert(name, state, folder, .pending, nil, in: database)
        newFiles += 1
    }

    private func insert(
        _ name: Data, _ state: FileState, _ folder: Int64, _ status: Schema.FileStatus,
        _ asset: Int64?, in database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO file (folder, name, device, inode, size, modified, status, asset)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                folder, name, state.device, state.inode, state.size, state.modified,
                status.rawValue, asset,
            ])
    }

    private struct Twin {
        let id: Int64
        let folder: Int64
        let asset: Int64
        /// Whether the other name still leads to the same file: then this one is a link.
        let isStillThere: Bool
    }

    /// Another name of the same file, present or past, whose asset is known.
    private func twin(of state: FileState, in database: Database) throws -> Twin? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT file.id, file.folder, file.asset, folder.path, file.name
                FROM file JOIN folder ON folder.id = file.folder
                WHERE device = ? AND inode = ? AND size = ? AND modified = ? AND status = 1
                """, arguments: [state.device, state.inode, state.size, state.modified])
        guard let row, let name = FilePath.Component(try row.get("name", Data.self)) else {
            return nil
        }
        let path = FilePath(try row.get("path", Data.self)).appending(name)
        let isStillThere = (try? path.stat()).map { FileState($0) == state } ?? false
        return Twin(
            id: try row.get("id"), folder: try row.get("folder"), asset: try row.get("asset"),
            isStillThere: isStillThere)
    }
}
