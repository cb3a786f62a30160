// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
package import SystemPackage

extension LibraryStore {
    /// Notes that files are gone, before the index notices.
    ///
    /// Their photos stay in albums, hidden, and are there again when the files are.
    package func noteGone(_ files: [FilePath]) async throws(LibraryError) {
        do {
            try await connection.write { database in
                try LibraryTransaction.run(in: database) { transaction in
                    for file in files { try transaction.removeFile(at: file) }
                }
            }
        } catch {
            throw LibraryError(error, "note that files are gone")
        }
    }
}

extension LibraryTransaction {
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
