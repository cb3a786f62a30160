// SPDX-License-Identifier: MIT

internal import Foundation
internal import GRDB
package import Photos

extension LibraryReader {
    /// The frames of the burst for which a photo is shown, in the order in which they were taken: of each, the
    /// files in the person's folders.
    ///
    /// - Returns: The photo itself alone if it is of no burst; nothing if it is unknown.
    package func frames(of id: AssetID) async throws(LibraryError) -> [[LocatedFile]] {
        try await read("read the pictures of a burst") { database in
            try LocatedFile.frames(of: id, database)
        }
    }

    /// The burst that a photo is a picture of, whether or not lists show this one; nil if it is of none.
    ///
    /// - Parameters:
    ///   - filter: Pictures of other types are left out.
    ///   - wanted: Pictures that do not fit are listed with the rule that they break.
    package func burst(
        of id: AssetID, _ filter: MediaFilter, wanted: PhotoFilter = PhotoFilter()
    ) async throws(LibraryError) -> Burst? {
        try await read("read the pictures of a burst") { database in
            guard let asset = try Asset.fetch(id, database) else { return nil }
            let shown = asset.frameOf ?? id
            let frames = try PhotoList(framesOf: shown, filter, wanted: wanted, in: database)
            return frames.count > 1 ? Burst(shown: shown, frames: frames) : nil
        }
    }

    /// The photos with these ids and the files that are opened, in one read; of a burst those of one frame.
    ///
    /// - Parameter version: Which version of the primary file; frames have none.
    /// - Returns: A dictionary without entries for unknown ids.
    package func located(
        _ ids: [AssetID], _ version: AssetVersion, _ choice: ResourceChoice
    ) async throws(LibraryError) -> [AssetID: LocatedAsset] {
        guard choice.role == .burst else { return try await located(ids, version, choice.role) }
        return try await read("read the pictures of a burst") { database in
            var found: [AssetID: LocatedAsset] = [:]
            for id in ids {
                guard let asset = try Asset.fetch(id, database) else { continue }
                let frames = try LocatedFile.frames(of: id, database)
                let isThere = asset.frames > 0 && frames.indices.contains(choice.index)
                found[id] = LocatedAsset(
                    asset: asset, files: isThere ? frames[choice.index] : [])
            }
            return found
        }
    }
}

extension PhotoList {
    /// Reads the pictures for which a photo is shown, itself included, in the order in which they were taken.
    fileprivate init(
        framesOf shown: AssetID, _ filter: MediaFilter, wanted: PhotoFilter, in database: Database
    ) throws {
        let condition = filter.sql()
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT key, width, height, date, mediaType LIKE 'video/%', colour,
                        \(Asset.isFavorite),
                        milliseconds, size, (
                            SELECT min(name) FROM file AS named
                            WHERE named.asset = asset.id AND named.role = 0
                        ) AS firstName, fingerprint
                    FROM asset JOIN file ON file.id = \(Asset.bestFile)
                    WHERE (asset.key = ? OR asset.frameOf = (
                        SELECT shown.id FROM asset AS shown WHERE shown.key = ?))
                    AND \(condition.text)
                    """),
            arguments: [Data(shown.bytes), Data(shown.bytes)] + condition.arguments)
        let ordered = try rows.map { row in
            let order = BurstOrder(
                date: try row.decode(atIndex: 3), name: try row.decode(atIndex: 9),
                fingerprint: try row.decode(atIndex: 10))
            return (order: order, row: row)
        }
        try self.init(ordered.sorted { $0.order < $1.order }.map(\.row), wanted)
    }
}

extension LocatedFile {
    /// The primary files of each frame of the burst for which a photo is shown, in the order of the frames.
    fileprivate static func frames(
        of id: AssetID, _ database: Database
    ) throws -> [[LocatedFile]] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT asset.id AS asset, date, fingerprint, folder.path, file.name, status,
                    device, inode, size, modified, changed
                FROM asset JOIN file ON file.asset = asset.id AND role = 0
                JOIN folder ON folder.id = file.folder
                WHERE asset.id IN (
                    SELECT shown.id FROM asset AS shown WHERE shown.key = ?1 AND shown.file IS NOT NULL
                    UNION ALL
                    SELECT frame.id FROM asset AS frame
                    WHERE frameOf = (SELECT shown.id FROM asset AS shown WHERE shown.key = ?1))
                ORDER BY asset.id, file.name, file.id
                """)
        var frames: [(asset: Int64, order: BurstOrder, files: [LocatedFile])] = []
        for row in try Row.fetchAll(statement, arguments: [Data(id.bytes)]) {
            guard let file = try LocatedFile(row) else { continue }
            let asset: Int64 = try row.get("asset")
            if let last = frames.indices.last, frames[last].asset == asset {
                frames[last].files.append(file)
            } else {
                let order = BurstOrder(
                    date: try row.get("date"), name: try row.get("name"),
                    fingerprint: try row.get("fingerprint"))
                frames.append((asset, order, [file]))
            }
        }
        return frames.sorted { $0.order < $1.order }.map(\.files)
    }

    /// All files of the frames for which a photo is shown, but not its own, in the order of the frames.
    ///
    /// A frame may have a raw file or a video, too.
    static func framesNotShown(of id: AssetID, _ database: Database) throws -> [LocatedFile] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT folder.path, file.name, status, device, inode, size, modified, changed
                FROM file JOIN asset ON asset.id = file.asset JOIN folder ON folder.id = file.folder
                WHERE frameOf = (SELECT shown.id FROM asset AS shown WHERE shown.key = ?)
                ORDER BY date, length(file.name), file.name, file.id
                """)
        return try Row.fetchAll(statement, arguments: [Data(id.bytes)])
            .compactMap { try LocatedFile($0) }
    }
}
