// SPDX-License-Identifier: MIT

internal import Desktop
internal import Files
internal import Foundation
internal import GRDB
internal import Photos
internal import SystemPackage

/// What was found in a file.
struct Examination: Sendable {
    enum Finding: Sendable {
        case picture(ImageFacts, Fingerprint)
        case notPicture
        /// It cannot be read, or changed while it was read. Its row keeps the state of before, so
        /// that the next look at the folder finds a difference and the file gets a new try.
        case unreadable
    }

    let file: PendingFile
    let finding: Finding
}

/// Changes of the table `asset`.
enum AssetRecord {
    /// Stores what was found in a file, and which photo it is.
    ///
    /// - Returns: The folder of the file, nil when its row is gone or has changed meanwhile.
    static func store(_ examination: Examination, in database: Database) throws -> Int64? {
        let file = examination.file
        // The row may have been changed by a later look at the folder; then this one is void.
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT folder, asset FROM file
                WHERE id = ? AND status = 0 AND inode = ? AND size = ? AND modified = ?
                """, arguments: [file.id, file.state.inode, file.state.size, file.state.modified])
        guard let row else { return nil }
        let folder: Int64 = try row.get("folder")
        let previous: Int64? = try row.get("asset")
        switch examination.finding {
        case .picture(let facts, let fingerprint):
            let asset = try asset(
                of: file, facts, fingerprint, previous: previous, in: database)
            try mark(file, .asset, asset, in: database)
            try refresh([asset, previous ?? asset], in: database)
        case .notPicture, .unreadable:
            let isUnreadable = if case .unreadable = examination.finding { true } else { false }
            try mark(file, isUnreadable ? .unreadable : .notPicture, nil, in: database)
            if let previous { try refresh([previous], in: database) }
        }
        return folder
    }

    /// Works out what is stored about assets from the files that they have now.
    ///
    /// An asset without files stays, invisible: when its file comes back it is the same photo.
    static func refresh(_ assets: some Sequence<Int64>, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                UPDATE asset SET
                    file = (SELECT min(file.id) FROM file WHERE file.asset = asset.id),
                    inAll = EXISTS (
                        SELECT 1 FROM file JOIN folder ON folder.id = file.folder
                        WHERE file.asset = asset.id AND folder.kind = 0)
                WHERE id = ?
                """)
        for asset in assets { try statement.execute(arguments: [asset]) }
    }

    private static func mark(
        _ file: PendingFile, _ status: Schema.FileStatus, _ asset: Int64?, in database: Database
    ) throws {
        try database.execute(
            sql: "UPDATE file SET status = ?, asset = ? WHERE id = ?",
            arguments: [status.rawValue, asset, file.id])
    }

    /// The photo that a file holds: one that is known, by content, or a new one.
    private static func asset(
        of file: PendingFile, _ facts: ImageFacts, _ fingerprint: Fingerprint, previous: Int64?,
        in database: Database
    ) throws -> Int64 {
        if let known = try known(file, facts, fingerprint, in: database) { return known }
        if let previous, try isOnlyFile(file.id, of: previous, in: database) {
            // Edited in place: the same photo with other pixels.
            try write(facts, fingerprint, file, to: previous, in: database)
            return previous
        }
        return try insert(facts, fingerprint, file, in: database)
    }

    private static func known(
        _ file: PendingFile, _ facts: ImageFacts, _ fingerprint: Fingerprint, in database: Database
    ) throws -> Int64? {
        let candidates = try Row.fetchAll(
            database,
            sql: """
                SELECT asset.id, folder.path, file.name FROM asset
                LEFT JOIN file ON file.id = asset.file
                LEFT JOIN folder ON folder.id = file.folder
                WHERE fingerprint = ?
                """, arguments: [Data(fingerprint.bytes)])
        for candidate in candidates {
            guard let path = try candidate.get("path", Data?.self),
                let name = try candidate.get("name", Data?.self).flatMap(FilePath.Component.init)
            else { return try candidate.get("id") }
            let other = FilePath(path).appending(name)
            guard other != file.path, let first = try? Descriptor.openForReading(other),
                let second = try? Descriptor.openForReading(file.path)
            else { return try candidate.get("id") }
            if Fingerprint.isSameContent(
                first, second, of: facts.mediaType, size: file.state.size)
            {
                return try candidate.get("id")
            }
        }
        return nil
    }

    private static func isOnlyFile(
        _ file: Int64, of asset: Int64, in database: Database
    ) throws -> Bool {
        try Int.fetchOne(
            database, sql: "SELECT count(*) FROM file WHERE asset = ? AND id <> ?",
            arguments: [asset, file]) == 0
    }

    private static func insert(
        _ facts: ImageFacts, _ fingerprint: Fingerprint, _ file: PendingFile,
        in database: Database
    ) throws -> Int64 {
        // The id of a photo is its first fingerprint, so that a library that is made anew gives
        // the same ids. Different pictures with one fingerprint get a number mixed in.
        var key = fingerprint.bytes
        var number: UInt8 = 0
        while try Int.fetchOne(
            database, sql: "SELECT 1 FROM asset WHERE key = ?", arguments: [Data(key)]) != nil
        {
            number &+= 1
            key = Digest.md5(fingerprint.bytes, key, [number])
        }
        try database.execute(
            sql: """
                INSERT INTO asset
                    (key, fingerprint, mediaType, width, height, date, hasCaptureDate)
                VALUES (?, x'', '', 0, 0, 0, 0)
                """, arguments: [Data(key)])
        let id = database.lastInsertedRowID
        try write(facts, fingerprint, file, to: id, in: database)
        return id
    }

    private static func write(
        _ facts: ImageFacts, _ fingerprint: Fingerprint, _ file: PendingFile, to asset: Int64,
        in database: Database
    ) throws {
        let captured = facts.taken?.secondsSince1970
        try database.execute(
            sql: """
                UPDATE asset SET fingerprint = ?, mediaType = ?, width = ?, height = ?,
                    date = ?, hasCaptureDate = ?
                WHERE id = ?
                """,
            arguments: [
                Data(fingerprint.bytes), facts.mediaType.rawValue, facts.size?.width ?? 0,
                facts.size?.height ?? 0, captured ?? file.state.modifiedSeconds, captured != nil,
                asset,
            ])
    }
}
