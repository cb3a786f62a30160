// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
package import Photos
package import SystemPackage

extension LibraryStore {
    /// Notes that files are gone, before the index notices.
    ///
    /// Their photos stay in albums, hidden, and are there again when the files are. Their adjusted
    /// versions are kept as long as they may come back from the trash.
    package func noteGone(
        _ files: [FilePath], of photos: [AssetID] = []
    ) async throws(LibraryError) {
        do {
            let change = try await connection.write { database in
                try LibraryTransaction.run(in: database) { transaction in
                    for file in files { try transaction.removeFile(at: file) }
                    let now = Int64(Date().timeIntervalSince1970)
                    for photo in photos { try transaction.noteDeletion(of: photo, at: now) }
                }
            }
            if change.changesUserData { noteUserData() }
        } catch {
            throw noted(LibraryError(error, "note that files are gone"))
        }
    }
}

extension LibraryTransaction {
    /// Notes when an app deleted a photo, which starts the time for which its adjusted version is kept.
    ///
    /// - Parameter now: In seconds since 1970.
    fileprivate mutating func noteDeletion(of photo: AssetID, at now: Int64) throws {
        let asset = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM asset WHERE key = ?"),
            arguments: [Data(photo.bytes)])
        guard let asset else { return }
        // It may have got another file while the person was asked; then its version stays.
        try willChange(asset: asset)
        try database.execute(
            sql: "UPDATE adjustment SET deleted = ? WHERE asset = ?", arguments: [now, asset])
    }

    fileprivate mutating func removeFile(at path: FilePath) throws {
        guard let name = path.lastComponent else { return }
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT file.id, file.folder FROM file JOIN folder ON folder.id = file.folder
                    WHERE folder.path = ? AND file.name = ?
                    """),
            arguments: [path.removingLastComponent().data, name.data])
        guard let row else { return }
        try removeFile(
            row.decode(atIndex: 0), named: name.data, in: row.decode(Int64.self, atIndex: 1))
    }
}
