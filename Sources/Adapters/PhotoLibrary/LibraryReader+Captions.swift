// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
package import Photos

extension LibraryReader {
    /// What a ``PhotoFilter`` compares of photos.
    ///
    /// - Returns: A dictionary without entries for unknown ids.
    package func facts(of ids: [AssetID]) async throws(LibraryError) -> [AssetID: PhotoFacts] {
        try await read("read what an app's rules are about") { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT width, height, size, date, \(Asset.isFavorite), milliseconds
                    FROM asset JOIN file ON file.id = \(Asset.bestFile) WHERE asset.key = ?
                    """)
            var found: [AssetID: PhotoFacts] = [:]
            for id in ids {
                guard let row = try Row.fetchOne(statement, arguments: [Data(id.bytes)]) else {
                    continue
                }
                let size = PixelSize(
                    width: try row.decode(atIndex: 0), height: try row.decode(atIndex: 1))
                found[id] = PhotoFacts(
                    size: size.isEmpty ? nil : size, byteCount: try row.decode(atIndex: 2),
                    date: try row.decode(atIndex: 3), isFavorite: try row.decode(atIndex: 4),
                    milliseconds: try row.decode(Int64?.self, atIndex: 5))
            }
            return found
        }
    }

    /// What a tile says about a photo; nil if the photo is unknown.
    package func caption(of id: AssetID) async throws(LibraryError) -> PhotoCaption? {
        try await read("read a photo's caption") { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT mediaType, isAnimated, milliseconds, favorite, name, size, rawTypes, isLive,
                        frames
                    FROM asset JOIN file ON file.id = asset.file WHERE asset.key = ?
                    """)
            guard let row = try Row.fetchOne(statement, arguments: [Data(id.bytes)]),
                let mediaType = MediaType(try row.decode(String.self, atIndex: 0))
            else { return nil }
            return PhotoCaption(
                mediaType: mediaType, isAnimated: try row.decode(atIndex: 1),
                hasRaw: try row.decode(String?.self, atIndex: 6) != nil,
                isLive: try row.decode(atIndex: 7), frames: try row.decode(atIndex: 8),
                milliseconds: try row.decode(Int?.self, atIndex: 2),
                isFavorite: try row.decode(atIndex: 3),
                name: String(decoding: try row.decode(Data.self, atIndex: 4), as: UTF8.self),
                byteCount: try row.decode(atIndex: 5))
        }
    }
}
