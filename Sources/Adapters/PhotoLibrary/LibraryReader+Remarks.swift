// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
package import Photos

extension LibraryReader {
    /// What people say of photos.
    ///
    /// - Returns: A dictionary without entries for unknown ids.
    package func remarks(of ids: [AssetID]) async throws(LibraryError) -> [AssetID: PhotoRemarks] {
        try await read("read what people say of photos") { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(Asset.isFavorite), caption FROM asset
                    LEFT JOIN assetDetails ON assetDetails.asset = asset.id WHERE key = ?
                    """)
            var found: [AssetID: PhotoRemarks] = [:]
            for id in ids {
                let row = try Row.fetchOne(statement, arguments: [Data(id.bytes)])
                guard let row else { continue }
                found[id] = PhotoRemarks(
                    isFavorite: try row.decode(atIndex: 0), caption: try row.decode(atIndex: 1))
            }
            return found
        }
    }
}
