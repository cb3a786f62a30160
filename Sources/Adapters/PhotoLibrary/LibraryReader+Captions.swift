// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
package import Photos

extension LibraryReader {
    /// What a tile says about a photo; nil if the photo is unknown.
    package func caption(of id: AssetID) async throws(LibraryError) -> PhotoCaption? {
        try await read("read a photo's caption") { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT mediaType, isAnimated, milliseconds, favorite, name, size
                    FROM asset JOIN file ON file.id = asset.file WHERE asset.key = ?
                    """)
            guard let row = try Row.fetchOne(statement, arguments: [Data(id.bytes)]),
                let mediaType = MediaType(try row.decode(String.self, atIndex: 0))
            else { return nil }
            return PhotoCaption(
                mediaType: mediaType, isAnimated: try row.decode(atIndex: 1),
                milliseconds: try row.decode(Int?.self, atIndex: 2),
                isFavorite: try row.decode(atIndex: 3),
                name: String(decoding: try row.decode(Data.self, atIndex: 4), as: UTF8.self),
                byteCount: try row.decode(atIndex: 5))
        }
    }
}
